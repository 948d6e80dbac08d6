package widget

import (
	"context"
	"strings"

	"parley"
	"parley/internal/customers"
	"parley/internal/httpjson"
	"parley/internal/live"
	"parley/internal/wire"
)

// giveAddress stores what the visitor types about themselves, and tells the members.
func (a *API) giveAddress(c *call) (httpjson.Reply, error) {
	c.ReadBody()
	in := customers.Answer{
		Name:  httpjson.Default(c.Reader, "name", httpjson.Text(parley.MaxName), ""),
		Email: httpjson.Default(c.Reader, "email", httpjson.Email, ""),
	}
	in.Name = strings.TrimSpace(in.Name)
	return do(c, func(parley.ID) httpjson.Reply { return httpjson.OK([]byte("{}")) },
		func(ctx context.Context) (parley.ID, error) {
			contact, err := a.customers.Say(ctx, c.session, in)
			if err == nil {
				a.live.Signal(ctx, c.session.Workspace, live.Signal{Name: "visit", Data: wire.AppendVisited(nil, contact)})
			}
			return contact, err
		})
}

// putVisit stores what the website says about its visitor, and tells the members.
func (a *API) putVisit(c *call) (httpjson.Reply, error) {
	c.ReadBody()
	in := parley.Visit{
		Page:     httpjson.Required(c.Reader, "page", httpjson.Text(parley.MaxVisitAddress)),
		Title:    httpjson.Default(c.Reader, "title", httpjson.Text(parley.MaxVisitTitle), ""),
		Referrer: httpjson.Default(c.Reader, "referrer", httpjson.Text(parley.MaxVisitAddress), ""),
		Language: httpjson.Default(c.Reader, "language", httpjson.Text(parley.MaxVisitLanguage), ""),
		Zone:     httpjson.Default(c.Reader, "zone", httpjson.Text(parley.MaxVisitZone), ""),
		Facts:    httpjson.Default(c.Reader, "facts", httpjson.Facts, ""),
		Device:   c.Request().UserAgent(),
	}
	return do(c, func(parley.ID) httpjson.Reply { return httpjson.OK([]byte("{}")) },
		func(ctx context.Context) (parley.ID, error) {
			contact, err := a.visitors.PutVisit(ctx, c.session, in)
			if err == nil && !contact.IsZero() {
				a.live.Signal(ctx, c.session.Workspace, live.Signal{Name: "visit", Data: wire.AppendVisited(nil, contact)})
			}
			return contact, err
		})
}
