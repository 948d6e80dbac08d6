package publicapi

import (
	"parley"
	"parley/internal/httpjson"
	"parley/internal/knowledge/answers"
	"parley/internal/wire"
)

// fewHits is how many articles a search returns if it does not say.
const fewHits = 3

// searchArticles is no method, because the API has as many as a type may have.
func searchArticles(a *API, c *call) (httpjson.Reply, error) {
	q := answers.Query{
		ProductID: c.QueryID("productId"),
		Limit:     c.QueryInt("limit", fewHits, 1, parley.MaxArticleHits),
		Text:      c.QueryText("q", parley.MaxArticleQuestion, true),
	}
	if text := c.QueryFilled("language", parley.MaxName); text != "" {
		q.Language = c.language("language", text)
	}
	if c.Err() == nil { // nobody waits for an index in a turn to read
		if err := a.answers.Ready(c.Context(), c.ws, q.ProductID); err != nil {
			return httpjson.Reply{}, err
		}
	}
	return get(c, func(found answers.Result) []byte {
		return wire.AppendData(nil, found.Hits, wire.AppendArticleHit)
	}, a.answers.Search(c.ws, q))
}
