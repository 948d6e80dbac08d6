package numbers_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatapptest"
	"parley/internal/numbers"
	"parley/internal/store"
)

// TestPairingDiesBehindThePhone kills the pairing process after a phone has
// scanned and before anybody confirmed that it is the right one: the number is
// not opened.
func TestPairingDiesBehindThePhone(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		saved, err := a.ConnectNumber(t.Context(), w.by(), host, parley.DriverWhatsApp)
		w.must(err)
		w.number = saved.Record.ID
		dead := "gone"
		w.must(a.store.Write(t.Context(), w.ws, func(tx *store.Tx) error { // as the dead process left it
			n := saved.Record
			n.Status = parley.NumberPairing
			return errors.Join(tx.UpdateNumber(w.ws, &n), tx.UpdateNumberDevice(w.ws, n.ID, "device of a stranger"),
				numbers.UpdateNumberLease(tx, w.ws, n.ID, numbers.NumberLease{Owner: dead, Generation: 7, Until: w.now().Add(time.Second)}))
		}))
		w.tend(a)
		if n := w.get(a); n.Status != parley.NumberPairing {
			t.Errorf("before the lease has run out, the number is %+v", n)
		}
		w.advance(time.Second)
		w.until("the end of the pairing", func() bool { w.tend(a); return w.get(a).Status == parley.NumberDisconnected })
		if n := w.get(a); n.Device != "" || n.Reason == "" {
			t.Errorf("the number is %+v", n)
		}
		if p := w.pairing(a); p.Kind != "expired" || p.Reason == "" {
			t.Errorf("the pairing is %+v", p)
		}
		w.tend(a)
		if got := w.network.Node(host); got != "" {
			t.Errorf("the stranger's number is open on %s", got)
		}
		w.pair(a)
	})
}

// stubborn is a driver that cannot forget what it paired.
type stubborn struct{ *chatapptest.Driver }

func (stubborn) Unpair(context.Context, chatapp.Host) error {
	return errors.New("the network was not told")
}

// TestWrongPhoneThatStays refuses a wrong phone even if the driver could not
// unpair it.
func TestWrongPhoneThatStays(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		b := w.nodeOf("b", w.now, func(d *chatapptest.Driver) chatapp.Connector { return stubborn{d} })
		saved, err := b.ConnectNumber(t.Context(), w.by(), host, parley.DriverWhatsApp)
		w.must(err)
		w.number = saved.Record.ID
		_, err = b.PairNumber(t.Context(), w.by(), w.number, chatapp.PairByQR)
		w.must(err)
		w.until("a code", func() bool { return w.pairing(b).Kind == "qr_code" })
		w.must(b.driver.Scan(t.Context(), chatapp.PairStep{Kind: chatapp.Paired, Phone: "4930555002"}))
		w.until("the refusal", func() bool { return w.pairing(b).Kind == "refused" })
		w.tend(a)
		w.tend(b)
		if n := w.get(b); n.Device != "" || w.network.Node(host) != "" {
			t.Errorf("the wrong phone is open on %q: %+v", w.network.Node(host), n)
		}
	})
}

// slow is a driver that takes forever to open one of its numbers.
type slow struct {
	*chatapptest.Driver
	number *parley.ID
	hangs  chan struct{}
}

func (s slow) Open(ctx context.Context, h chatapp.Host, in chatapp.Inbound) error {
	if h.NumberID != *s.number {
		return s.Driver.Open(ctx, h, in)
	}
	close(s.hangs)
	<-ctx.Done()
	return ctx.Err()
}

// TestLeaseEndsWhileADriverHangs closes a number in time although another one
// blocks the process that holds both.
func TestLeaseEndsWhileADriverHangs(t *testing.T) {
	each(t, func(t *testing.T, w *world, _ *node) {
		var other parley.ID
		hangs := make(chan struct{})
		b := w.nodeOf("b", w.now, func(d *chatapptest.Driver) chatapp.Connector { return slow{d, &other, hangs} })
		w.pair(b)
		saved, err := b.ConnectNumber(t.Context(), w.by(), "4930555009", parley.DriverWhatsApp)
		w.must(err)
		other = saved.Record.ID
		w.must(b.store.SetNumberDevice(t.Context(), w.ws, other, "device"))
		ctx, end := context.WithCancel(t.Context())
		running := make(chan struct{})
		go func() {
			defer close(running)
			b.RunNumbers(ctx)
		}()
		<-hangs
		w.advance(11 * time.Second)
		w.until("the end of the client", func() bool { return w.network.Node(host) == "" })
		end()
		<-running
	})
}

