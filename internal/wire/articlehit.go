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
