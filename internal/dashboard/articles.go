package dashboard

import (
	"context"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/knowledge/markdown"
	"parley/internal/wire"
)

// articleRoutes are what the pages for articles need besides the public API.
func articleRoutes() []Route {
	const articles = base + "articles/"
	return []Route{
		{"listArticleFigures", methodGet, articles + "figures", parley.Agent, false, listArticleFigures},
		{"previewArticle", methodPost, articles + "preview", parley.Agent, false, previewArticle},
		{"addArticlePicture", methodPost, articles + "{id}/pictures", parley.Agent, false, addArticlePicture},
	}
}

func listArticleFigures(d *Dashboard, c *call) (httpjson.Reply, error) {
	limit := c.QueryInt("limit", parley.DefaultLimit, 1, parley.MaxLimit)
	list := httpjson.List{Workspace: c.ws(), Name: "article figures"}
	after := c.QueryCursor("cursor", list)
	return get(c, func(p parley.Page[parley.ArticleFigures]) []byte {
		return wire.AppendPage(nil, p.Items, p.HasMore, list.Cursor(p.Next), wire.AppendArticleFigures)
	}, d.knowledge.ArticleFigures(c.ws(), after, limit))
}

func previewArticle(_ *Dashboard, c *call) (httpjson.Reply, error) {
	c.ReadBody()
	body := httpjson.Required(c.Reader, "body", httpjson.ContentOrNothing(parley.MaxArticleBody))
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	return httpjson.OK(wire.AppendArticlePreview(nil, markdown.Render(body, "").HTML)), nil
}

// picturesAtOnce is how many pictures one session may upload at a time; each may
// take ten minutes.
const picturesAtOnce = 10

func addArticlePicture(d *Dashboard, c *call) (httpjson.Reply, error) {
	leave, err := d.arriving.Enter(c.in.Session.ID, picturesAtOnce)
	if err != nil {
		return httpjson.Reply{}, err
	}
	defer leave()
	id := c.PathID("id")
	file := c.ReadUpload(c.Writer)
	return do(c, func(p parley.ArticlePicture) httpjson.Reply {
		return httpjson.Saved(true, wire.AppendArticlePicture(nil, &p))
	}, func(ctx context.Context, by desk.Caller) (parley.ArticlePicture, error) {
		return d.knowledge.AddPicture(ctx, by, id, file.Content)
	})
}