// TestOneTaker finds a free number on several nodes: one of them takes it.
func TestOneTaker(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		nodes := []*node{a, w.node("b", w.now), w.node("c", w.now), w.node("d", w.now)}
		generation := func() int64 {
			var lease numbers.NumberLease
			w.must(a.store.View(t.Context(), func(v *store.View) (err error) {
				lease, err = numbers.SelectNumberLease(v, w.ws, w.number)
				return err
			}))
			return lease.Generation
		}
		for range 10 {
			for _, n := range nodes {
				n.GiveNumbersBack(t.Context())
			}
			before := generation()
			start, done := make(chan struct{}), make(chan error, len(nodes))
			for _, n := range nodes {
				go func() {
					<-start
					done <- n.TendNumbers(t.Context())
				}()
			}
			close(start)
			for range nodes {
				w.must(<-done)
			}
			if got := generation() - before; got != 1 {
				t.Fatalf("%d nodes took the number, want one", got)
			}
		}
	})
}

// TestOldLeaseOfTheSameProcess refuses what a process receives under a previous
// lease, although it holds the number again.
func TestOldLeaseOfTheSameProcess(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		var old chatapp.Inbound
		w.must(w.network.Tell(t.Context(), host, func(_ context.Context, _ chatapp.Host, in chatapp.Inbound) error {
			old = in
			return nil
		}))
		a.GiveNumbersBack(t.Context())
		w.tend(a)
		m := chatapp.Incoming{ID: "1", Chat: chat(ann), From: ann, Text: "late", At: w.now()}
		if err := old.Message(t.Context(), chatapp.Host{}, m); err == nil {
			t.Error("what an old client hears is kept")
		}
		w.must(w.say(m))
	})
}

// TestLostLeaseAsksNothing has a node with a slow clock believe that it holds a
// number that another one has taken: it does not even try to send.
func TestLostLeaseAsksNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		b := w.node("b", func() time.Time { return w.now().Add(20 * time.Second) })
		w.tend(b)
		if got := w.network.Node(host); got != "b" {
			t.Fatalf("the number is open on %q", got)
		}
		w.posts(a, w.talkWith(a, 12))
		w.deliver(a)
		if calls := a.driver.Calls(); len(calls) != 0 {
			t.Errorf("it asks %v of the network", calls)
		}
		w.deliver(b)
		w.wantTexts("b: 1")
		w.tend(a) // finds it out
	})
}

// TestDisconnectEndsAPairing leaves neither a code nor an unconfirmed device.
func TestDisconnectEndsAPairing(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		saved, err := a.ConnectNumber(t.Context(), w.by(), host, parley.DriverWhatsApp)
		w.must(err)
		w.number = saved.Record.ID
		_, err = a.PairNumber(t.Context(), w.by(), w.number, chatapp.PairByQR)
		w.must(err)
		w.until("a code", func() bool { return w.pairing(a).Kind == "qr_code" })
		w.must(a.store.SetNumberDevice(t.Context(), w.ws, w.number, "device of whoever scanned just now"))
		n, err := a.DisconnectNumber(t.Context(), w.by(), w.number)
		if err != nil || n.Status != parley.NumberDisconnected || n.Device != "" {
			t.Errorf("the number is %+v, %v", n, err)
		}
		if _, err := a.Pairing(w.by(), w.number).Now(t.Context()); parley.KindOf(err) != parley.NotFound {
			t.Errorf("the pairing is there: %v", err)
		}
		if _, err := a.ReconnectNumber(t.Context(), w.by(), w.number); parley.KindOf(err) != parley.Conflict {
			t.Errorf("it is connected without being paired: %v", err)
		}
		w.pair(a)
	})
}
