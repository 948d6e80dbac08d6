package numbers_test

import (
	"context"
	"testing"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatapptest"
	"parley/internal/numbers"
)

func TestNumberFromPairingToLogout(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		if code := w.pairing(a).Code; code != "" {
			t.Errorf("the code %q is kept behind its pairing", code)
		}
		_, err := a.PairNumber(t.Context(), w.by(), w.number, chatapp.PairByQR)
		if parley.KindOf(err) != parley.Conflict {
			t.Errorf("a paired number is paired again: %v", err)
		}
		_, err = a.DisconnectNumber(t.Context(), w.by(), w.number)
		w.must(err)
		w.tend(a)
		w.until("the end of the client", func() bool { return w.network.Node(host) == "" })
		w.wantStatus(a, parley.NumberDisconnected)
		_, err = a.ReconnectNumber(t.Context(), w.by(), w.number)
		w.must(err)
		w.until("the new client", func() bool { w.tend(a); return w.network.Node(host) == "a" })
		w.wantStatus(a, parley.NumberConnected)
		n, err := a.LogOutNumber(t.Context(), w.by(), w.number)
		if err != nil || n.Status != parley.NumberLoggedOut || n.Paired() {
			t.Errorf("logged out, the number is %+v, %v", n, err)
		}
		w.tend(a)
		w.until("the end of the client", func() bool { return w.network.Node(host) == "" })
		if _, err := a.ReconnectNumber(t.Context(), w.by(), w.number); parley.KindOf(err) != parley.Conflict {
			t.Errorf("a number that is not paired connects: %v", err)
		}
	})
}

// TestReconnectTriesAtOnce disconnects and reconnects a number before any
// maintenance pass: its client, which is waiting for the end of a ban, still
// restarts.
func TestReconnectTriesAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		w.state(chatapp.State{Status: parley.NumberBanned, Until: w.now().Add(time.Hour)})
		w.wantStatus(a, parley.NumberBanned)
		_, err := a.DisconnectNumber(t.Context(), w.by(), w.number)
		w.must(err)
		_, err = a.ReconnectNumber(t.Context(), w.by(), w.number)
		w.must(err)
		w.until("the new client", func() bool { w.tend(a); return w.get(a).Status == parley.NumberConnected })
	})
}

func TestPairingRefusesAnotherPhone(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		saved, err := a.ConnectNumber(t.Context(), w.by(), host, parley.DriverWhatsApp)
		w.must(err)
		w.number = saved.Record.ID
		for _, phone := range []parley.Phone{"4930555002", ""} {
			_, err = a.PairNumber(t.Context(), w.by(), w.number, chatapp.PairByCode)
			w.must(err)
			w.until("a code", func() bool { return w.pairing(a).Kind == "phone_code" })
			step := chatapp.PairStep{Kind: chatapp.Paired, Phone: phone}
			if phone == "" {
				step = chatapp.PairStep{Kind: chatapp.PairRefused, Reason: "no more devices"}
			}
			w.must(a.driver.Scan(t.Context(), step))
			w.until("the refusal", func() bool { return w.pairing(a).Kind == "refused" })
			if n := w.get(a); n.Status != parley.NumberDisconnected || n.Reason == "" || n.Paired() {
				t.Errorf("refused, the number is %+v", n)
			}
		}
	})
}

// TestPairingEndsElsewhere ends a pairing from another node, and one whose
// process died.
func TestPairingEndsElsewhere(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		saved, err := a.ConnectNumber(t.Context(), w.by(), host, parley.DriverWhatsApp)
		w.must(err)
		w.number = saved.Record.ID
		b := w.node("b", w.now)
		_, err = a.PairNumber(t.Context(), w.by(), w.number, chatapp.PairByQR)
		w.must(err)
		w.until("the code on the other node", func() bool { return w.pairing(b).Kind == "qr_code" })
		if _, err := b.EndPairing(t.Context(), w.by(), w.number); err != nil {
			t.Fatal(err)
		}
		w.wantStatus(b, parley.NumberDisconnected)
		if _, err := b.Pairing(w.by(), w.number).Now(t.Context()); parley.KindOf(err) != parley.NotFound {
			t.Errorf("an ended pairing is there: %v", err)
		}
		_, err = b.PairNumber(t.Context(), w.by(), w.number, chatapp.PairByQR) // takes the lease from the first
		w.must(err)
		w.until("the code", func() bool { return w.pairing(a).Kind == "qr_code" })
		// It renews its lease every second; before the next renewal it counts
		// as dead.
		w.until("the end", func() bool { w.advance(time.Minute); w.tend(a); return w.pairing(a).Kind == "expired" })
		w.wantStatus(a, parley.NumberDisconnected)
	})
}

