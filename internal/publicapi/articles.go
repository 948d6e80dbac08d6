package publicapi

import (
	"context"
	"strconv"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/knowledge"
	"parley/internal/wire"
)

func renderArticle(a parley.Article) httpjson.Reply {
	return httpjson.OK(wire.AppendArticle(nil, &a))
}

func (a *API) listArticles(c *call) (httpjson.Reply, error) {
	limit := c.limit("limit", parley.DefaultLimit)
	filter := knowledge.ArticleFilter{
		ProductID:    c.QueryIDOrNone("productId"),
		CategoryID:   c.QueryIDOrNone("categoryId"),
		State:        httpjson.QueryOneOf(c.Reader, "state", parley.ArticleStates),
		UpdatedSince: c.QueryTime("updatedSince"),
	}
	if text := c.QueryFilled("language", parley.MaxName); text != "" {
		filter.Language = c.language("language", text)
	}
	list := articleList(&filter)
	after := c.cursor("cursor", list)
	return get(c, func(p parley.Page[parley.Article]) []byte {
		return wire.AppendPage(nil, p.Items, p.HasMore, c.nextCursor(list, p.Next), wire.AppendArticle)
	}, a.knowledge.Articles(c.ws, filter, after, limit))
}

// language parses the language of an input.
func (c *call) language(name, text string) parley.Language {
	language, ok := parley.ParseLanguage(text)
	if !ok {
		c.Refuse(name, parley.LanguageRule)
	}
	return language
}

func (a *API) createArticle(c *call) (httpjson.Reply, error) {
	c.ReadBody()
	content := contentFields(c)
	in := knowledge.NewArticle{
		ProductID:  httpjson.ChangeOrNull(c.Reader, "productId", httpjson.ID).Value,
		CategoryID: httpjson.ChangeOrNull(c.Reader, "categoryId", httpjson.ID).Value,
		Slug:       httpjson.Change(c.Reader, "slug", httpjson.Filled(parley.MaxArticleSlug)).Value,
		Language:   httpjson.Required(c.Reader, "language", httpjson.Language),
		ArticleContent: parley.ArticleContent{
			Title:       httpjson.Required(c.Reader, "title", httpjson.Filled(parley.MaxArticleTitle)),
			Description: content.Description.Value, Body: content.Body.Value, Keywords: content.Keywords.Value,
		},
	}
	return do(c, func(made parley.Article) httpjson.Reply {
		return httpjson.Saved(true, wire.AppendArticle(nil, &made))
	}, func(ctx context.Context, by desk.Caller) (parley.Article, error) {
		return a.knowledge.CreateArticle(ctx, by, in)
	})
}

// contentFields reads the fields of a text but for the title, which is required in a new
// article.
func contentFields(c *call) knowledge.TextChange {
	return knowledge.TextChange{
		Description: httpjson.Change(c.Reader, "description", httpjson.Text(parley.MaxArticleDescription)),
		Body:        httpjson.Change(c.Reader, "body", httpjson.Text(parley.MaxArticleBody)),
		Keywords:    httpjson.Change(c.Reader, "keywords", httpjson.ListOf(0, parley.MaxArticleKeywords, httpjson.Text(parley.MaxArticleKeyword))),
	}
}

func (a *API) getArticle(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return get(c, func(found parley.Article) []byte { return wire.AppendArticle(nil, &found) }, a.knowledge.Article(c.ws, id))
}

func (a *API) updateArticle(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	in := knowledge.ArticleChange{
		ProductID:  httpjson.ChangeOrNull(c.Reader, "productId", httpjson.ID),
		CategoryID: httpjson.ChangeOrNull(c.Reader, "categoryId", httpjson.ID),
		Slug:       httpjson.Change(c.Reader, "slug", httpjson.Filled(parley.MaxArticleSlug)),
		State:      httpjson.Change(c.Reader, "state", httpjson.OneOf(parley.ArticleStates)),
	}
	return do(c, renderArticle, func(ctx context.Context, by desk.Caller) (parley.Article, error) {
		return a.knowledge.UpdateArticle(ctx, by, id, in)
	})
}

func (a *API) deleteArticle(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return do(c, renderArticle, func(ctx context.Context, by desk.Caller) (parley.Article, error) {
		return a.knowledge.DeleteArticle(ctx, by, id)
	})
}

func (a *API) publishArticle(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadOptionalBody()
	languages := httpjson.Change(c.Reader, "languages", httpjson.ListOf(1, parley.MaxArticleLanguages, httpjson.Language)).Value
	return do(c, renderArticle, func(ctx context.Context, by desk.Caller) (parley.Article, error) {
		return a.knowledge.PublishArticle(ctx, by, id, languages)
	})
}

// textID reads the article and the language of a text from the path.
func (c *call) textID() knowledge.TextID {
	return knowledge.TextID{ArticleID: c.PathID("id"), Language: c.language("language", c.PathText("language"))}
}

func renderText(t parley.ArticleText) httpjson.Reply {
	return httpjson.OK(wire.AppendArticleText(nil, &t))
}

func (a *API) getArticleText(c *call) (httpjson.Reply, error) {
	id := c.textID()
	return get(c, func(t parley.ArticleText) []byte { return wire.AppendArticleText(nil, &t) }, a.knowledge.ArticleText(c.ws, id))
}

func (a *API) saveArticleText(c *call) (httpjson.Reply, error) {
	id := c.textID()
	c.ReadBody()
	in := contentFields(c)
	in.Title = httpjson.Change(c.Reader, "title", httpjson.Filled(parley.MaxArticleTitle))
	in.Version = httpjson.Change(c.Reader, "version", httpjson.Version)
	return do(c, renderText, func(ctx context.Context, by desk.Caller) (parley.ArticleText, error) {
		return a.knowledge.SaveText(ctx, by, id, in)
	})
}

func (a *API) deleteArticleText(c *call) (httpjson.Reply, error) {
	id := c.textID()
	return do(c, renderArticle, func(ctx context.Context, by desk.Caller) (parley.Article, error) {
		return a.knowledge.DeleteText(ctx, by, id)
	})
}

func (a *API) listArticleVersions(c *call) (httpjson.Reply, error) {
	limit := c.limit("limit", parley.DefaultLimit)
	id := c.textID()
	list := "versions of " + id.ArticleID.String() + " " + string(id.Language)
	before := c.cursor("cursor", list)
	reader := c.credential.Reader(c.visibility())
	return get(c, func(p parley.Page[parley.ArticleVersion]) []byte {
		for i := range p.Items {
			p.Items[i].Author = reader.ShowActor(p.Items[i].Author)
		}
		return wire.AppendPage(nil, p.Items, p.HasMore, c.nextCursor(list, p.Next), wire.AppendArticleVersion)
	}, a.knowledge.ArticleVersions(c.ws, id, before, limit))
}

func (a *API) restoreArticleVersion(c *call) (httpjson.Reply, error) {
	id := c.textID()
	version, err := strconv.ParseInt(c.PathText("version"), 10, 64)
	if err != nil || version < 1 || version > httpjson.MaxVersion {
		c.Refuse("version", "be an integer of 1 or more")
	}
	c.ReadOptionalBody()
	return do(c, renderText, func(ctx context.Context, by desk.Caller) (parley.ArticleText, error) {
		return a.knowledge.RestoreVersion(ctx, by, id, version)
	})
}
