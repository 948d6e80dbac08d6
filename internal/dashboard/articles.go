package dashboard

import (
	"context"
	"strings"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/knowledge"
	"parley/internal/knowledge/answers"
	"parley/internal/knowledge/markdown"
	"parley/internal/surface"
	"parley/internal/wire"
)

// articleRoutes are what the pages for articles need besides the public API.
func articleRoutes() []Route {
	const articles = base + "articles/"
	return []Route{
		{"listArticleFigures", methodGet, articles + "figures", parley.Agent, false, listArticleFigures},
		{"previewArticle", methodPost, articles + "preview", parley.Agent, false, previewArticle},
		{"findArticles", methodGet, base + "conversations/{id}/articles", parley.Agent, false, findArticles},
		{"getArticleOrigin", methodGet, articles + "{id}/origin", parley.Agent, false, getArticleOrigin},
		{"setArticleOrigin", methodPut, articles + "{id}/origin", parley.Agent, false, setArticleOrigin},
		{"getPublishedArticle", methodGet, articles + "{id}/published/{language}", parley.Agent, false, getPublishedArticle},
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

// fewHits is how many articles a search returns if it does not say.
const fewHits = 3

func findArticles(d *Dashboard, c *call) (httpjson.Reply, error) {
	q := answers.ConversationQuery{
		ConversationID: c.PathID("id"),
		Text:           c.QueryText("q", parley.MaxArticleQuestion, true),
		Limit:          c.QueryInt("limit", fewHits, 1, parley.MaxArticleHits),
	}
	if text := c.QueryText("language", parley.MaxName, true); text != "" {
		q.Language = c.language("language", text)
	}
	asked, err := surface.Read(c.Call, d.answers.ForConversation(c.visibility(), q))
	if err == nil { // nobody waits for an index in a turn to read
		err = d.answers.Ready(c.Context(), c.ws(), asked.ProductID)
	}
	if err != nil {
		return httpjson.Reply{}, err
	}
	var drafted []parley.Article // beside the conversation, where nobody looks for words
	if strings.TrimSpace(q.Text) == "" {
		if drafted, err = surface.Read(c.Call, d.knowledge.Drafted(c.visibility(), q.ConversationID)); err != nil {
			return httpjson.Reply{}, err
		}
	}
	return get(c, func(found answers.Result) []byte {
		c.recordSearch(d.recorder, q.Text, asked, &found)
		return wire.AppendArticleHits(nil, found.Language, found.Hits, drafted)
	}, d.answers.Search(c.ws(), asked))
}

// recordSearch counts what a member looked for and did not find. The customer's
// own question, which is searched if the member gave no words, is not the member's.
func (c *call) recordSearch(in *knowledge.Recorder, words string, asked answers.Query, found *answers.Result) {
	if strings.TrimSpace(words) == "" || found.Language == "" {
		return
	}
	in.Asked(c.ws(), string(c.in.Member.ID), knowledge.Miss{
		ProductID: asked.ProductID, Language: found.Language, Words: found.Words, Question: words, Source: parley.GapAgent,
	}, found.Answered())
}

func getPublishedArticle(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := knowledge.TextID{ArticleID: c.PathID("id"), Language: c.language("language", c.PathText("language"))}
	return get(c, func(p parley.PublishedText) []byte {
		return wire.AppendPublishedArticle(nil, &p)
	}, d.knowledge.PublishedText(c.ws(), id))
}

func getArticleOrigin(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return get(c, func(conversation parley.ID) []byte {
		return wire.AppendArticleOrigin(nil, conversation)
	}, d.knowledge.Origin(c.visibility(), id))
}

func setArticleOrigin(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	conversation := httpjson.Required(c.Reader, "conversationId", httpjson.ID)
	return do(c, func(conversation parley.ID) httpjson.Reply {
		return httpjson.OK(wire.AppendArticleOrigin(nil, conversation))
	}, func(ctx context.Context, by desk.Caller) (parley.ID, error) {
		return d.knowledge.SetOrigin(ctx, by, id, conversation)
	})
}

// language reads the tag of a language.
func (c *call) language(name, text string) parley.Language {
	language, ok := parley.ParseLanguage(text)
	if !ok {
		c.Refuse(name, parley.LanguageRule)
	}
	return language
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
