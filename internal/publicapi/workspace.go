package publicapi

import (
	"strconv"

	"parley"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

func (a *API) listProducts(c *call) (httpjson.Reply, error) {
	limit := c.limit("limit", parley.DefaultLimit)
	archived := c.QueryBool("include_archived")
	list := "products " + strconv.FormatBool(archived)
	after := c.cursor("cursor", list)
	return get(c, func(p parley.Page[parley.Product]) []byte {
		return wire.AppendPage(nil, p.Items, p.HasMore, c.nextCursor(list, p.Next), wire.AppendProduct)
	}, a.desk.Products(c.ws, archived, after, limit))
}

func (a *API) getProduct(c *call) (httpjson.Reply, error) {
	id, err := c.PathIDOrNotFound("id", "product")
	if err != nil {
		return httpjson.Reply{}, err
	}
	return get(c, func(p parley.Product) []byte { return wire.AppendProduct(nil, &p) },
		a.desk.Product(c.ws, id))
}

func (a *API) listInboxes(c *call) (httpjson.Reply, error) {
	limit := c.limit("limit", parley.DefaultLimit)
	after := c.cursor("cursor", "inboxes")
	return get(c, func(p parley.Page[parley.Inbox]) []byte {
		return wire.AppendPage(nil, p.Items, p.HasMore, c.nextCursor("inboxes", p.Next), wire.AppendInbox)
	}, a.desk.Inboxes(c.ws, after, limit))
}

func (a *API) listMembers(c *call) (httpjson.Reply, error) {
	limit := c.limit("limit", parley.DefaultLimit)
	after := c.cursor("cursor", "members")
	return get(c, func(p parley.Page[parley.Member]) []byte {
		return wire.AppendPage(nil, p.Items, p.HasMore, c.nextCursor("members", p.Next), wire.AppendMember)
	}, a.desk.Members(c.ws, after, limit))
}

func listTeams(a *API, c *call) (httpjson.Reply, error) {
	part := c.part("teams")
	return get(c, func(all []parley.Team) []byte { return renderPart(c, part, all, wire.AppendTeam) }, a.teams.Teams(c.ws))
}

func (a *API) openapiJSON(c *call) (httpjson.Reply, error) {
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	text, err := a.document.JSON()
	return httpjson.Document(c.Request(), text, err)
}

func (a *API) openapiYAML(c *call) (httpjson.Reply, error) {
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	text, err := a.document.YAML()
	return httpjson.DocumentYAML(c.Request(), text, err)
}
