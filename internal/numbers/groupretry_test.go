package numbers_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatapptest"
	"parley/internal/desk"
	"parley/internal/numbers"
)

// TestKeyOutlivesRefusals loses the network's answer to the creation of a
// group. Whatever prevents the next calls with the key, and whatever their
// bodies say, in the end there is the one group that the first call requested.
func TestKeyOutlivesRefusals(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		create := func(in numbers.NewGroup) (desk.Saved[parley.GroupOutcome], error) {
			in.Key = "k"
			return a.CreateGroup(t.Context(), w.by(), in)
		}
		first := numbers.NewGroup{Name: "One", Participants: []parley.Phone{ann, bea}, Message: "welcome"}
		other := numbers.NewGroup{Name: "Two", Participants: []parley.Phone{"4915100000078"}, Message: "wrong"}
		a.driver.After(chatapptest.CreateGroup, chatapptest.Fail(chatapp.ErrTimeout))
		a.driver.Before(chatapptest.FindGroups, chatapptest.Fail(chatapp.ErrNotConnected)) // nor can anybody look
		if _, err := create(first); parley.KindOf(err) != parley.UpstreamTimeout {
			t.Fatalf("the lost answer gives %v", err)
		}
		for _, c := range []struct {
			state chatapp.State
			want  parley.Kind
		}{
			{chatapp.State{Status: parley.NumberDisconnected}, parley.Conflict},
			{chatapp.State{Status: parley.NumberBanned, Until: w.now().Add(time.Hour)}, parley.Limited},
			{chatapp.State{Status: parley.NumberConnected, RestrictedUntil: w.now().Add(time.Hour)}, parley.Limited},
		} {
			w.state(c.state)
			if _, err := create(first); parley.KindOf(err) != c.want {
				t.Errorf("while it is %s, it gives %v", c.state.Status, err)
			}
		}
		w.state(chatapp.State{Status: parley.NumberConnected})
		a.driver.Before(chatapptest.FindGroups, chatapptest.Fail(&chatapp.LimitError{Reason: chatapp.RateLimited, Until: w.now().Add(time.Hour)}))
		if _, err := create(first); parley.KindOf(err) != parley.Limited {
			t.Errorf("while nobody may look, it gives %v", err)
		}
		made, err := create(other)
		w.must(err)
		o := made.Record
		if w.network.Groups() != 1 || !slices.Equal(o.Added, []parley.Phone{ann}) || !slices.Equal(o.Invited, []parley.Phone{bea}) {
			t.Errorf("there are %d groups, and the answer is %+v", w.network.Groups(), o)
		}
		all := w.conversations(a)
		if len(all) != 1 || all[0].Contact.Name != "One" {
			t.Errorf("the conversations are %+v", all)
		}
		w.wantTalk(a, o.Group.ConversationID, "queued bot/Automated agent: welcome")
	})
}

// TestTwoKeysOfOneName loses the answers to two creations with the same name:
// each request finds its own group.
func TestTwoKeysOfOneName(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		in := numbers.NewGroup{Name: "One", Participants: []parley.Phone{ann}}
		for _, in.Key = range []string{"first", "second"} {
			a.driver.After(chatapptest.CreateGroup, chatapptest.Fail(chatapp.ErrTimeout))
			a.driver.Before(chatapptest.FindGroups, chatapptest.Fail(chatapp.ErrNotConnected))
			if _, err := a.CreateGroup(t.Context(), w.by(), in); parley.KindOf(err) != parley.UpstreamTimeout {
				t.Fatalf("the lost answer gives %v", err)
			}
			w.advance(time.Minute)
		}
		for key, want := range map[string]string{"first": "1@g", "second": "2@g"} {
			in.Key = key
			made, err := a.CreateGroup(t.Context(), w.by(), in)
			w.must(err)
			if made.Record.Group.JID != want || w.network.Groups() != 2 {
				t.Errorf("the %s is %s of %d groups, want %s", key, made.Record.Group.JID, w.network.Groups(), want)
			}
		}
	})
}

// TestKeyOfARefusedRequest requests a group of unknown people: with a better
// body, the same key creates the group.
func TestKeyOfARefusedRequest(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		in := numbers.NewGroup{Name: "One", Participants: []parley.Phone{"4915100000070"}, Key: "k"}
		a.driver.Before(chatapptest.CreateGroup, chatapptest.Fail(chatapp.ErrTimeout))
		if _, err := a.CreateGroup(t.Context(), w.by(), in); parley.KindOf(err) != parley.UpstreamTimeout {
			t.Fatalf("the lost request gives %v", err)
		}
		a.driver.Before(chatapptest.CreateGroup, chatapptest.Fail(chatapp.ErrNobody))
		if _, err := a.CreateGroup(t.Context(), w.by(), in); parley.KindOf(err) != parley.Invalid {
			t.Fatalf("nobody gives %v", err)
		}
		in.Participants = []parley.Phone{ann}
		made, err := a.CreateGroup(t.Context(), w.by(), in)
		if err != nil || !slices.Equal(made.Record.Added, in.Participants) {
			t.Errorf("the better request gives %+v, %v", made.Record, err)
		}
	})
}

// TestInvitesTakeTheirTime creates another group, and removes a new member,
// while somebody is being invited.
func TestInvitesTakeTheirTime(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		meanwhile := func(what string, do func()) chatapptest.Fault {
			return func(context.Context) error {
				done := make(chan struct{})
				go func() {
					defer close(done)
					do()
				}()
				select {
				case <-done:
				case <-time.After(10 * time.Second):
					t.Errorf("%s waits for the invites of another group", what)
				}
				return nil
			}
		}
		a.driver.Before(chatapptest.Send, meanwhile("a second group", func() {
			if _, err := a.CreateGroup(t.Context(), w.by(), numbers.NewGroup{Name: "Two", Participants: []parley.Phone{ann}}); err != nil {
				t.Errorf("the second group: %v", err)
			}
		}))
		made, err := a.CreateGroup(t.Context(), w.by(), numbers.NewGroup{Name: "One", Participants: []parley.Phone{"4915100000078", bea}, SendInviteLink: true})
		w.must(err)
		group := made.Record.Group
		a.driver.Before(chatapptest.Send, meanwhile("who leaves", func() {
			w.change(chatapp.MemberChange{Kind: chatapp.Left, JID: group.JID, Phones: []parley.Phone{ann}, By: ann, At: w.now()})
		}))
		_, err = a.AddParticipants(t.Context(), w.by(), group.ConversationID, []parley.Phone{ann, bea}, true)
		w.must(err)
		w.wantTalk(a, group.ConversationID, "sent system/: +4915100000077 left")
	})
}

// TestRemovedMemberMakesNoGroup requests a group as a member who is removed
// meanwhile: the network must not be called.
func TestRemovedMemberMakesNoGroup(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		m, _, err := a.access.CreateMember(t.Context(), w.by(), access.NewMember{Email: "bo@home.example", Name: "Bo", Role: parley.Agent})
		w.must(err)
		_, err = a.access.RemoveMember(t.Context(), w.by(), m.ID)
		w.must(err)
		by := desk.Caller{Workspace: w.ws, Member: m.ID, Role: parley.Agent}
		for _, key := range []string{"", "k"} {
			_, err = a.CreateGroup(t.Context(), by, numbers.NewGroup{Name: "One", Participants: []parley.Phone{ann}, Key: key})
			if parley.KindOf(err) != parley.Unauthenticated || w.network.Groups() != 0 {
				t.Errorf("with the key %q the error is %v, and there are %d groups", key, err, w.network.Groups())
			}
		}
	})
}
