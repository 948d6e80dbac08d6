package numbers

import (
	"context"
	"errors"
	"fmt"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/wire"
)

// CapabilitiesOf returns the properties of connectors that the desk needs.
func CapabilitiesOf(connectors map[parley.Driver]chatapp.Connector) map[parley.Driver]desk.Capabilities {
	all := make(map[parley.Driver]desk.Capabilities, len(connectors))
	for driver, connector := range connectors {
		all[driver] = desk.Capabilities{Files: connector.Capabilities().Media}
	}
	return all
}

// Numbers returns numbers of the messaging application, oldest first.
func (s *Service) Numbers(ws parley.WorkspaceID, after parley.Position, limit int) desk.Read[parley.Page[parley.Number]] {
	return desk.View(s.desk, func(v *store.View) (parley.Page[parley.Number], error) { return v.Numbers(ws, after, limit) })
}

// Number returns a number.
func (s *Service) Number(ctx context.Context, ws parley.WorkspaceID, id parley.ID) (parley.Number, error) {
	return desk.View(s.desk, func(v *store.View) (parley.Number, error) { return v.Number(ws, id) }).Now(ctx)
}

// ConnectNumber adds a number with the inbox for its conversations, or connects
// a disconnected one. A number that needs pairing does not connect by this
// alone; see [Service.PairNumber]. An existing number with another driver is a
// Conflict.
func (s *Service) ConnectNumber(ctx context.Context, by desk.Caller, phone parley.Phone, driver parley.Driver) (desk.Saved[parley.Number], error) {
	if _, ok := s.connectors[driver]; !ok {
		return desk.Saved[parley.Number]{}, parley.InvalidField("driver", "be one that this server carries, such as sandbox")
	}
	defer s.wakeNumbers()
	return write(ctx, s, by, func(t *tx) (desk.Saved[parley.Number], error) {
		n, err := SelectNumberByPhone(t, t.WS, phone)
		if err == nil && n.Driver != driver {
			err = parley.FieldErrorf(parley.Conflict, "phone", "the workspace has this number already, with the driver %s", n.Driver)
		}
		if err == nil {
			n, err = t.enableNumber(n)
			return desk.Saved[parley.Number]{Record: n}, err
		}
		if parley.KindOf(err) != parley.NotFound {
			return desk.Saved[parley.Number]{}, err
		}
		n, err = t.createNumber(phone, driver)
		return desk.Saved[parley.Number]{Record: n, Created: true}, err
	})
}

func (t *tx) createNumber(phone parley.Phone, driver parley.Driver) (parley.Number, error) {
	inbox, err := t.CreateInbox(desk.NewInbox{Name: phone.Display(), Channel: parley.ChannelChatapp})
	if err != nil {
		return parley.Number{}, err
	}
	n := parley.Number{
		ID: t.IDs.New(t.Now), Phone: phone, Driver: driver, Status: parley.NumberConnected, Enabled: true, InboxID: inbox.ID,
		CreatedAt: t.Now, UpdatedAt: t.Now,
	}
	if !n.Paired() {
		n.Status = parley.NumberDisconnected
	}
	free, err := t.InsertNumber(t.WS, &n)
	if err == nil && !free {
		err = desk.ErrTwice("phone")
	}
	if err != nil {
		return n, err
	}
	t.Announce(parley.NumberCreated, parley.ID{}, nil, wire.AppendNumber(nil, &n))
	return n, nil
}

// DisconnectNumber disables a number. Its conversations stay, but nothing is
// sent until it is connected again. A pairing in progress ends.
func (s *Service) DisconnectNumber(ctx context.Context, by desk.Caller, id parley.ID) (parley.Number, error) {
	defer s.wakeNumbers()
	defer s.pairing.end(id)
	return write(ctx, s, by, func(t *tx) (parley.Number, error) {
		n, err := t.Number(t.WS, id)
		if err != nil {
			return n, err
		}
		if n.Status == parley.NumberPairing {
			if err := t.forgetPairing(&n); err != nil {
				return n, err
			}
		}
		return t.changeNumber(n, numberState{status: parley.NumberDisconnected}, enabled(&n, false)...)
	})
}

