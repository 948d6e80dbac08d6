package wire

import "parley"

// AppendCustomerArticle appends an article as lists for customers show it.
func AppendCustomerArticle(b []byte, p *parley.PublishedText) []byte {
	o := open(b)
	customerArticle(&o, p)
	return o.close()
}

func customerArticle(o *object, p *parley.PublishedText) {
	o.id("id", p.ArticleID)
	o.text("slug", p.Slug)
	o.text("language", string(p.Language))
	o.text("title", p.Title)
	o.text("description", p.Description)
}

// AppendCustomerHit appends an article that was found.
func AppendCustomerHit(b []byte, h *parley.ArticleHit) []byte {
	return AppendCustomerArticle(b, &h.PublishedText)
}

// AppendCustomerArticleText appends an article with its rendered body.
func AppendCustomerArticleText(b []byte, p *parley.PublishedText, html string) []byte {
	o := open(b)
	customerArticle(&o, p)
	o.text("html", html)
	o.time("publishedAt", p.PublishedAt)
	return o.close()
}
