package wire

import "parley"

// AppendArticleHit appends what was found for a question.
func AppendArticleHit(b []byte, h *parley.ArticleHit) []byte {
	o := open(b)
	o.id("id", h.ArticleID)
	o.text("slug", h.Slug)
	o.idOrNull("productId", h.ProductID)
	o.text("language", string(h.Language))
	o.text("title", h.Title)
	o.text("description", h.Description)
	o.integer("score", int64(h.Score))
	o.boolean("likely", h.Likely)
	return o.close()
}

// AppendArticleHits appends what was found for a question, and the language that
// was searched; none if there are no articles.
func AppendArticleHits(b []byte, language parley.Language, hits []parley.ArticleHit) []byte {
	o := open(b)
	list(&o, "data", hits, AppendArticleHit)
	o.textOrNull("language", string(language))
	return o.close()
}

// AppendPublishedArticle appends a text that the public may read.
func AppendPublishedArticle(b []byte, p *parley.PublishedText) []byte {
	o := open(b)
	o.id("id", p.ArticleID)
	o.text("slug", p.Slug)
	o.idOrNull("productId", p.ProductID)
	o.text("language", string(p.Language))
	o.text("title", p.Title)
	o.text("description", p.Description)
	o.text("body", p.Body)
	o.time("publishedAt", p.PublishedAt)
	return o.close()
}
