package main

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/access/credential"
	"parley/internal/audit/entry"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/expiry"
	"parley/internal/numbers"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/timer"
)

// A dated is a workspace in which something of each kind is past its time after a
// year.
type dated struct {
	t     *testing.T
	app   *app
	start time.Time
	home  access.Founding

	session, invitation, customer, call, number parley.ID
}

// spendKind names what the number spent; the purge does not look at it.
const spendKind = "sends"

func newDated(t *testing.T, a *app, start time.Time) *dated {
	t.Helper()
	x := &dated{t: t, app: a, start: start, call: a.ids.New(start)}
	var err error
	x.home, err = a.access.CreateWorkspace(t.Context(), "Acme", "owner@acme.example")
	x.must(err)
	by := desk.Caller{Workspace: x.home.Workspace.ID, Member: x.home.Owner.ID}
	in, _, err := a.access.StartSession(t.Context(), by, x.home.Owner.ID, "test browser")
	x.must(err)
	invited, err := a.access.Invite(t.Context(), by, access.Invitee{Email: "ann@acme.example", Role: parley.Agent})
	x.must(err)
	number, err := a.numbers.ConnectNumber(t.Context(), by, "4930555001", parley.DriverSandbox)
	x.must(err)
	inbox, err := a.desk.CreateInbox(t.Context(), by, desk.NewInbox{Name: "Site", Channel: parley.ChannelWeb})
	x.must(err)
	widget, err := a.customers.Widget(t.Context(), inbox.ID)
	x.must(err)
	customer, err := a.customers.StartCustomerSession(t.Context(), widget, customers.NewCustomerSession{})
	x.must(err)
	x.session, x.invitation, x.number, x.customer = in.Session.ID, invited.Invitation.ID, number.Record.ID, customer.Session.ID
	_, err = desk.Write(t.Context(), a.desk, by, func(tx *desk.Tx) (struct{}, error) {
		err := numbers.UpsertSpend(tx, tx.WS, x.number, spendKind, numbers.Spend{Slot: start, Count: 1})
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, numbers.InsertNumberCall(tx, tx.WS, &numbers.NumberCall{ID: x.call, NumberID: x.number, Request: "{}", CreatedAt: start})
	})
	x.must(err)
	return x
}

func (x *dated) must(err error) {
	x.t.Helper()
	if err != nil {
		x.t.Fatal(err)
	}
}

// purge purges through an app, and requires that all is there, or nothing.
func (x *dated) purge(a *app, when string, there bool) {
	x.t.Helper()
	timers := timer.New(a.desk, expiry.Kinds(a.desk, expiry.Retention{Events: parley.EventRetention, Audit: entry.Retention}))
	x.must(errors.Join(timers.Sweep(x.t.Context()), timers.RunDue(x.t.Context(), true), expiry.Unowned(x.t.Context(), a.desk)))
	ws := x.home.Workspace.ID
	x.must(a.store.View(x.t.Context(), func(v *store.View) error {
		for name, look := range map[string]func() error{
			"event": func() error {
				events, err := v.Events(ws, 0, 1)
				if err == nil && (len(events) == 0 || events[0].Seq != 1) {
					err = parley.NotFoundf("it is gone")
				}
				return err
			},
			"session":            func() error { _, err := credential.SelectSession(v, ws, x.session); return err },
			"invitation":         func() error { _, err := credential.SelectInvitation(v, ws, x.invitation); return err },
			"customer's session": func() error { _, err := customers.SelectCustomerSession(v, ws, x.customer, x.start); return err },
			"call":               func() error { _, err := numbers.SelectNumberCall(v, ws, x.call); return err },
			"spend": func() error {
				spends, err := numbers.SelectSpends(v, ws, x.number, spendKind, time.Time{})
				if err == nil && len(spends) == 0 {
					err = parley.NotFoundf("it is gone")
				}
				return err
			},
		} {
			err := look()
			if err != nil && parley.KindOf(err) != parley.NotFound {
				return err
			}
			if (err == nil) != there {
				x.t.Errorf("%s: the %s is there: %t, want %t", when, name, err == nil, there)
			}
		}
		return nil
	}))
}

// TestPurge purges the expired data of each service: at once when it has
// expired, and never by a clock that has jumped.
func TestPurge(t *testing.T) {
	each(t, func(t *testing.T, c *cli) {
		start := time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)
		var now atomic.Int64
		now.Store(start.UnixMilli())
		open := func() *app {
			h, err := c.open(t.Context(), appOptions{log: storetest.Quiet(), clock: func() time.Time { return time.UnixMilli(now.Load()).UTC() }})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = h.close() })
			return h
		}
		h := open()
		x := newDated(t, h, start)
		x.purge(h, "at the start", true)
		now.Store(start.AddDate(1, 0, 0).UnixMilli())
		x.purge(h, "after a jump of the clock", true)
		// A process that starts an hour after a change of that time trusts the clock.
		_, err := h.access.RenameWorkspace(t.Context(), desk.Caller{Workspace: x.home.Workspace.ID}, "Later")
		x.must(err)
		x.purge(open(), "at the next start", true)
		now.Store(start.AddDate(1, 0, 0).Add(61 * time.Minute).UnixMilli())
		x.purge(open(), "a year later", false)
	})
}
