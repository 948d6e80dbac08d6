package numbers_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatapptest"
	"parley/internal/desk"
	"parley/internal/numbers"
)

func (w *world) deliver(n *node) {
	w.t.Helper()
	w.must(n.Deliver(w.t.Context()))
}

// pass lets time pass while a node maintains its numbers.
func (w *world) pass(n *node, d time.Duration) {
	w.t.Helper()
	for ; d > 0; d -= 10 * time.Second {
		w.advance(min(d, 5*time.Second))
		w.tend(n)
		w.advance(max(0, min(d-5*time.Second, 5*time.Second)))
		w.tend(n)
	}
}

func TestMessagesWaitForTheNumber(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		c := w.conversation(a, "+"+string(ann))
		for name, s := range map[string]chatapp.State{
			"disconnected": {Status: parley.NumberDisconnected},
			"banned":       {Status: parley.NumberBanned, Until: w.now().Add(time.Hour), Reason: "too many groups"},
			"outdated":     {Status: parley.NumberOutdated},
		} {
			w.state(s)
			m, err := w.post(a, c.ID, name)
			w.must(err)
			for range 15 { // no try is used
				w.pass(a, time.Minute)
				w.deliver(a)
			}
			w.wantTexts()
			w.state(chatapp.State{Status: parley.NumberConnected})
			w.deliver(a)
			if got := w.network.Arrivals(); len(got) != 1 || got[0].ID != m.ID.String() || got[0].Phone != ann {
				t.Errorf("%s: the network got %+v", name, got)
			}
			w.network.Forget()
		}
		_, err := a.DisconnectNumber(t.Context(), w.by(), w.number)
		w.must(err)
		_, err = w.post(a, c.ID, "too late")
		w.must(err)
		for range 3 {
			w.advance(12 * time.Hour)
			w.deliver(a)
		}
		talk := w.talk(a, c.ID)
		if got, want := talk[len(talk)-1], "failed bot/Automated agent: too late it could not be sent for 24 hours; the number was last disconnected"; got != want {
			t.Errorf("the message is %q, want %q", got, want)
		}
	})
}

func TestLimitsBurnNoTry(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		c := w.conversation(a, "+"+string(ann))
		_, err := w.post(a, c.ID, "patience")
		w.must(err)
		for range 20 {
			a.driver.Before(chatapptest.Send, chatapptest.Fail(&chatapp.LimitError{Reason: chatapp.RateLimited, Until: w.now().Add(time.Minute)}))
			w.deliver(a)
			w.deliver(a) // not before its time
			w.pass(a, time.Minute)
		}
		w.wantTalk(a, c.ID, "queued bot/Automated agent: patience")
		a.driver.Before(chatapptest.Send, chatapptest.Fail(chatapp.ErrRefused))
		w.deliver(a)
		w.wantTalk(a, c.ID, "failed bot/Automated agent: patience the network refuses the message")
	})
}

// TestRestrictedNumber answers people who wrote to a number that may not write
// to strangers.
func TestRestrictedNumber(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		stranger := w.conversation(a, "+"+string(bea))
		w.must(w.say(chatapp.Incoming{ID: "1", Chat: chat(ann), From: ann, Text: "help"}))
		known := w.conversations(a)[0].ID
		if known == stranger.ID {
			known = w.conversations(a)[1].ID
		}
		w.state(chatapp.State{Status: parley.NumberConnected, RestrictedUntil: w.now().Add(time.Hour)})
		for _, id := range []parley.ID{stranger.ID, known} {
			_, err := w.post(a, id, "to "+id.String())
			w.must(err)
		}
		w.deliver(a)
		w.wantTexts("a: to " + known.String())
		_, err := a.CreateGroup(t.Context(), w.by(), numbers.NewGroup{Name: "G", Participants: []parley.Phone{ann}})
		if parley.KindOf(err) != parley.Limited {
			t.Errorf("a restricted number makes a group: %v", err)
		}
		w.pass(a, time.Hour)
		w.deliver(a)
		if got := len(w.texts()); got != 2 {
			t.Errorf("the network got %d messages, want 2", got)
		}
	})
}

