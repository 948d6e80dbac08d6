package publicapi

import (
	"context"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/knowledge"
	"parley/internal/wire"
)

func renderCategory(category parley.ArticleCategory) httpjson.Reply {
	return httpjson.OK(wire.AppendArticleCategory(nil, &category))
}

func (a *API) listArticleCategories(c *call) (httpjson.Reply, error) {
	part := c.part("article categories")
	return get(c, func(all []parley.ArticleCategory) []byte {
		return renderPart(c, part, all, wire.AppendArticleCategory)
	}, a.knowledge.Categories(c.ws))
}

func (a *API) createArticleCategory(c *call) (httpjson.Reply, error) {
	c.ReadBody()
	in := knowledge.NewCategory{
		ProductID: httpjson.ChangeOrNull(c.Reader, "productId", httpjson.ID).Value,
		Names:     httpjson.Required(c.Reader, "names", httpjson.NamesByLanguage),
		Position:  httpjson.Change(c.Reader, "position", httpjson.Count(parley.MaxCategoryPosition)),
	}
	return do(c, func(made parley.ArticleCategory) httpjson.Reply {
		return httpjson.Saved(true, wire.AppendArticleCategory(nil, &made))
	}, func(ctx context.Context, by desk.Caller) (parley.ArticleCategory, error) {
		return a.knowledge.CreateCategory(ctx, by, in)
	})
}

func (a *API) updateArticleCategory(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	in := knowledge.CategoryChange{
		Names:    httpjson.Change(c.Reader, "names", httpjson.NamesByLanguage),
		Position: httpjson.Change(c.Reader, "position", httpjson.Count(parley.MaxCategoryPosition)),
	}
	return do(c, renderCategory, func(ctx context.Context, by desk.Caller) (parley.ArticleCategory, error) {
		return a.knowledge.UpdateCategory(ctx, by, id, in)
	})
}

func (a *API) deleteArticleCategory(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return do(c, renderCategory, func(ctx context.Context, by desk.Caller) (parley.ArticleCategory, error) {
		return a.knowledge.DeleteCategory(ctx, by, id)
	})
}

func (a *API) listHelpCenters(c *call) (httpjson.Reply, error) {
	part := c.part("help centers")
	return get(c, func(all []parley.HelpCenter) []byte {
		return renderPart(c, part, all, wire.AppendHelpCenter)
	}, a.knowledge.HelpCenters(c.ws))
}

func (a *API) saveHelpCenter(c *call) (httpjson.Reply, error) {
	product := c.PathID("productId")
	c.ReadBody()
	in := knowledge.HelpCenterChange{
		Slug:      httpjson.Change(c.Reader, "slug", httpjson.Filled(parley.MaxHelpCenterSlug)),
		Title:     httpjson.Change(c.Reader, "title", httpjson.Filled(parley.MaxHelpCenterTitle)),
		Languages: httpjson.Change(c.Reader, "languages", httpjson.ListOf(1, parley.MaxArticleLanguages, httpjson.Language)),
		Enabled:   httpjson.Change(c.Reader, "enabled", httpjson.Bool),
		Color:     httpjson.Change(c.Reader, "color", httpjson.Text(7)),
	}
	return do(c, func(saved desk.Saved[parley.HelpCenter]) httpjson.Reply {
		return httpjson.Saved(saved.Created, wire.AppendHelpCenter(nil, &saved.Record))
	}, func(ctx context.Context, by desk.Caller) (desk.Saved[parley.HelpCenter], error) {
		return a.knowledge.SaveHelpCenter(ctx, by, product, in)
	})
}

func (a *API) deleteHelpCenter(c *call) (httpjson.Reply, error) {
	product := c.PathID("productId")
	return do(c, func(deleted parley.HelpCenter) httpjson.Reply {
		return httpjson.OK(wire.AppendHelpCenter(nil, &deleted))
	}, func(ctx context.Context, by desk.Caller) (parley.HelpCenter, error) {
		return a.knowledge.DeleteHelpCenter(ctx, by, product)
	})
}
