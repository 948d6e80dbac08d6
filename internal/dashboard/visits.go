package dashboard

import (
	"parley"
	"parley/internal/httpjson"
	"parley/internal/visitors"
	"parley/internal/wire"
)

func visitRoutes() []Route {
	return []Route{{"getVisit", methodGet, base + "contacts/{id}/visit", parley.Agent, false, getVisit}}
}

// getVisit returns what a website says about a contact, and what the visitor typed.
func getVisit(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return get(c, func(k visitors.Known) []byte { return wire.AppendContactVisit(nil, &k.Visit, &k.Typed) }, d.work.Visitors.Known(c.ws(), id))
}