func TestConversationWithoutPhone(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		c := w.conversation(a, "")
		_, err := w.post(a, c.ID, "anybody there?")
		if parley.KindOf(err) != parley.Invalid {
			t.Errorf("a message to nobody gives %v", err)
		}
		_, err = a.PostMessage(t.Context(), w.by(), c.ID, desk.NewMessage{
			Content: "note", ContentType: parley.Text, Direction: parley.Outgoing, Private: true,
		})
		w.must(err)
		d := w.conversation(a, "+4915100000070")
		_, err = w.post(a, d.ID, "nobody")
		w.must(err)
		w.deliver(a)
		w.wantTalk(a, d.ID, "failed bot/Automated agent: nobody the number is not on the messaging application")
	})
}

func TestBudgets(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		create := func(name string) error {
			_, err := a.CreateGroup(t.Context(), w.by(), numbers.NewGroup{Name: name, Participants: []parley.Phone{ann}})
			return err
		}
		for i := range 5 {
			w.must(create(fmt.Sprint(i)))
		}
		err := create("6")
		if limited := (*parley.Error)(nil); !errors.As(err, &limited) || limited.Kind != parley.Limited || limited.RetryAfter != time.Hour+5*time.Minute {
			t.Errorf("the sixth group of an hour gives %v", err)
		}
		w.wantUsed(a, "groupsPerHour 5/5", "groupsPerDay 5/20", "addsPerHour 0/20", "invitesPerHour 0/5", "sendsPerMinute 0/20")
		_, err = a.SetBudgets(t.Context(), w.by(), w.number, map[parley.Budget]parley.Optional[int]{
			parley.GroupsPerHour: parley.Some(6), parley.SendsPerMinute: parley.Some(1),
		})
		w.must(err)
		a.driver.Before(chatapptest.CreateGroup, chatapptest.Fail(chatapp.ErrName)) // had no effect, and costs nothing
		if err := create("6"); parley.KindOf(err) != parley.Invalid {
			t.Errorf("a name that is refused gives %v", err)
		}
		w.must(create("6"))
		w.pass(a, time.Hour+5*time.Minute)
		w.must(create("7"))
		w.wantUsed(a, "groupsPerHour 1/6", "groupsPerDay 7/20", "addsPerHour 0/20", "invitesPerHour 0/5", "sendsPerMinute 0/1")
		c := w.conversations(a)[0].ID
		for _, text := range []string{"one", "two"} {
			_, err := w.post(a, c, text)
			w.must(err)
		}
		w.deliver(a)
		w.wantTexts("a: one")
		w.pass(a, time.Minute+5*time.Second)
		w.deliver(a)
		w.wantTexts("a: one", "a: two")
	})
}

func (w *world) wantUsed(n *node, want ...string) {
	w.t.Helper()
	uses, err := n.Budgets(w.ws, w.number).Now(w.t.Context())
	w.must(err)
	for i, u := range uses {
		if got := fmt.Sprintf("%s %d/%d", u.Budget, u.Used, u.Limit); got != want[i] {
			w.t.Errorf("%s, want %s", got, want[i])
		}
	}
}

func TestBudgetsOfMembersAndInvites(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		phones := func(n int, end string) []parley.Phone {
			var all []parley.Phone
			for i := range n {
				all = append(all, parley.Phone(fmt.Sprintf("49151000%03d%s", i, end)))
			}
			return all
		}
		made, err := a.CreateGroup(t.Context(), w.by(), numbers.NewGroup{
			Name: "G", Participants: append(phones(7, "1"), ann), SendInviteLink: true,
		})
		w.must(err)
		if o := made.Record; len(o.Invited) != 7 || len(o.InvitesSent) != 5 {
			t.Errorf("of %d invites, %d were sent, want 5 of 7", len(o.Invited), len(o.InvitesSent))
		}
		add := func(n int, end string) error {
			_, err := a.AddParticipants(t.Context(), w.by(), made.Record.Group.ConversationID, phones(n, end), false)
			return err
		}
		if err := add(21, "2"); parley.KindOf(err) != parley.Invalid {
			t.Errorf("more than any hour allows gives %v", err)
		}
		w.must(add(15, "2"))
		if err := add(6, "3"); parley.KindOf(err) != parley.Limited {
			t.Errorf("more than this hour allows gives %v", err)
		}
		w.must(add(5, "3"))
	})
}
