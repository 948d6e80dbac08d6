package wire

import (
	"maps"
	"slices"

	"parley"
)

// AppendArticle appends an article with the heads of its texts: without bodies
// and keywords, so that lists and events stay small.
func AppendArticle(b []byte, a *parley.Article) []byte {
	o := open(b)
	o.id("id", a.ID)
	o.text("slug", a.Slug)
	o.idOrNull("productId", a.ProductID)
	o.idOrNull("categoryId", a.CategoryID)
	o.text("state", string(a.State))
	list(&o, "texts", a.Texts, appendArticleHead)
	o.time("createdAt", a.CreatedAt)
	o.time("updatedAt", a.UpdatedAt)
	o.timeOrNull("publishedAt", a.PublishedAt)
	return o.close()
}

func appendArticleHead(b []byte, t *parley.ArticleHead) []byte {
	o := open(b)
	articleHead(&o, t)
	return o.close()
}

func articleHead(o *object, t *parley.ArticleHead) {
	o.text("language", string(t.Language))
	o.text("title", t.Title)
	o.text("description", t.Description)
	o.integer("version", t.Version)
	o.integerOrNull("publishedVersion", t.PublishedVersion)
	o.time("updatedAt", t.UpdatedAt)
	o.timeOrNull("publishedAt", t.PublishedAt)
}

// AppendArticleText appends the working text of an article in a language.
func AppendArticleText(b []byte, t *parley.ArticleText) []byte {
	o := open(b)
	o.id("articleId", t.ArticleID)
	articleHead(&o, &t.ArticleHead)
	texts(&o, "keywords", t.Keywords)
	o.text("body", t.Body)
	return o.close()
}

// AppendArticleVersion appends a version of an article's text.
func AppendArticleVersion(b []byte, v *parley.ArticleVersion) []byte {
	o := open(b)
	o.id("articleId", v.ArticleID)
	o.text("language", string(v.Language))
	o.integer("version", v.Version)
	o.text("title", v.Title)
	o.text("description", v.Description)
	texts(&o, "keywords", v.Keywords)
	o.text("body", v.Body)
	actor(&o, "author", v.Author)
	o.time("createdAt", v.CreatedAt)
	o.timeOrNull("publishedAt", v.PublishedAt)
	return o.close()
}

// AppendArticleCategory appends a category of articles.
func AppendArticleCategory(b []byte, c *parley.ArticleCategory) []byte {
	o := open(b)
	o.id("id", c.ID)
	o.idOrNull("productId", c.ProductID)
	names := o.object("names")
	for _, language := range slices.Sorted(maps.Keys(c.Names)) {
		names.text(string(language), c.Names[language])
	}
	o.put(names)
	o.integer("position", int64(c.Position))
	o.time("createdAt", c.CreatedAt)
	o.time("updatedAt", c.UpdatedAt)
	return o.close()
}

// AppendHelpCenter appends the help center of a product.
func AppendHelpCenter(b []byte, h *parley.HelpCenter) []byte {
	o := open(b)
	o.id("productId", h.ProductID)
	o.text("slug", h.Slug)
	o.text("title", h.Title)
	texts(&o, "languages", h.Languages)
	o.boolean("enabled", h.Enabled)
	o.text("color", h.Color)
	o.time("createdAt", h.CreatedAt)
	o.time("updatedAt", h.UpdatedAt)
	return o.close()
}

// AppendProductID appends the data of the event of a deleted help center.
func AppendProductID(b []byte, product parley.ID) []byte {
	o := open(b)
	o.id("productId", product)
	return o.close()
}

// AppendArticlePicture appends a picture of an article with the path where
// everybody can read it.
func AppendArticlePicture(b []byte, p *parley.ArticlePicture) []byte {
	o := open(b)
	o.id("id", p.ID)
	o.id("articleId", p.ArticleID)
	o.text("path", PicturePath+p.ID.String())
	o.text("contentType", p.ContentType)
	o.integer("size", p.Size)
	o.integer("width", int64(p.Width))
	o.integer("height", int64(p.Height))
	o.time("createdAt", p.CreatedAt)
	return o.close()
}

// PicturePath is the path of pictures in articles. The id of one follows.
const PicturePath = "/help/pictures/"

// AppendArticleFigures appends the figures of an article.
func AppendArticleFigures(b []byte, f *parley.ArticleFigures) []byte {
	o := open(b)
	o.id("articleId", f.ArticleID)
	actor(&o, "updatedBy", f.UpdatedBy)
	o.integer("shown", f.Shown)
	o.integer("helped", f.Helped)
	o.integer("notHelped", f.NotHelped)
	return o.close()
}

// AppendArticleDraft appends what a conversation proposes for an article.
func AppendArticleDraft(b []byte, title, body string, product parley.ID) []byte {
	o := open(b)
	o.text("title", title)
	o.text("body", body)
	o.idOrNull("productId", product)
	return o.close()
}

// AppendArticleOrigin appends the conversation from which an article was drafted;
// zero is null.
func AppendArticleOrigin(b []byte, conversation parley.ID) []byte {
	o := open(b)
	o.idOrNull("conversationId", conversation)
	return o.close()
}

// AppendKnowledgeGap appends a question that no article answers.
func AppendKnowledgeGap(b []byte, g *parley.KnowledgeGap) []byte {
	o := open(b)
	o.time("week", g.Week)
	o.idOrNull("productId", g.ProductID)
	o.text("language", string(g.Language))
	o.text("source", string(g.Source))
	o.text("words", g.Words)
	o.text("sample", g.Sample)
	o.integer("questions", g.Count)
	o.time("lastAt", g.LastAt)
	return o.close()
}

// AppendDismissed appends how many gaps were deleted.
func AppendDismissed(b []byte, gaps int) []byte {
	o := open(b)
	o.integer("dismissed", int64(gaps))
	return o.close()
}

// AppendArticlePreview appends the HTML of a rendered body.
func AppendArticlePreview(b []byte, html string) []byte {
	o := open(b)
	o.text("html", html)
	return o.close()
}
