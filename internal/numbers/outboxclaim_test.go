package numbers_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatapptest"
	"parley/internal/store"
)

// plain is a driver without connections: every process may send through it.
type plain struct {
	chatapp.Connector
	send func(m chatapp.Message) error
}

func (plain) Capabilities() chatapp.Capabilities { return chatapp.Capabilities{} }

func (p plain) Send(_ context.Context, _ chatapp.Host, m chatapp.Message) error { return p.send(m) }

// sendsBy adds a node that sends by the function.
func (w *world) sendsBy(name string, send func(m chatapp.Message) error) *node {
	w.t.Helper()
	return w.nodeOf(name, w.now, func(*chatapptest.Driver) chatapp.Connector { return plain{send: send} })
}

// unheld creates a number that needs no holder, and queues a message.
func (w *world) unheld(a *node) (conversation parley.ID, message parley.Message) {
	w.t.Helper()
	saved, err := a.ConnectNumber(w.t.Context(), w.by(), host, parley.DriverWhatsApp)
	w.must(err)
	n := saved.Record
	w.number, w.inbox, n.Status = n.ID, n.InboxID, parley.NumberConnected
	w.must(a.store.Write(w.t.Context(), w.ws, func(tx *store.Tx) error { return tx.UpdateNumber(w.ws, &n) }))
	conversation = w.talkWith(a, 12)
	message, err = w.post(a, conversation, "1")
	w.must(err)
	return conversation, message
}

// dueAt is when a message may next be taken.
func (w *world) dueAt(n *node, conversation, message parley.ID) time.Time {
	w.t.Helper()
	var found store.Delivery
	w.must(n.store.View(w.t.Context(), func(v *store.View) (err error) {
		found, err = v.Delivery(w.ws, conversation, message)
		return err
	}))
	return found.DueAt
}

// TestClaims sends from two processes through a number that needs no holder:
// one sends, and the other one only if the first does not renew its claim, as
// if it were dead. The result of the first one's try then changes nothing.
func TestClaims(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		c, m := w.unheld(a)
		begun, end := make(chan struct{}, 2), make(chan struct{})
		first := w.sendsBy("first", func(chatapp.Message) error {
			begun <- struct{}{}
			<-end
			return chatapp.ErrTimeout
		})
		again, finish := make(chan struct{}, 2), make(chan struct{})
		second := w.sendsBy("second", func(chatapp.Message) error {
			again <- struct{}{}
			<-finish
			return nil
		})
		var sending sync.WaitGroup
		deliver := func(n *node) (done chan struct{}) {
			done = make(chan struct{})
			sending.Go(func() {
				defer close(done)
				if err := n.Deliver(context.WithoutCancel(t.Context())); err != nil {
					t.Error(err)
				}
			})
			return done
		}
		firstDone := deliver(first)
		<-begun
		w.advance(12*time.Second - time.Millisecond)
		w.deliver(second)
		if len(again) != 0 {
			t.Fatal("what another process sends is sent a second time")
		}
		w.advance(time.Millisecond)
		deliver(second)
		<-again
		claim := w.dueAt(a, c, m.ID)
		close(end)
		<-firstDone
		if got := w.dueAt(a, c, m.ID); !got.Equal(claim) {
			t.Errorf("the silent process moves the claim of the other from %v to %v", claim, got)
		}
		close(finish)
		sending.Wait()
		w.wantTalk(a, c, "sent bot/Automated agent: 1")
	})
}

// TestLongSend sends from a living process for a minute: nobody else takes its
// message.
func TestLongSend(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		c, m := w.unheld(a)
		begun, end := make(chan struct{}, 2), make(chan struct{})
		first := w.sendsBy("first", func(chatapp.Message) error {
			begun <- struct{}{}
			<-end
			return nil
		})
		second := w.sendsBy("second", func(chatapp.Message) error {
			t.Error("what a living process sends is sent a second time")
			return nil
		})
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { first.RunOutbox(ctx) })
		<-begun
		for range 6 {
			w.advance(10 * time.Second)
			w.until("a renewal", func() bool { return w.dueAt(a, c, m.ID).Equal(w.now().Add(12 * time.Second)) })
			w.deliver(second)
		}
		close(end)
		w.until("the message", func() bool { return w.talk(a, c)[0] == "sent bot/Automated agent: 1" })
		stop()
		running.Wait()
	})
}

// TestClaimRunsOutBeforeTheSend lets a claim expire after the first message of
// a batch: the process leaves the rest to others.
func TestClaimRunsOutBeforeTheSend(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.unheld(a)
		w.posts(a, w.talkWith(a, 13))
		sent := 0
		first := w.sendsBy("first", func(chatapp.Message) error {
			if sent++; sent == 1 {
				w.advance(12 * time.Second) // the process was stopped, and continues
			}
			return nil
		})
		w.deliver(first)
		if sent != 1 {
			t.Errorf("behind the end of its claim the process sends %d messages more", sent-1)
		}
		w.advance(2 * time.Second)
		w.deliver(first)
		if sent != 2 {
			t.Errorf("in the end %d messages were sent, want 2", sent)
		}
	})
}
