package dashboard

import (
	"strconv"

	"parley"
	"parley/internal/httpjson"
	"parley/internal/search"
	"parley/internal/wire"
)

func searchRoutes() []Route {
	return []Route{{"search", methodGet, base + "search", parley.Agent, false, (*Dashboard).search}}
}

func (d *Dashboard) search(c *call) (httpjson.Reply, error) {
	text := c.QueryText("q", parley.MaxSearchQuery, true)
	if text == "" && c.Err() == nil {
		c.Refuse("q", "be 1 to "+strconv.Itoa(parley.MaxSearchQuery)+" characters")
	}
	in := search.Search{
		By: c.by().Member, Text: text, ConversationID: c.QueryID("conversationId"),
		Kind:  httpjson.QueryOneOf(c.Reader, "kind", parley.SearchKinds),
		Limit: c.QueryInt("limit", parley.DefaultLimit, 1, parley.MaxLimit),
	}
	list := httpjson.List{Workspace: c.ws(), Name: "search " + string(in.Kind) + " " + in.ConversationID.String() + " " + text}
	in.After = c.QueryCursor("cursor", list)
	return get(c, func(p parley.Page[parley.SearchHit]) []byte {
		return wire.AppendPage(nil, p.Items, p.HasMore, list.Cursor(p.Next), wire.AppendSearchHit)
	}, d.searcher.Search(c.visibility(), in))
}
