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

// AppendArticleHits appends what was found for a conversation, the language that was
// searched (none if there are no articles), and the articles that were drafted from
// the conversation.
func AppendArticleHits(b []byte, language parley.Language, hits []parley.ArticleHit, drafted []parley.Article) []byte {
	o := open(b)
	list(&o, "data", hits, AppendArticleHit)
	o.textOrNull("language", string(language))
	list(&o, "drafted", drafted, appendDrafted)
	return o.close()
}

// appendDrafted appends an article by the first of its texts.
func appendDrafted(b []byte, a *parley.Article) []byte {
	var first parley.ArticleHead
	if len(a.Texts) > 0 {
		first = a.Texts[0]
	}
	o := open(b)
	o.id("id", a.ID)
	o.text("language", string(first.Language))
	o.text("title", first.Title)
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
