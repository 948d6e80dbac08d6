package numbers_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatapptest"
	"parley/internal/numbers"
)

// TestNumberOfAnotherNetwork makes a node find a number that it must not open:
// it reports that once, keeps the device, and connects it when it may.
func TestNumberOfAnotherNetwork(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		w.state(chatapp.State{Status: parley.NumberConnected, RestrictedUntil: w.now().Add(time.Hour)})
		a.GiveNumbersBack(t.Context())
		var log bytes.Buffer
		w.log = slog.New(slog.NewTextHandler(&log, nil))
		b := w.node("b", w.now)
		other := chatapptest.Fail(fmt.Errorf("the device: %w", chatapp.ErrOtherNetwork))
		for range 3 {
			b.driver.Before(chatapptest.Open, other)
		}
		b.driver.Before(chatapptest.Unpair, other)
		w.tend(b)
		first := w.get(b)
		want := "it was paired on another network (a fake one, or the real one)"
		if first.Status != parley.NumberDisconnected || first.Reason != want || !first.Paired() || first.RestrictedUntil.IsZero() {
			t.Errorf("the number is %+v", first)
		}
		for range 2 {
			w.advance(5 * time.Second)
			w.tend(b)
		}
		if got := w.get(b); got.UpdatedAt != first.UpdatedAt {
			t.Errorf("every try writes: %+v", got)
		}
		_, err := b.LogOutNumber(t.Context(), w.by(), w.number)
		if parley.KindOf(err) != parley.Conflict || !strings.Contains(err.Error(), want) {
			t.Errorf("logging it out: %v", err)
		}
		if got := w.get(b); !got.Paired() || got.Status != parley.NumberDisconnected {
			t.Errorf("the number is %+v", got)
		}
		if log.Len() != 0 {
			t.Errorf("the log has %s", log.String())
		}
		w.advance(5 * time.Second)
		w.tend(b) // the faults are used up: it is the right network
		w.wantStatus(b, parley.NumberConnected)
	})
}

// TestAbandonedPairingOfAnotherNetwork lets a server die between the pairing of
// a phone and its end. A server on another network keeps the device.
func TestAbandonedPairingOfAnotherNetwork(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		saved, err := a.ConnectNumber(t.Context(), w.by(), host, parley.DriverWhatsApp)
		w.must(err)
		w.number = saved.Record.ID
		_, err = a.PairNumber(t.Context(), w.by(), w.number, chatapp.PairByQR)
		w.must(err)
		w.until("a code", func() bool { return w.pairing(a).Kind == "qr_code" })
		w.must(a.store.SetNumberDevice(t.Context(), w.ws, w.number, "of another network"))
		b := w.node("b", func() time.Time { return w.now().Add(time.Minute) })
		b.driver.Before(chatapptest.Unpair, chatapptest.Fail(chatapp.ErrOtherNetwork))
		w.tend(b)
		b.GiveNumbersBack(context.WithoutCancel(t.Context())) // waits for background work
		if got := w.get(b); !got.Paired() {
			t.Errorf("the device was forgotten: %+v", got)
		}
	})
}

// TestPairingThatFails shows what people can act on, but nothing about the
// operator's network.
func TestPairingThatFails(t *testing.T) {
	each(t, func(t *testing.T, w *world, _ *node) {
		b := w.nodeOf("b", w.now, func(d *chatapptest.Driver) chatapp.Connector { return unpairable{d} })
		saved, err := b.ConnectNumber(t.Context(), w.by(), host, parley.DriverWhatsApp)
		w.must(err)
		w.number = saved.Record.ID
		_, err = b.PairNumber(t.Context(), w.by(), w.number, chatapp.PairByQR)
		w.must(err)
		w.until("the refusal", func() bool { return w.pairing(b).Kind == "refused" })
		if got, want := w.pairing(b).Reason, "the messaging application answered with an error"; got != want {
			t.Errorf("the reason is %q, want %q", got, want)
		}
	})
}

// An unpairable driver cannot reach the network for a code.
type unpairable struct{ *chatapptest.Driver }

func (unpairable) Pair(context.Context, chatapp.Host, numbers.PairBy) (<-chan chatapp.PairStep, error) {
	return nil, fmt.Errorf("lookup web.example on 10.1.2.3:53: no such host")
}
