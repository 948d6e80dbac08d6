package dashboard

import (
	"parley"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

func visitRoutes() []Route {
	return []Route{{"getVisit", methodGet, base + "contacts/{id}/visit", parley.Agent, false, getVisit}}
}

// getVisit returns what a website says about a contact.
func getVisit(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return get(c, func(v parley.Visit) []byte { return wire.AppendContactVisit(nil, &v) }, d.work.Visitors.Visit(c.ws(), id))
}
