package numbers_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatapptest"
	"parley/internal/numbers"
)

// posts posts a message in each of several conversations.
func (w *world) posts(n *node, conversations ...parley.ID) {
	w.t.Helper()
	for i, c := range conversations {
		_, err := w.post(n, c, fmt.Sprint(i+1))
		w.must(err)
	}
}

// talkWith starts a conversation with somebody.
func (w *world) talkWith(n *node, who int) parley.ID {
	w.t.Helper()
	return w.conversation(n, fmt.Sprintf("+491510001%02d2", who)).ID
}

// TestSlowMessage blocks one message: those of other conversations overtake it,
// those of its own wait.
func TestSlowMessage(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		slow, other := w.talkWith(a, 12), w.talkWith(a, 13)
		answer := make(chan struct{})
		a.driver.Before(chatapptest.Send, func(context.Context) error {
			<-answer
			return nil
		})
		w.posts(a, slow, other, slow)
		done := make(chan error, 1)
		go func() { done <- a.Deliver(context.WithoutCancel(t.Context())) }()
		w.until("the other conversation's message", func() bool { return len(w.texts()) == 1 })
		w.wantTexts("a: 2")
		// It takes longer than a claim, but is not started twice.
		for range 3 {
			w.pass(a, 30*time.Second)
			go func() { done <- a.Deliver(context.WithoutCancel(t.Context())) }()
		}
		_, err := w.post(a, other, "4")
		w.must(err)
		w.until("one more message", func() bool { w.deliverSoon(a); return len(w.texts()) == 2 })
		w.wantTexts("a: 2", "a: 4")
		close(answer)
		for range 4 {
			w.must(<-done)
		}
		w.until("the last message", func() bool { w.deliverSoon(a); return len(w.texts()) == 4 })
		w.wantTexts("a: 2", "a: 4", "a: 1", "a: 3")
	})
}

// deliverSoon starts sending due messages and does not wait.
func (w *world) deliverSoon(n *node) {
	ctx := context.WithoutCancel(w.t.Context())
	go func() { _ = n.Deliver(ctx) }() // the result is checked
}

// TestLimitStopsAll sends nothing more after the network's limit, however many
// messages wait, and refunds their budget.
func TestLimitStopsAll(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		var all []parley.ID
		for i := range 15 {
			all = append(all, w.talkWith(a, 10+i))
		}
		asked := 0
		w.posts(a, all...)
		count := func(err error) {
			for range all {
				a.driver.Before(chatapptest.Send, func(context.Context) error {
					asked++
					return err
				})
			}
		}
		for _, refusal := range []error{
			&chatapp.LimitError{Reason: chatapp.RateLimited, Until: w.now().Add(10 * time.Minute)}, chatapp.ErrNotConnected,
		} {
			asked = 0
			a.driver.Reset()
			count(refusal)
			for range 3 {
				w.deliver(a)
			}
			if asked != 1 {
				t.Errorf("%v: the network was asked %d times, want once", refusal, asked)
			}
			w.wantUsed(a, "groupsPerHour 0/5", "groupsPerDay 0/20", "addsPerHour 0/20", "invitesPerHour 0/5", "sendsPerMinute 0/20")
			// The network reports that the limit is lifted, or its time is
			// over.
			w.pass(a, 10*time.Minute)
		}
		a.driver.Reset()
		w.deliver(a)
		if got := len(w.texts()); got != len(all) {
			t.Errorf("%d messages went out, want %d", got, len(all))
		}
	})
}

// TestStateEndsALimit sends at once when the network reports that the number is
// connected.
func TestStateEndsALimit(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		w.posts(a, w.talkWith(a, 12))
		a.driver.Before(chatapptest.Send, chatapptest.Fail(chatapp.ErrNotConnected))
		w.deliver(a)
		other := w.talkWith(a, 13)
		w.posts(a, other)
		w.deliver(a)
		w.wantTexts()
		w.state(chatapp.State{Status: parley.NumberConnected})
		w.deliver(a)
		w.wantTexts("a: 1")
	})
}

// TestReasonForPeople keeps a driver's internal text out of the message.
func TestReasonForPeople(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		c := w.talkWith(a, 12)
		for i, f := range []struct {
			failure error
			want    string
		}{
			{errors.New("dial 10.0.0.7: secret"), "the network did not take it, though it was asked 10 times"},
			{fmt.Errorf("tls: %w", context.DeadlineExceeded), "the network did not answer in time"},
			{fmt.Errorf("iq 404: %w", chatapp.ErrNoGroup), "there is no such group"},
		} {
			_, err := w.post(a, c, fmt.Sprint(i))
			w.must(err)
			for range 10 {
				a.driver.Reset()
				a.driver.Before(chatapptest.Send, chatapptest.Fail(f.failure))
				w.deliver(a)
				w.pass(a, 20*time.Minute)
			}
			if m := w.last(a, c); m.Status != parley.Failed || m.Error != f.want {
				t.Errorf("%v: the message is %s, %q, want %q", f.failure, m.Status, m.Error, f.want)
			}
		}
	})
}

