package dashboard

import (
	"context"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

func welcomeRoutes() []Route {
	return []Route{
		{"getWelcome", methodGet, base + "welcome", parley.Admin, false, getWelcome},
		{"finishWelcome", methodPost, base + "welcome/finish", parley.Owner, false, finishWelcome},
	}
}

func getWelcome(d *Dashboard, c *call) (httpjson.Reply, error) {
	return get(c, func(w parley.Welcome) []byte { return wire.AppendWelcome(nil, &w) }, d.customers.Welcome(c.ws()))
}

func finishWelcome(d *Dashboard, c *call) (httpjson.Reply, error) {
	return do(c, func(w parley.Welcome) httpjson.Reply {
		return httpjson.OK(wire.AppendWelcome(nil, &w))
	}, func(ctx context.Context, by desk.Caller) (parley.Welcome, error) {
		return d.customers.FinishWelcome(ctx, by)
	})
}
