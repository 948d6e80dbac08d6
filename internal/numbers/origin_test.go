package numbers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/desk"
	"parley/internal/merging"
)

// origins returns the events after a number: type, actor, and cause.
func (w *world) origins(n *node, after int64) []string {
	w.t.Helper()
	tail, err := n.EventsAfter(w.t.Context(), w.ws, parley.LogPosition{Seq: after}, 200)
	w.must(err)
	var told []string
	for _, e := range tail.Events {
		line := fmt.Sprintf("%s by %s", e.Type, e.Origin.Actor.Type)
		if e.Origin.Actor.ID != "" {
			line += " " + e.Origin.Actor.ID
		}
		if e.Origin.Cause != (parley.Cause{}) {
			line += fmt.Sprintf(" for %s %s", e.Origin.Cause.Type, e.Origin.Cause.ID)
		}
		if e.Origin.Imported {
			line += ", imported"
		}
		told = append(told, line)
	}
	return told
}

// TestOriginOfEvents makes changes in every way and checks their actors and
// causes.
func TestOriginOfEvents(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		members, err := a.Members(w.ws, parley.Position{}, 1).Now(t.Context())
		w.must(err)
		owner := members.Items[0]
		key := parley.Key{ID: parley.NewIDs(nil).New(w.now()), Name: "CRM"}
		byMember, byKey := w.by(), w.by()
		byMember.Actor, byKey.Actor = parley.MemberActor(&owner), parley.KeyActor(&key)
		member, program := "member "+string(owner.ID), "key "+key.ID.String()
		step := func(name string, do func() error, want ...string) {
			t.Helper()
			after := w.position(a)
			w.must(do())
			if told := w.origins(a, after); !slices.Equal(told, want) {
				t.Errorf("%s: the events are\n%s\nwant\n%s", name, strings.Join(told, "\n"), strings.Join(want, "\n"))
			}
		}
		w.must(w.say(chatapp.Incoming{ID: "1", Chat: chat(ann), From: ann, Text: "hello"}))
		c := w.conversations(a)[0]
		first, customer := w.last(a, c.ID), "customer "+c.Contact.ID.String()
		if told, want := w.origins(a, w.position(a)-3), []string{
			"contact.created by " + customer + " for message.created " + first.ID.String(),
			"conversation.created by " + customer + " for message.created " + first.ID.String(),
			"message.created by " + customer,
		}; !slices.Equal(told, want) {
			t.Errorf("a message from somebody new tells\n%s", strings.Join(told, "\n"))
		}
		var reply parley.Message
		step("a program posts", func() error {
			reply, err = a.PostMessage(t.Context(), byKey, c.ID, desk.NewMessage{Content: "hi", Direction: parley.Outgoing})
			return err
		}, "message.created by "+program)
		step("the outbox sends", func() error { return a.Deliver(t.Context()) }, "message.updated by system for message.created "+reply.ID.String())
		step("a member resolves", func() error {
			_, err := a.UpdateConversation(t.Context(), byMember, c.ID, desk.ConversationChange{Status: parley.Some(parley.Resolved)})
			return err
		}, "conversation.updated by "+member)
		step("a backfill", func() error {
			_, err := a.PostMessage(t.Context(), byKey, c.ID, desk.NewMessage{
				Content: "old", Direction: parley.Incoming, CreatedAt: w.now().Add(-time.Hour),
			})
			return err
		}, "message.created by "+program+", imported")
		w.must(w.say(chatapp.Incoming{ID: "2", Chat: chat(ann), From: ann, Text: "again"}))
		if told, want := w.origins(a, w.position(a)-2), []string{
			"message.created by " + customer, "conversation.updated by " + customer + " for message.created " + w.last(a, c.ID).ID.String(),
		}; !slices.Equal(told, want) {
			t.Errorf("a message that opens a conversation tells\n%s", strings.Join(told, "\n"))
		}
		step("on the phone", func() error {
			return w.say(chatapp.Incoming{ID: "3", Chat: chat(ann), From: host, FromMe: true, Text: "from the phone"})
		}, "message.created by member")
		other, err := a.SaveContact(t.Context(), byKey, desk.ContactFields{Name: parley.Some("Ann"), Identifier: parley.Some("ann")})
		w.must(err)
		merged := " for contact.merged " + c.Contact.ID.String()
		step("a merge", func() error {
			_, err := merging.New(a.Desk).MergeContacts(t.Context(), byMember, c.Contact.ID, other.Record.ID)
			return err
		}, "contact.updated by "+member+merged, "contact.merged by "+member, "conversation.updated by "+member+merged)
	})
}
