package publicapi

import (
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/live"
	"parley/internal/wire"
)

// listEvents returns a page of the event log, or the log as a stream if the
// caller accepts text/event-stream. The cursor of the page is a position of the
// log, unlike other cursors of this API, so that a stream can begin at it.
func (a *API) listEvents(c *call) (httpjson.Reply, error) {
	if httpjson.WantsStream(c.Request()) {
		return a.streamEvents(c)
	}
	limit := c.limit("limit", parley.DefaultLimit)
	after := httpjson.QueryPosition(c.Reader, "after")
	types, err := c.eventTypes()
	if err != nil {
		return httpjson.Reply{}, err
	}
	return get(c, func(p parley.EventPage) []byte {
		shown := Events{Clock: a.clock, Sunset: a.sunset, Files: a.desk.Attachments().FileSigner}
		reader := c.credential.Reader(c.visibility())
		for i := range p.Events {
			p.Events[i] = reader.Show(p.Events[i])
			p.Events[i].Data = shown.data(&p.Events[i])
		}
		return wire.AppendEventPage(nil, &p, p.Next.String())
	}, a.desk.EventsOfTypes(c.ws, desk.EventQuery{After: after, Types: types, Limit: limit, Since: c.visibility().Since()}))
}

// eventTypes returns the requested types of events, nil for all. Requesting
// types that the key may not read is Forbidden, whatever else is wrong.
func (c *call) eventTypes() ([]parley.EventType, error) {
	types := httpjson.QueryList(c.Reader, "types", parley.EventTypes)
	reader := c.credential.Reader(c.visibility())
	for _, t := range types {
		if scope := t.Scope(); !reader.Holds(scope) {
			return nil, parley.FieldErrorf(parley.Forbidden, "types", "the API key lacks a scope; %s needs %s", t, scope)
		}
	}
	return types, nil
}

func (a *API) streamEvents(c *call) (httpjson.Reply, error) {
	types, err := c.eventTypes()
	if err != nil {
		return httpjson.Reply{}, err
	}
	sub := live.Subscription{
		Visibility: c.visibility(), Credential: c.credential, Until: c.until, After: httpjson.StreamPosition(c.Reader), Types: types,
	}
	if c.member == "" {
		sub.Address = a.clients.Address(c.Request())
	}
	return c.Stream(sub)
}

// Events renders events as the API shows them at present: contacts with storeId
// until the sunset (contract, section 9), and files with addresses that are
// valid for a limited time.
type Events struct {
	Clock  parley.Clock
	Sunset time.Time // of the stores routes
	Files  func(parley.WorkspaceID) wire.Signer
}

// Append appends the JSON of an event.
func (v Events) Append(b []byte, e *parley.Event) []byte {
	shown := *e
	shown.Data = v.data(e)
	return wire.AppendEvent(b, &shown)
}

func (v Events) data(e *parley.Event) []byte {
	switch e.Type {
	case parley.ContactCreated, parley.ContactUpdated:
		if v.Clock.Now().Before(v.Sunset) {
			return wire.WithStoreID(e.Data)
		}
	case parley.MessageCreated, parley.MessageUpdated, parley.ScheduledMessageCreated, parley.ScheduledMessageUpdated:
		return wire.SignFiles(e.Data, v.Files(e.Workspace))
	}
	return e.Data
}