// ReconnectNumber enables a disconnected number. A number that is not connected
// retries at once, whatever it is waiting for.
func (s *Service) ReconnectNumber(ctx context.Context, by desk.Caller, id parley.ID) (parley.Number, error) {
	defer s.wakeNumbers()
	defer s.outbox.wakeUp()
	return write(ctx, s, by, func(t *tx) (parley.Number, error) {
		n, err := t.Number(t.WS, id)
		if err != nil {
			return n, err
		}
		if !n.Paired() {
			return n, parley.Errorf(parley.Conflict, "the number %s must be paired first", n.Phone.Display())
		}
		if n.Status != parley.NumberConnected {
			// A client may be waiting for the end of a ban, or for a newer
			// version.
			if err := t.breakLease(id); err != nil {
				return n, err
			}
		}
		return t.enableNumber(n)
	})
}

// enableNumber enables a number. A driver without connections is connected at
// once; other drivers report when they are.
func (t *tx) enableNumber(n parley.Number) (parley.Number, error) {
	changed := enabled(&n, true)
	s := stateOf(n)
	if n.Driver == parley.DriverSandbox {
		s = numberState{status: parley.NumberConnected}
	}
	return t.changeNumber(n, s, changed...)
}

// enabled sets whether a number should be connected, and returns the name of
// the field if that changes it.
func enabled(n *parley.Number, yes bool) (changed []string) {
	desk.Set(&changed, "enabled", &n.Enabled, parley.Some(yes))
	return changed
}

// LogOutNumber removes a number from the phone's linked devices. It must be
// paired again.
func (s *Service) LogOutNumber(ctx context.Context, by desk.Caller, id parley.ID) (parley.Number, error) {
	n, err := commit(ctx, s, by, func(t *tx) (parley.Number, error) {
		n, err := t.Number(t.WS, id)
		if err == nil && n.Status == parley.NumberPairing {
			err = t.breakLease(id) // so that the pairing ends
		}
		return n, err
	})
	if err != nil {
		return n, err
	}
	connector := s.connectors[n.Driver]
	linker, ok := connector.(chatapp.Linker)
	if !ok {
		return n, errNotLinked(n)
	}
	work, cancel := context.WithTimeout(context.WithoutCancel(ctx), networkTime)
	defer cancel()
	host := hostOf(by.Workspace, n)
	err = chatapp.ErrNotConnected
	if n.Device != "" && !s.held.has(id) {
		if err = s.otherHolder(work, by.Workspace, id); err == nil {
			err = remoteConnector{connector, s}.unpair(work, host)
		}
	}
	if errors.Is(err, chatapp.ErrNotConnected) { // no other process holds it
		err = linker.Unpair(work, host)
	}
	if err != nil {
		return n, networkError(s.clock.Now(), err)
	}
	defer s.wakeNumbers()
	return commit(work, s, desk.Caller{Workspace: by.Workspace, Actor: by.Origin().Actor, Client: by.Client}, func(t *tx) (parley.Number, error) {
		if err := t.UpdateNumberDevice(t.WS, id, ""); err != nil {
			return n, err
		}
		n, err := t.Number(t.WS, id)
		if err != nil {
			return n, err
		}
		return t.changeNumber(n, numberState{status: parley.NumberLoggedOut}, "paired")
	})
}

// otherHolder checks that another process holds the number; else the error is
// ErrNotConnected.
func (s *Service) otherHolder(ctx context.Context, ws parley.WorkspaceID, id parley.ID) error {
	lease, err := desk.View(s.desk, func(v *store.View) (NumberLease, error) { return SelectNumberLease(v, ws, id) }).Now(ctx)
	if err == nil && !leased(lease.Until, s.clock.Now(), numberLease) {
		err = chatapp.ErrNotConnected
	}
	return err
}

// errNotLinked is the error for a number whose driver has no pairing.
func errNotLinked(n parley.Number) error {
	return parley.Errorf(parley.Invalid, "a number of the driver %s is not paired", n.Driver)
}

// A numberState is the state of a number on the network.
type numberState struct {
	status            parley.NumberStatus
	until, restricted time.Time
	reason            string
}

func stateOf(n parley.Number) numberState {
	return numberState{status: n.Status, until: n.Until, restricted: n.RestrictedUntil, reason: n.Reason}
}

