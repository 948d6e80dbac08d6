package dashboard

import (
	"context"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

func contactRoutes() []Route {
	const agent = parley.Agent
	return []Route{
		{"searchContacts", methodGet, base + "contacts", agent, false, (*Dashboard).searchContacts},
		{"mergeContacts", methodPost, base + "contacts/{id}/merge", agent, false, (*Dashboard).mergeContacts},
		{"signOutContact", methodPost, base + "contacts/{id}/sign-out", agent, false, (*Dashboard).signOutContact},
		{"listWays", methodGet, base + "contacts/{id}/ways", agent, false, (*Dashboard).listWays},
		{"listCompanyMoves", methodGet, base + "contacts/{id}/company-moves", agent, false, (*Dashboard).listCompanyMoves},
	}
}

// contact renders a contact like the public API, with storeId until the sunset.
func (d *Dashboard) contact(b []byte, c *parley.Contact) []byte {
	return wire.AppendContact(b, c, d.clock.Now().Before(d.sunset))
}

func (d *Dashboard) searchContacts(c *call) (httpjson.Reply, error) {
	limit := c.QueryInt("limit", parley.DefaultLimit, 1, parley.MaxLimit)
	search := c.QueryText("search", parley.MaxName, true)
	list := httpjson.List{Workspace: c.ws(), Name: "contacts of the dashboard " + search}
	after := c.QueryCursor("cursor", list)
	found := d.desk.Contacts(c.ws(), desk.ContactFilter{}, after, limit)
	if search != "" {
		found = d.searcher.SearchContacts(c.visibility(), search, after, limit)
	}
	return get(c, func(p parley.Page[parley.Contact]) []byte {
		return wire.AppendPage(nil, p.Items, p.HasMore, list.Cursor(p.Next), d.contact)
	}, found)
}

func (d *Dashboard) mergeContacts(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	into := httpjson.Required(c.Reader, "intoId", httpjson.ID)
	return do(c, func(contact parley.Contact) httpjson.Reply {
		return httpjson.OK(d.contact(nil, &contact))
	}, func(ctx context.Context, by desk.Caller) (parley.Contact, error) {
		return d.merging.MergeContacts(ctx, by, id, into)
	})
}

func (d *Dashboard) signOutContact(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return do(c, func(ended int) httpjson.Reply { return httpjson.OK(wire.AppendEnded(nil, ended)) },
		func(ctx context.Context, by desk.Caller) (int, error) {
			return d.customers.SignOutCustomer(ctx, by, id)
		})
}

func (d *Dashboard) listCompanyMoves(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return get(c, func(moves []parley.CompanyMove) []byte {
		return wire.AppendData(nil, moves, wire.AppendCompanyMove)
	}, d.customers.CompanyMoves(c.ws(), id))
}

func (d *Dashboard) listWays(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return get(c, func(ways []parley.Way) []byte {
		return wire.AppendData(nil, ways, wire.AppendWay)
	}, d.desk.Ways(c.ws(), id))
}
