package store_test

import (
	"testing"

	"parley"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestPlacesOfEvents stores events of a conversation that do and do not say where it
// stands. The place of the latter is that of the conversation, and an event of no
// conversation, or of one that is gone, has none.
func TestPlacesOfEvents(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld("x", true)
		w.insert(t, s)
		here := w.conversation.Place()
		if here.InboxID != w.inbox.ID || here.TeamID != w.team.ID || here.AssigneeID != w.member.ID {
			t.Fatalf("the conversation stands in %v", here)
		}
		before := parley.Some(parley.Place{AssigneeID: "usr_b"})
		var want []parley.Event
		for _, e := range []struct{ given, stored parley.Event }{
			{parley.Event{ConversationID: w.conversation.ID}, parley.Event{Place: here}},
			{parley.Event{ConversationID: w.conversation.ID, Place: parley.Place{InboxID: w.product.ID}, Before: before}, parley.Event{Place: parley.Place{InboxID: w.product.ID}, Before: before}},
			{parley.Event{ConversationID: w.product.ID}, parley.Event{}},
			{parley.Event{}, parley.Event{}},
		} {
			e.given.Type, e.given.Data = parley.MessageUpdated, []byte("{}")
			write(t, s, w.ws, func(tx *store.Tx) error {
				tx.Emit(w.ws, e.given)
				return nil
			})
			want = append(want, e.stored)
		}
		view(t, s, func(v *store.View) error {
			events, err := v.Events(w.ws, 1, 9)
			for i := range events {
				if events[i].Place != want[i].Place || events[i].Before != want[i].Before {
					t.Errorf("event %d stands in %v, before in %v; want %v, %v", i, events[i].Place, events[i].Before, want[i].Place, want[i].Before)
				}
			}
			if len(events) != len(want) {
				t.Errorf("there are %d events", len(events))
			}
			return err
		})
	})
}
