package widget

import (
	"cmp"
	"context"

	"parley"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/live"
	"parley/internal/wire"
)

// streamEvents turns the request into a stream of the customer's events and
// signals.
func (a *API) streamEvents(c *call) (httpjson.Reply, error) {
	s := c.session
	return c.Stream(live.Subscription{
		Visibility: s.Visibility(), Until: s.ExpiresAt,
		Credential: parley.Credential{Kind: parley.CredentialCustomer, ID: s.ID, Contact: s.ContactID},
		After:      httpjson.StreamPosition(c.Reader),
		Address:    cmp.Or(a.clients.Address(c.Request()), "unknown"),
		Known:      s.Signed(),
	})
}

// A View selects and renders the events that customers may see. It implements
// live.View.
type View struct {
	Desk      *desk.Desk
	Customers *customers.Service
}

// Show returns what customers see of some events. Private messages are left
// out.
func (v View) Show(ctx context.Context, ws parley.WorkspaceID, events []parley.Event) ([]live.CustomerEvent, error) {
	told, err := v.Customers.CustomerEvents(ctx, ws, events)
	if err != nil {
		return nil, err
	}
	sign := v.Desk.Attachments().FileSigner(ws)
	shown := make([]live.CustomerEvent, 0, len(told))
	for i := range told {
		one := live.CustomerEvent{Seq: told[i].Event.Seq, Audience: told[i].Audience, Reset: told[i].Reset}
		switch kind := told[i].Event.Type; kind {
		case parley.MessageCreated, parley.MessageUpdated:
			data, seen := wire.AppendCustomerMessageOf(nil, told[i].Event.Data, told[i].Audience.ConversationID)
			if !seen {
				continue
			}
			one.Name, one.Data = string(kind), wire.SignFiles(data, sign)
		case parley.ConversationCreated, parley.ConversationUpdated:
			// A customer's client treats a new conversation like a changed one.
			one.Name = string(parley.ConversationUpdated)
			one.Data = wire.SignFiles(wire.AppendCustomerConversation(nil, &told[i].Conversation), sign)
		}
		shown = append(shown, one)
	}
	return shown, nil
}
