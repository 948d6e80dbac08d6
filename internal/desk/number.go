package desk

import (
	"context"
	"errors"
	"fmt"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/store"
	"parley/internal/wire"
)

// Numbers returns numbers of the messaging application, oldest first.
func (d *Desk) Numbers(ctx context.Context, ws parley.WorkspaceID, after parley.Position, limit int) (parley.Page[parley.Number], error) {
	return view(ctx, d, func(v *store.View) (parley.Page[parley.Number], error) { return v.Numbers(ws, after, limit) })
}

// ConnectNumber adds a number with the inbox of its conversations, or connects
// one that was disconnected.
func (d *Desk) ConnectNumber(ctx context.Context, by Caller, phone parley.Phone, driver parley.Driver) (Saved[parley.Number], error) {
	if _, ok := d.connectors[driver]; !ok {
		return Saved[parley.Number]{}, parley.InvalidField("driver", "be one that this server carries, such as sandbox")
	}
	return write(ctx, d, by, func(t *tx) (Saved[parley.Number], error) {
		n, err := t.NumberByPhone(t.ws, phone)
		if err == nil {
			n, err = t.setNumberStatus(n, parley.NumberConnected)
			return Saved[parley.Number]{Record: n}, err
		}
		if parley.KindOf(err) != parley.NotFound {
			return Saved[parley.Number]{}, err
		}
		n, err = t.createNumber(phone, driver)
		return Saved[parley.Number]{Record: n, Created: true}, err
	})
}

func (t *tx) createNumber(phone parley.Phone, driver parley.Driver) (parley.Number, error) {
	inbox, err := t.createInbox(NewInbox{Name: phone.Display(), Channel: parley.ChannelChatapp})
	if err != nil {
		return parley.Number{}, err
	}
	n := parley.Number{
		ID: t.ids.New(t.now), Phone: phone, Driver: driver, Status: parley.NumberConnected, InboxID: inbox.ID,
		CreatedAt: t.now, UpdatedAt: t.now,
	}
	free, err := t.InsertNumber(t.ws, &n)
	if err == nil && !free {
		err = errTwice("phone")
	}
	if err != nil {
		return n, err
	}
	t.emit(parley.NumberCreated, parley.ID{}, nil, wire.AppendNumber(nil, &n))
	return n, nil
}

// DisconnectNumber takes a number out of use. Its groups stay, but nothing
// goes out.
func (d *Desk) DisconnectNumber(ctx context.Context, by Caller, id parley.ID) (parley.Number, error) {
	return write(ctx, d, by, func(t *tx) (parley.Number, error) {
		n, err := t.Number(t.ws, id)
		if err != nil {
			return n, err
		}
		return t.setNumberStatus(n, parley.NumberDisconnected)
	})
}

func (t *tx) setNumberStatus(n parley.Number, status parley.NumberStatus) (parley.Number, error) {
	if n.Status == status {
		return n, nil
	}
	n.Status, n.UpdatedAt = status, t.now
	if err := t.UpdateNumber(t.ws, &n); err != nil {
		return n, err
	}
	t.emit(parley.NumberUpdated, parley.ID{}, []string{"status"}, wire.AppendNumber(nil, &n))
	return n, nil
}

// host returns the connector of a number, which must be connected.
func (d *Desk) host(ws parley.WorkspaceID, n parley.Number) (chatapp.Connector, chatapp.Host, error) {
	connector, ok := d.connectors[n.Driver]
	if !ok || n.Status != parley.NumberConnected {
		return nil, chatapp.Host{}, parley.Errorf(parley.Conflict, "the number %s is not connected", n.Phone.Display())
	}
	return connector, chatapp.Host{Workspace: ws, NumberID: n.ID, Phone: n.Phone}, nil
}

// networkError makes of a network's error one for the caller.
func networkError(now time.Time, err error) error {
	var limit *chatapp.LimitError
	switch {
	case err == nil, parley.KindOf(err) != parley.Internal:
		return err
	case errors.As(err, &limit):
		return &parley.Error{
			Kind: parley.Limited, Message: "the messaging application refuses for now: " + limit.Error(),
			RetryAfter: max(time.Second, limit.Until.Sub(now)), Cause: err,
		}
	case errors.Is(err, chatapp.ErrNobody):
		return parley.InvalidField("participants", "hold at least one number that is on the messaging application")
	case errors.Is(err, chatapp.ErrName):
		return parley.InvalidField("name", "be one that the messaging application takes")
	case errors.Is(err, chatapp.ErrNotAdmin):
		return parley.Errorf(parley.Forbidden, "the connected number is not an admin of the group")
	case errors.Is(err, chatapp.ErrNotMember):
		return parley.NotFoundf("phone: no such member in this group")
	case errors.Is(err, chatapp.ErrNoGroup):
		return parley.NotFoundf("the group does not exist any more in the messaging application")
	case errors.Is(err, chatapp.ErrNotConnected):
		return parley.Errorf(parley.Conflict, "the hosting number is not connected")
	case errors.Is(err, chatapp.ErrFull):
		return parley.Errorf(parley.Conflict, "the group is full")
	case errors.Is(err, chatapp.ErrTimeout), errors.Is(err, context.DeadlineExceeded):
		return &parley.Error{Kind: parley.UpstreamTimeout, Message: "the messaging application did not answer in time; try again", Cause: err}
	}
	return &parley.Error{Kind: parley.BadUpstream, Message: "the messaging application answered with an error", Cause: fmt.Errorf("network: %w", err)}
}
