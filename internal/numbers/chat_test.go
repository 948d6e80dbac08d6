package numbers_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatapptest"
	"parley/internal/desk"
	"parley/internal/merging"
	"parley/internal/numbers"
	"parley/internal/store"
	"parley/internal/threads"
)

// TestAnswerAfterAMerge answers a person who wrote from two phones, after their
// contacts were merged, on the phone that the question came from.
func TestAnswerAfterAMerge(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		const second = parley.Phone("4915100000078")
		w.must(w.say(chatapp.Incoming{ID: "1", Chat: chat(ann), From: ann, Text: "from the first"}))
		first := w.conversations(a)[0]
		w.advance(time.Second)
		w.must(w.say(chatapp.Incoming{ID: "2", Chat: chat(second), From: second, Text: "from the second"}))
		other := w.conversations(a)[0]
		w.must(w.say(chatapp.Incoming{ID: "3", Chat: chatapp.Chat{JID: "g", Group: true}, From: second, FromName: "Ann", Text: "to all"}))
		group := w.conversations(a)[0]
		_, err := merging.New(a.Desk).MergeContacts(t.Context(), w.by(), other.Contact.ID, first.Contact.ID)
		w.must(err)
		for _, c := range []parley.ID{first.ID, other.ID} {
			_, err := w.post(a, c, "answer")
			w.must(err)
		}
		w.deliver(a)
		got := w.network.Arrivals()
		if len(got) != 2 || got[0].Phone != ann || got[1].Phone != second {
			t.Errorf("the answers went to %+v", got)
		}
		w.must(w.say(chatapp.Incoming{ID: "4", Chat: chat(second), From: second, Text: "again"}))
		w.wantTalk(a, other.ID, "delivered contact/+4915100000077: from the second", "sent bot/Automated agent: answer",
			"delivered contact/+4915100000077: again")
		// Messages in a group keep their author.
		if m := w.last(a, group.ID); m.Sender.ContactID != first.Contact.ID || m.Sender.Name == "" {
			t.Errorf("in the group wrote %+v", m.Sender)
		}
	})
}

// TestAnotherPhone answers a contact on a newly entered phone instead of the
// old one, which from then on belongs to somebody else.
func TestAnotherPhone(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		w.must(w.say(chatapp.Incoming{ID: "1", Chat: chat(ann), From: ann, FromName: "Ann", Text: "hello"}))
		c := w.conversations(a)[0]
		for _, phone := range []string{"+49 151 00000077", "+49 151 00000087"} { // the same one, and another
			_, err := a.UpdateContact(t.Context(), w.by(), c.Contact.ID, desk.ContactFields{PhoneNumber: parley.Some(phone)})
			w.must(err)
			m, err := w.post(a, c.ID, phone)
			w.must(err)
			w.deliver(a)
			w.receipt(chatapp.Receipt{IDs: []string{m.ID.String()}, Chat: chat(ann), Status: parley.Delivered, At: w.now()}) // from the old one
		}
		if got := w.network.Arrivals(); len(got) != 2 || got[0].Phone != ann || got[1].Phone != "4915100000087" {
			t.Errorf("the answers went to %+v", got)
		}
		w.advance(time.Second)
		w.must(w.say(chatapp.Incoming{ID: "2", Chat: chat(ann), From: ann, Text: "who am I?"}))
		all := w.conversations(a)
		if len(all) != 2 || all[0].ID == c.ID || all[0].Contact.ID == c.Contact.ID {
			t.Errorf("the conversations are %+v", all)
		}
	})
}

// TestHiddenNumber answers a person whose number the network hid at first.
func TestHiddenNumber(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		hidden := chatapp.Chat{JID: "77@hidden"}
		w.must(w.say(chatapp.Incoming{ID: "1", Chat: hidden, Text: "guess who", FromName: "Ann"}))
		c := w.conversations(a)[0]
		if c.Contact.Name != "Ann" || c.Contact.PhoneNumber != "" {
			t.Errorf("the contact is %+v", c.Contact)
		}
		if _, err := w.post(a, c.ID, "who?"); parley.KindOf(err) != parley.Invalid {
			t.Errorf("an answer to a hidden number gives %v", err)
		}
		hidden.Phone = ann
		w.must(w.say(chatapp.Incoming{ID: "2", Chat: hidden, From: ann, Text: "me"}))
		_, err := w.post(a, c.ID, "ah")
		w.must(err)
		w.deliver(a)
		if got := w.network.Arrivals(); len(got) != 1 || got[0].Phone != ann {
			t.Errorf("the answer went to %+v", got)
		}
	})
}

// TestMessageWithoutATime stores a message without a time as of now.
func TestMessageWithoutATime(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		w.must(w.say(chatapp.Incoming{ID: "1", Chat: chat(ann), From: ann, Text: "when?", At: time.Unix(0, 0)}))
		if m := w.last(a, w.conversations(a)[0].ID); !m.CreatedAt.Equal(w.now()) {
			t.Errorf("it was written at %v", m.CreatedAt)
		}
	})
}

// expire deletes what has expired of numbers.
func (w *world) expire(n *node) {
	w.t.Helper()
	_, err := desk.Write(w.t.Context(), n.Desk, w.by(), func(t *desk.Tx) (int, error) { return numbers.Expire(t, 100) })
	w.must(err)
}