// changeNumber stores the state of a number, and the fields that the caller
// changed, given by name. Without a change it stores nothing.
func (t *tx) changeNumber(n parley.Number, s numberState, others ...string) (parley.Number, error) {
	var changed []string
	if n.Status != s.status {
		changed = append(changed, "status")
	}
	if !n.Until.Equal(s.until) {
		changed = append(changed, "until")
	}
	if !n.RestrictedUntil.Equal(s.restricted) {
		changed = append(changed, "restrictedUntil")
	}
	if n.Reason != s.reason {
		changed = append(changed, "reason")
	}
	if changed = append(changed, others...); len(changed) == 0 {
		return n, nil
	}
	n.Status, n.Until, n.RestrictedUntil, n.Reason, n.UpdatedAt = s.status, s.until, s.restricted, s.reason, t.Now
	if err := t.UpdateNumber(t.WS, &n); err != nil {
		return n, err
	}
	t.Announce(parley.NumberUpdated, parley.ID{}, changed, wire.AppendNumber(nil, &n))
	return n, nil
}

// host returns the connector for a number, which must be connected: its driver
// if this process holds the number or the driver needs no holder, else a
// connector that asks the holding process.
func (s *Service) host(ws parley.WorkspaceID, n parley.Number) (chatapp.Connector, chatapp.Host, error) {
	connector, ok := s.connectors[n.Driver]
	if ok && n.Status == parley.NumberBanned {
		return nil, chatapp.Host{}, networkError(s.clock.Now(), banOf(s.clock.Now(), n))
	}
	if !ok || n.Status != parley.NumberConnected {
		return nil, chatapp.Host{}, &parley.Error{
			Kind: parley.Conflict, Message: "the number " + n.Phone.Display() + " is not connected", Cause: chatapp.ErrNotConnected,
		}
	}
	if _, runs := connector.(chatapp.Runner); runs && s.held.get(n.ID) == nil {
		connector = remoteConnector{connector, s}
	}
	return connector, hostOf(ws, n), nil
}

// newChats is [Service.host] for operations that the network treats as spam
// from a restricted number: groups, members, invites.
func (s *Service) newChats(ws parley.WorkspaceID, n parley.Number) (chatapp.Connector, chatapp.Host, error) {
	if now := s.clock.Now(); now.Before(n.RestrictedUntil) {
		return nil, chatapp.Host{}, networkError(now, &chatapp.LimitError{Reason: chatapp.Restricted, Until: n.RestrictedUntil})
	}
	return s.host(ws, n)
}

// banOf returns the error for a banned number. If the end of the ban is
// unknown, callers may retry tomorrow.
func banOf(now time.Time, n parley.Number) error {
	until := n.Until
	if until.IsZero() {
		until = now.Add(24 * time.Hour)
	}
	return &chatapp.LimitError{Reason: chatapp.Banned, Until: until}
}

// networkError converts a network's error into one for the caller.
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
		return parley.FieldErrorf(parley.NotFound, "phone", "no such member in this group")
	case errors.Is(err, chatapp.ErrNoGroup):
		return parley.NotFoundf("the group does not exist any more in the messaging application")
	case errors.Is(err, chatapp.ErrNotConnected):
		return &parley.Error{Kind: parley.Conflict, Message: "the hosting number is not connected", Cause: err}
	case errors.Is(err, chatapp.ErrPaired):
		return parley.Errorf(parley.Conflict, "the number is paired already; log it out first")
	case errors.Is(err, chatapp.ErrOtherNetwork):
		return parley.Errorf(parley.Conflict, "%s", otherNetwork)
	case errors.Is(err, chatapp.ErrFull):
		return parley.FieldErrorf(parley.Conflict, "participants", "must fit into the group, which is full")
	case errors.Is(err, chatapp.ErrTimeout), errors.Is(err, context.DeadlineExceeded):
		return &parley.Error{Kind: parley.UpstreamTimeout, Message: "the messaging application did not answer in time; try again", Cause: err}
	}
	return &parley.Error{Kind: parley.BadUpstream, Message: "the messaging application answered with an error", Cause: fmt.Errorf("network: %w", err)}
}
