package dashboard

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"

	"parley"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

func widgetRoutes() []Route {
	const widget = base + "inboxes/{id}/widget"
	return []Route{
		{"getWidgetSettings", methodGet, widget, parley.Agent, false, (*Dashboard).getWidgetSettings},
		{"updateWidgetSettings", methodPatch, widget, parley.Admin, false, (*Dashboard).updateWidgetSettings},
		{"listContactDuplicates", methodGet, base + "contact-duplicates", parley.Agent, false, (*Dashboard).listDuplicates},
		{"dismissContactDuplicate", methodDelete, base + "contact-duplicates/{id}", parley.Agent, false, (*Dashboard).dismissDuplicate},
	}
}

func (d *Dashboard) getWidgetSettings(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return get(c, func(s parley.WidgetSettings) []byte { return wire.AppendWidgetSettings(nil, &s) },
		d.customers.WidgetSettings(c.ws(), id))
}

func (d *Dashboard) updateWidgetSettings(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	in := customers.WidgetChange{
		Origins:   httpjson.Change(c.Reader, "origins", httpjson.ListOf(0, parley.MaxOrigins, origin)),
		Identity:  httpjson.Change(c.Reader, "identity", httpjson.OneOf(parley.IdentityModes)),
		Title:     httpjson.Change(c.Reader, "title", httpjson.Filled(parley.MaxWidgetTitle)),
		Greeting:  httpjson.Change(c.Reader, "greeting", httpjson.Text(parley.MaxGreeting)),
		ReplyTime: httpjson.Change(c.Reader, "replyTime", httpjson.Text(parley.MaxReplyTime)),
		Color:     httpjson.Change(c.Reader, "color", color),
		Position:  httpjson.Change(c.Reader, "position", httpjson.OneOf(parley.WidgetPositions)),
		ShowTeam:  httpjson.Change(c.Reader, "showTeam", httpjson.Bool),

		Ask:         httpjson.Change(c.Reader, "ask", httpjson.OneOf(parley.AskTimes)),
		AskFields:   httpjson.Change(c.Reader, "askFields", httpjson.ListOf(0, len(parley.AskFields), httpjson.OneOf(parley.AskFields))),
		AskRequired: httpjson.Change(c.Reader, "askRequired", httpjson.Bool),

		ContinueAfter: httpjson.Change(c.Reader, "continueAfter", httpjson.Whole(0, parley.MaxContinueAfter)),
	}
	return do(c, func(s parley.WidgetSettings) httpjson.Reply {
		return httpjson.OK(wire.AppendWidgetSettings(nil, &s))
	}, func(ctx context.Context, by desk.Caller) (parley.WidgetSettings, error) {
		return d.customers.UpdateWidget(ctx, by, id, in)
	})
}

// originSchemes are the schemes of pages: those of the web, and those of
// frameworks for phone apps made of pages.
var originSchemes = []string{"https", "http", "capacitor", "ionic"}

// origin is the origin of a page (RFC 6454, section 6.2), in lower case. It
// becomes part of a policy that browsers read, so it must not contain anything
// else.
func origin(raw json.RawMessage) (string, error) {
	wrong := errors.New("be an origin such as https://shop.example")
	text, err := httpjson.Filled(parley.MaxName)(raw)
	if err != nil {
		return "", wrong
	}
	text = strings.ToLower(strings.TrimSuffix(text, "/"))
	u, err := url.Parse(text)
	if err != nil || !slices.Contains(originSchemes, u.Scheme) || u.Hostname() == "" || text != u.Scheme+"://"+u.Host {
		return "", wrong
	}
	if !parley.WellFormedHost(u.Host) {
		return "", wrong
	}
	return text, nil
}

// color is a colour of the form #1d4ed8, in lower case.
func color(raw json.RawMessage) (string, error) {
	text, err := httpjson.Text(len("#1d4ed8"))(raw)
	text = strings.ToLower(text)
	if err != nil || !parley.WellFormedColor(text) {
		return "", errors.New("be a colour such as #1d4ed8")
	}
	return text, nil
}

func (d *Dashboard) listDuplicates(c *call) (httpjson.Reply, error) {
	contact := c.QueryID("contactId")
	return get(c, func(pairs []parley.ContactDuplicate) []byte {
		return wire.AppendData(nil, pairs, wire.AppendDuplicate)
	}, d.merging.Duplicates(c.ws(), contact))
}

func (d *Dashboard) dismissDuplicate(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return do(c, func(pair parley.ContactDuplicate) httpjson.Reply {
		return httpjson.OK(wire.AppendDuplicate(nil, &pair))
	}, func(ctx context.Context, by desk.Caller) (parley.ContactDuplicate, error) {
		return d.merging.DismissDuplicate(ctx, by, id)
	})
}
