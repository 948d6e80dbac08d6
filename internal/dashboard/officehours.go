package dashboard

import (
	"context"
	"encoding/json"
	"errors"

	"parley"
	"parley/internal/calendar"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

func officeHoursRoutes() []Route {
	const hours = base + "inboxes/{id}/office-hours"
	return []Route{
		{"getOfficeHours", methodGet, hours, parley.Agent, false, getOfficeHours},
		{"updateOfficeHours", methodPatch, hours, parley.Admin, false, updateOfficeHours},
	}
}

func getOfficeHours(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return get(c, func(h parley.OfficeHours) []byte { return wire.AppendOfficeHours(nil, &h) }, d.customers.OfficeHours(c.ws(), id))
}

func updateOfficeHours(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	in := customers.OfficeHoursChange{
		Zone:     httpjson.Change(c.Reader, "zone", zone),
		Hours:    httpjson.Change(c.Reader, "hours", httpjson.ListOf(0, parley.MaxOfficeHours, officeInterval)),
		Holidays: httpjson.Change(c.Reader, "holidays", httpjson.ListOf(0, parley.MaxHolidays, holiday)),
		Shown:    httpjson.Change(c.Reader, "shown", httpjson.Bool),
	}
	return do(c, func(h parley.OfficeHours) httpjson.Reply {
		return httpjson.OK(wire.AppendOfficeHours(nil, &h))
	}, func(ctx context.Context, by desk.Caller) (parley.OfficeHours, error) {
		return d.customers.UpdateOfficeHours(ctx, by, id, in)
	})
}

// zone is the name of a time zone.
func zone(raw json.RawMessage) (string, error) {
	name, err := httpjson.Text(parley.MaxZone)(raw)
	if err == nil {
		_, err = calendar.Zone(name)
	}
	if err != nil {
		return "", errors.New(customers.ZoneRule)
	}
	return name, nil
}

// officeInterval is a weekday and two times.
func officeInterval(raw json.RawMessage) (string, error) {
	text, _ := httpjson.Text(len("wednesday 09:00-17:00"))(raw)
	_, _, err := customers.ParseOfficeInterval(text)
	return text, err
}

// holiday is a date.
func holiday(raw json.RawMessage) (string, error) {
	text, _ := httpjson.Text(len("2026-12-25"))(raw)
	_, err := customers.ParseHoliday(text)
	return text, err
}
