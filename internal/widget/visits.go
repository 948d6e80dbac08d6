package widget

import (
	"context"
	"encoding/json"
	"errors"

	"parley"
	"parley/internal/httpjson"
	"parley/internal/live"
	"parley/internal/wire"
)

// putVisit stores what the website says about its visitor, and tells the members.
func (a *API) putVisit(c *call) (httpjson.Reply, error) {
	c.ReadBody()
	in := parley.Visit{
		Page:     httpjson.Required(c.Reader, "page", httpjson.Text(parley.MaxVisitAddress)),
		Title:    httpjson.Default(c.Reader, "title", httpjson.Text(parley.MaxVisitTitle), ""),
		Referrer: httpjson.Default(c.Reader, "referrer", httpjson.Text(parley.MaxVisitAddress), ""),
		Language: httpjson.Default(c.Reader, "language", httpjson.Text(parley.MaxVisitLanguage), ""),
		Zone:     httpjson.Default(c.Reader, "zone", httpjson.Text(parley.MaxVisitZone), ""),
		Facts:    httpjson.Default(c.Reader, "facts", facts, ""),
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

// facts is the rule for what a website says about its visitor.
func facts(raw json.RawMessage) (parley.Attributes, error) {
	const rule = "be an object of at most 20 texts, numbers, true and false, which take at most 4096 bytes"
	if len(raw) > parley.MaxVisitBytes {
		return "", errors.New(rule)
	}
	if _, err := httpjson.Attributes(raw); err != nil {
		return "", errors.New(rule)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil || len(members) > parley.MaxVisitFacts {
		return "", errors.New(rule)
	}
	for _, value := range members {
		if value[0] == '{' || value[0] == '[' {
			return "", errors.New(rule)
		}
	}
	return parley.Attributes("").Merge(parley.Attributes(raw))
}