// TestLeaseMoves kills the node that holds a number: another node has it when
// the lease has expired, and not before. What the dead node still receives is
// refused.
func TestLeaseMoves(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		b := w.node("b", w.now)
		c := w.conversation(a, "+"+string(ann))
		w.advance(4 * time.Second)
		w.tend(a) // renews
		// From here on, a does nothing by itself.
		_, err := w.post(b, c.ID, "while a is dead")
		w.must(err)
		var stale chatapp.Inbound
		w.must(w.network.Tell(t.Context(), host, func(_ context.Context, _ chatapp.Host, in chatapp.Inbound) error {
			stale = in
			return nil
		}))
		w.advance(12*time.Second - time.Millisecond)
		w.tend(b)
		w.must(b.Deliver(t.Context()))
		if got := w.network.Node(host); got != "a" || len(w.texts()) != 0 {
			t.Fatalf("before the lease ran out, the number is open on %s, and %q was sent", got, w.texts())
		}
		w.advance(time.Millisecond)
		w.tend(b)
		if got := w.network.Node(host); got != "b" {
			t.Fatalf("the number is open on %q, want b", got)
		}
		w.must(b.Deliver(t.Context()))
		w.must(a.Deliver(t.Context())) // wakes from the dead
		w.wantTexts("b: while a is dead")
		err = stale.Message(t.Context(), chatapp.Host{}, chatapp.Incoming{ID: "1", Chat: chat(ann), From: ann, Text: "late", At: w.now()})
		if err == nil {
			t.Error("what the old holder hears is kept")
		}
		w.wantTalk(b, c.ID, "sent bot/Automated agent: while a is dead")
		w.tend(a) // finds out that it holds nothing
		if w.network.Node(host) != "b" {
			t.Error("the old holder closed the new one's client")
		}
		b.GiveNumbersBack(t.Context())
		// It takes nothing while it closes its previous numbers in the
		// background.
		w.until("the number on the one that is left", func() bool {
			w.tend(a)
			return w.network.Node(host) == "a"
		})
	})
}

// TestHolderClosesInTime makes the holder renew too late: it closes the number
// before the lease expires.
func TestHolderClosesInTime(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		w.advance(11 * time.Second)
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // the store is unavailable
		if err := a.TendNumbers(ctx); err == nil {
			t.Fatal("the store answers")
		}
		w.until("the end of the client", func() bool { return w.network.Node(host) == "" })
	})
}

// TestOneSender loses the network's answer while another node is running. The
// control shows the purpose of the lease: a node that ignores it, because its
// clock is wrong, sends the message again.
func TestOneSender(t *testing.T) {
	for name, ahead := range map[string]time.Duration{"lease": 0, "control": 20 * time.Second} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, w *world, a *node) {
				w.pair(a)
				b := w.node("b", func() time.Time { return w.now().Add(ahead) })
				c := w.conversation(a, "+"+string(ann))
				_, err := w.post(a, c.ID, "once")
				w.must(err)
				sent, answer := make(chan struct{}), make(chan struct{})
				a.driver.After(chatapptest.Send, func(context.Context) error {
					close(sent)
					<-answer
					return nil
				})
				done := make(chan error)
				go func() { done <- a.Deliver(context.WithoutCancel(t.Context())) }()
				<-sent
				w.tend(b)
				w.must(b.Deliver(t.Context()))
				close(answer)
				w.must(<-done)
				if got, want := len(w.texts()), 1+int(ahead/(20*time.Second)); got != want {
					t.Errorf("the message reached the network %d times, want %d", got, want)
				}
				w.wantTalk(a, c.ID, "sent bot/Automated agent: once")
			})
		})
	}
}

// TestCallsOfAnotherNode creates a group through a node while another one holds
// the number, and kills the holder in the middle.
func TestCallsOfAnotherNode(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		b := w.node("b", w.now)
		stop := w.serve(a)
		in := numbers.NewGroup{Name: "One", Participants: []parley.Phone{ann, bea, "4915100000070"}, SendInviteLink: true}
		made, err := b.CreateGroup(t.Context(), w.by(), in)
		if err != nil || len(made.Record.Added) != 1 || len(made.Record.InvitesSent) != 1 || len(made.Record.NotOnChatapp) != 1 {
			t.Fatalf("the group is %+v, %v", made.Record, err)
		}
		card := w.network.Arrivals()[0].Message
		if card.Invite.Code != "for "+string(bea) || card.GroupName != "One" || card.JID != made.Record.Group.JID || card.Text != made.Record.Group.InviteLink {
			t.Errorf("the invitation is %+v", card)
		}
		again, err := a.AddParticipants(t.Context(), w.by(), made.Record.Group.ConversationID, []parley.Phone{bea}, true)
		if err != nil || len(again.InvitesSent) != 1 {
			t.Fatalf("invited again: %+v, %v", again, err)
		}
		if second := w.network.Arrivals()[1].Message; second.GroupName != "One" || second.Invite != card.Invite || second.ID == card.ID {
			t.Errorf("the second invitation is %+v", second)
		}
		_, err = b.SetGroupAdmin(t.Context(), w.by(), made.Record.Group.ConversationID, bea, true)
		if parley.KindOf(err) != parley.NotFound {
			t.Errorf("an error of the network came as %v", err)
		}
		// The holder creates the next group, and dies before it answers.
		made2 := make(chan struct{})
		a.driver.After(chatapptest.CreateGroup, func(context.Context) error {
			stop()
			w.advance(12 * time.Second)
			w.tend(b)
			close(made2)         // a node runs one maintenance pass at a time
			<-t.Context().Done() // it never answers
			return nil
		})
		go func() {
			<-made2
			w.serve(b)
		}()
		in.Name, in.Key = "Two", "k"
		second, err := b.CreateGroup(t.Context(), w.by(), in)
		if err != nil {
			t.Fatal(err)
		}
		if w.network.Groups() != 2 || second.Record.Group.JID != "2@g" {
			t.Errorf("there are %d groups, and the second is %+v", w.network.Groups(), second.Record)
		}
	})
}

// serve runs a node's maintenance until stop.
func (w *world) serve(n *node) (stop func()) {
	ctx, cancel := context.WithCancel(w.t.Context())
	w.t.Cleanup(cancel)
	go func() {
		for ctx.Err() == nil {
			_ = n.TendNumbers(ctx) // it fails when it is stopped
			time.Sleep(5 * time.Millisecond)
		}
	}()
	return cancel
}