// TestNetworkMessagesArePurged deletes the ids of messages when the network can
// no longer repeat them, and not before.
func TestNetworkMessagesArePurged(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		w.must(w.say(chatapp.Incoming{ID: "1", Chat: chat(ann), From: ann, Text: "hello"}))
		c := w.conversations(a)[0].ID
		m, err := w.post(a, c, "hi")
		w.must(err)
		w.deliver(a)
		known := func() int {
			n := 0
			w.must(a.store.View(t.Context(), func(v *store.View) error {
				for _, name := range []store.NetworkMessage{
					{NumberID: w.number, Chat: chat(ann).JID, Sender: string(ann), ID: "1"}, {NumberID: w.number, ID: m.ID.String()},
				} {
					if _, err := v.NetworkMessage(w.ws, name); err == nil {
						n++
					}
				}
				return nil
			}))
			return n
		}
		w.advance(90 * 24 * time.Hour)
		w.expire(a)
		if got := known(); got != 2 {
			t.Errorf("after 90 days, %d of two messages are known", got)
		}
		w.advance(time.Millisecond)
		w.expire(a)
		if got := known(); got != 0 {
			t.Errorf("after more, %d messages are known", got)
		}
		if got := len(w.talk(a, c)); got != 2 {
			t.Errorf("of the messages themselves, %d are left", got)
		}
		w.tend(a)
		w.tend(a)
		w.until("the client", func() bool { w.tend(a); return w.network.Node(host) == "a" })
		w.receipt(chatapp.Receipt{IDs: []string{m.ID.String()}, Chat: chat(ann), By: ann, Status: parley.Read, At: w.now()})
	})
}

// TestReceiptsOfAGroup has a thousand members read a message: the first receipt
// changes it, the others leave no event.
func TestReceiptsOfAGroup(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		made, err := a.CreateGroup(t.Context(), w.by(), numbers.NewGroup{Name: "G", Participants: []parley.Phone{ann}})
		w.must(err)
		m, err := w.post(a, made.Record.Group.ConversationID, "hello all")
		w.must(err)
		a.driver.After(chatapptest.Send, chatapptest.Fail(chatapp.ErrTimeout))
		w.deliver(a)
		before := w.position(a)
		for i := range 20 {
			status := parley.Delivered
			if i%2 == 1 {
				status = parley.Read
			}
			w.receipt(chatapp.Receipt{IDs: []string{m.ID.String()}, Chat: chatapp.Chat{JID: made.Record.Group.JID, Group: true}, By: ann, Status: status})
		}
		if got := w.position(a) - before; got != 2 {
			t.Errorf("the receipts made %d events, want 2", got)
		}
	})
}

// position is the number of the workspace's newest event.
func (w *world) position(n *node) int64 {
	w.t.Helper()
	all, err := n.Workspaces(w.t.Context())
	w.must(err)
	return all[0].Seq
}

// TestSameMessageAtOnce delivers a message several times concurrently: it is
// stored once, without any failure.
func TestSameMessageAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		var in chatapp.Inbound
		var at chatapp.Host
		w.must(w.network.Tell(t.Context(), host, func(_ context.Context, h chatapp.Host, i chatapp.Inbound) error {
			in, at = i, h
			return nil
		}))
		const times = 8
		for i := range 5 {
			m := chatapp.Incoming{ID: fmt.Sprint(i), Chat: chat(ann), From: ann, Text: "hello", At: w.now()}
			start, done := make(chan struct{}), make(chan error, times)
			for range times {
				go func() {
					<-start
					done <- in.Message(t.Context(), at, m)
				}()
			}
			close(start)
			for range times {
				w.must(<-done)
			}
			if got := len(w.talk(a, w.conversations(a)[0].ID)); got != i+1 {
				t.Fatalf("%d messages are kept, want %d", got, i+1)
			}
		}
	})
}

// TestSplitChat splits a conversation with a person: who writes next continues what was split
// off, receipts find the messages there, and an answer in the former conversation brings the chat
// back to it.
func TestSplitChat(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		svc := threads.New(a.Desk)
		w.must(w.say(chatapp.Incoming{ID: "1", Chat: chat(ann), From: ann, Text: "one matter"}))
		c := w.conversations(a)[0].ID
		w.advance(time.Second)
		w.must(w.say(chatapp.Incoming{ID: "2", Chat: chat(ann), From: ann, Text: "another"}))
		second := w.last(a, c)
		w.advance(time.Second)
		reply, err := w.post(a, c, "yes")
		w.must(err)
		_, err = svc.Split(t.Context(), w.by(), c, second.ID)
		if parley.KindOf(err) != parley.Conflict {
			t.Errorf("with a message on its way, the split gives %v", err)
		}
		w.deliver(a)
		made, err := svc.Split(t.Context(), w.by(), c, second.ID)
		w.must(err)
		w.receipt(chatapp.Receipt{IDs: []string{reply.ID.String()}, Chat: chat(ann), Status: parley.Read})
		w.advance(time.Second)
		w.must(w.say(chatapp.Incoming{ID: "2", Chat: chat(ann), From: ann, Text: "another"})) // is known
		w.must(w.say(chatapp.Incoming{ID: "3", Chat: chat(ann), From: ann, Text: "and so on"}))
		const name = "contact/+" + string(ann)
		w.wantTalk(a, c, "delivered "+name+": one matter")
		w.wantTalk(a, made.ID, "delivered "+name+": another", "read bot/Automated agent: yes", "delivered "+name+": and so on")
		_, err = w.post(a, c, "about the one")
		w.must(err)
		w.deliver(a)
		w.advance(time.Second)
		w.must(w.say(chatapp.Incoming{ID: "4", Chat: chat(ann), From: ann, Text: "thanks"}))
		w.wantTalk(a, c, "delivered "+name+": one matter", "sent bot/Automated agent: about the one", "delivered "+name+": thanks")
	})
}
