package dashboard

import (
	"context"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/knowledge"
	"parley/internal/wire"
)

// maxGaps is how many gaps are listed at most, and maxGapKey the most characters
// of a question's words.
const (
	maxGaps   = 500
	maxGapKey = 200
)

// gapRoutes are the operations that find out which articles to write: from
// questions without an answer, and from conversations.
func gapRoutes() []Route {
	const gaps = base + "knowledge-gaps"
	return []Route{
		{"listKnowledgeGaps", methodGet, gaps, parley.Agent, false, listKnowledgeGaps},
		{"draftArticleFromConversation", methodGet, base + "conversations/{id}/article-draft", parley.Agent, false, draftArticle},
		{"dismissKnowledgeGap", methodPost, gaps + "/dismiss", parley.Agent, false, dismissKnowledgeGap},
	}
}

func listKnowledgeGaps(d *Dashboard, c *call) (httpjson.Reply, error) {
	f := knowledge.GapFilter{Since: c.QueryTime("since"), Until: c.QueryTime("until"), ProductID: c.QueryIDOrNone("productId")}
	if f.Since.IsZero() {
		f.Since = time.Unix(0, 0)
	}
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	d.recorder.FlushWorkspace(c.Context(), c.ws())
	return get(c, func(gaps []parley.KnowledgeGap) []byte {
		return wire.AppendData(nil, gaps, wire.AppendKnowledgeGap)
	}, d.knowledge.Gaps(c.visibility(), f, maxGaps))
}

func dismissKnowledgeGap(d *Dashboard, c *call) (httpjson.Reply, error) {
	c.ReadBody()
	q := knowledge.Question{
		ProductID: httpjson.ChangeOrNull(c.Reader, "productId", httpjson.ID).Value,
		Language:  parley.Language(httpjson.Default(c.Reader, "language", httpjson.Text(parley.MaxName), "")),
		Words:     httpjson.Required(c.Reader, "words", httpjson.Text(maxGapKey)),
	}
	return do(c, func(gaps int) httpjson.Reply {
		return httpjson.OK(wire.AppendDismissed(nil, gaps))
	}, func(ctx context.Context, by desk.Caller) (int, error) {
		return d.knowledge.DismissGaps(ctx, by, q)
	})
}

func draftArticle(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return get(c, func(draft knowledge.Draft) []byte {
		return wire.AppendArticleDraft(nil, draft.Title, draft.Body, draft.ProductID)
	}, d.knowledge.DraftOf(c.visibility(), id))
}