// TestOldMessagesAreGivenUp fails everything that is a day old, also behind
// another message, and nothing else.
func TestOldMessagesAreGivenUp(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		_, err := a.DisconnectNumber(t.Context(), w.by(), w.number)
		w.must(err)
		c := w.talkWith(a, 12)
		w.posts(a, c, c, c)
		w.advance(23 * time.Hour)
		_, err = w.post(a, c, "younger")
		w.must(err)
		w.advance(time.Hour)
		for range 5 {
			w.deliver(a)
		}
		want := []string{"failed", "failed", "failed", "queued"}
		var got []string
		for _, line := range w.talk(a, c) {
			got = append(got, strings.Fields(line)[0])
		}
		if !slices.Equal(got, want) {
			t.Errorf("the messages are %q, want %q", got, want)
		}
		w.advance(23 * time.Hour)
		w.deliver(a)
		if m := w.last(a, c); m.Status != parley.Failed {
			t.Errorf("a day old, the message is %s", m.Status)
		}
		// A message whose number is connected, but that is never taken, fails
		// too.
		_, err = a.ReconnectNumber(t.Context(), w.by(), w.number)
		w.must(err)
		w.until("the client", func() bool { w.tend(a); return w.network.Node(host) == "a" })
		w.posts(a, c)
		for range 3 {
			a.driver.Reset()
			a.driver.Before(chatapptest.Send, chatapptest.Fail(chatapp.ErrNotConnected))
			w.advance(12*time.Hour + time.Minute)
			w.until("the client", func() bool { w.tend(a); return w.network.Node(host) == "a" })
			w.deliver(a)
		}
		if m := w.last(a, c); m.Status != parley.Failed {
			t.Errorf("a day old, the message is %s", m.Status)
		}
	})
}

// TestEndOfTheProcess stores what the network has accepted even if the process
// is stopping.
func TestEndOfTheProcess(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		c := w.talkWith(a, 12)
		w.posts(a, c)
		ctx, end := context.WithCancel(t.Context())
		a.driver.After(chatapptest.Send, func(context.Context) error {
			end()
			return nil
		})
		_ = a.Deliver(ctx) // it may report the stop
		w.wantTalk(a, c, "sent bot/Automated agent: 1")
	})
}

// TestGroupThatIsGone fails a message to a group that the network no longer
// knows at once, and changes of the group with the same reason.
func TestGroupThatIsGone(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		made, err := a.CreateGroup(t.Context(), w.by(), numbers.NewGroup{Name: "G", Participants: []parley.Phone{ann}})
		w.must(err)
		c := made.Record.Group.ConversationID
		w.network.LoseGroups()
		_, err = w.post(a, c, "hello?")
		w.must(err)
		w.deliver(a)
		w.wantTalk(a, c, "failed bot/Automated agent: hello? there is no such group")
		const want = "the group does not exist any more in the messaging application"
		if _, err = a.AddParticipants(t.Context(), w.by(), c, []parley.Phone{bea}, false); parley.KindOf(err) != parley.NotFound || err.Error() != want {
			t.Errorf("adding a member gives %v", err)
		}
		if _, err = a.SetGroupAdmin(t.Context(), w.by(), c, ann, true); parley.KindOf(err) != parley.NotFound || err.Error() != want {
			t.Errorf("promoting gives %v", err)
		}
		w.wantUsed(a, "groupsPerHour 1/5", "groupsPerDay 1/20", "addsPerHour 0/20", "invitesPerHour 0/5", "sendsPerMinute 0/20")
	})
}

// TestReceiptBeforeTheAnswer delivers the receipt of a message before the
// network's answer to sending it, and keeps the receipt's status, whatever the
// answer is.
func TestReceiptBeforeTheAnswer(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		for i, answer := range []error{nil, chatapp.ErrTimeout, chatapp.ErrRefused} {
			c := w.talkWith(a, 12+i)
			m, err := w.post(a, c, "hello")
			w.must(err)
			a.driver.After(chatapptest.Send, func(context.Context) error {
				w.receipt(chatapp.Receipt{IDs: []string{m.ID.String()}, Chat: chatapp.Chat{JID: fmt.Sprint(i)}, Status: parley.Delivered})
				return answer
			})
			w.deliver(a)
			w.pass(a, 10*time.Second)
			w.deliver(a)
			w.wantTalk(a, c, "delivered bot/Automated agent: hello")
		}
		w.wantTexts("a: hello", "a: hello", "a: hello")
	})
}

// TestLeaseEndsWhileSending lets a lease expire after the first of several
// claimed messages: the others are left to the next holder.
func TestLeaseEndsWhileSending(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		w.posts(a, w.talkWith(a, 12), w.talkWith(a, 13), w.talkWith(a, 14))
		a.driver.Before(chatapptest.Send, func(context.Context) error {
			w.advance(12 * time.Second)
			return nil
		})
		w.deliver(a)
		w.wantTexts("a: 1")
		if calls := a.driver.Calls(); len(calls) != 1 {
			t.Errorf("behind the end of its lease, the node asks %v", calls)
		}
		b := w.node("b", w.now)
		w.tend(b)
		w.deliver(b)
		w.wantTexts("a: 1", "b: 2", "b: 3")
	})
}
