package publicapi

import (
	"context"
	"net/http"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/numbers"
	"parley/internal/surface"
	"parley/internal/wire"
)

// maxParticipants is the most numbers in one request; groups of the application
// are no larger.
const maxParticipants = 1024

func participants(c *call) []parley.Phone {
	return httpjson.Required(c.Reader, "participants", httpjson.ListOf(1, maxParticipants, httpjson.Phone))
}

// createGroup does not use the stored answers of other POSTs: its key never
// expires and returns the group, whatever the body says (contract, section 4).
func (a *API) createGroup(c *call) (httpjson.Reply, error) {
	c.ReadBody()
	in := numbers.NewGroup{
		Name:             httpjson.Required(c.Reader, "name", httpjson.Filled(parley.MaxName)),
		Participants:     participants(c),
		HostID:           httpjson.Default(c.Reader, "integrationId", httpjson.ID, parley.ID{}),
		From:             httpjson.Default(c.Reader, "from", httpjson.Phone, ""),
		SendInviteLink:   httpjson.Default(c.Reader, "sendInviteLink", httpjson.Bool, false),
		ShopName:         httpjson.Change(c.Reader, "shopName", httpjson.Text(parley.MaxName)),
		CustomAttributes: httpjson.Default(c.Reader, "customAttributes", httpjson.Attributes, ""),
		Message:          httpjson.Default(c.Reader, "message", httpjson.Content(parley.MaxContent), ""),
		Key:              c.IdempotencyKey(surface.MaxKey),
	}
	in.Fault = c.Err()
	if in.Fault != nil && (in.Key == "" || c.BodyErr() != nil) {
		return httpjson.Reply{}, in.Fault
	}
	made, err := a.numbers.CreateGroup(c.Context(), c.by(), in)
	if err != nil {
		return httpjson.Reply{}, err
	}
	reply := httpjson.Saved(made.Created, wire.AppendNewGroup(nil, &made.Record))
	if !made.Created {
		c.Writer.Header().Del("Preference-Applied") // this body was not requested
		reply.Header = http.Header{"Idempotent-Replayed": {"true"}}
	}
	return reply, nil
}

func (a *API) addGroupParticipants(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	phones := participants(c)
	sendLink := httpjson.Default(c.Reader, "sendInviteLink", httpjson.Bool, false)
	return do(c, func(o parley.GroupOutcome) httpjson.Reply {
		return httpjson.OK(wire.AppendParticipants(nil, &o))
	}, func(ctx context.Context, by desk.Caller) (parley.GroupOutcome, error) {
		return a.numbers.AddParticipants(ctx, by, id, phones, sendLink)
	})
}

func (a *API) setGroupAdmin(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	phone := httpjson.Required(c.Reader, "phone", httpjson.Phone)
	admin := httpjson.Required(c.Reader, "admin", httpjson.Bool)
	return do(c, func(g numbers.GroupAdmin) httpjson.Reply {
		return httpjson.OK(wire.AppendGroupAdmin(nil, g.JID, g.Phone, g.Admin))
	}, func(ctx context.Context, by desk.Caller) (numbers.GroupAdmin, error) {
		return a.numbers.SetGroupAdmin(ctx, by, id, phone, admin)
	})
}

func (a *API) listNumbers(c *call) (httpjson.Reply, error) {
	limit := c.limit("limit", parley.DefaultLimit)
	after := c.cursor("cursor", "numbers")
	return get(c, func(p parley.Page[parley.Number]) []byte {
		return wire.AppendPage(nil, p.Items, p.HasMore, c.nextCursor("numbers", p.Next), wire.AppendNumber)
	}, a.numbers.Numbers(c.ws, after, limit))
}
