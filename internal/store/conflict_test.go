package store_test

import (
	"errors"
	"testing"

	"parley"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestConflicts stores values a second time that must be unique in a workspace.
// In the same workspace they are refused; in another one, or if they are empty,
// they are not.
func TestConflicts(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w, other := newWorld("x", true), newWorld("x", true) // the same texts and numbers
		w.insert(t, s)
		other.insert(t, s)
		write(t, s, w.ws, func(tx *store.Tx) error {
			for name, insert := range map[string]func() (bool, error){
				"member": func() (bool, error) {
					return tx.InsertMember(w.ws, &parley.Member{ID: ids.NewUserID(), Email: " aNN@X "})
				},
				"company": func() (bool, error) {
					return tx.InsertCompany(w.ws, &parley.Company{ID: ids.New(at(0)), ExternalID: "x"})
				},
				"number": func() (bool, error) {
					return tx.InsertNumber(w.ws, &parley.Number{ID: ids.New(at(0)), Phone: w.number.Phone, InboxID: w.inbox.ID})
				},
			} {
				if ok, err := insert(); ok || err != nil {
					t.Errorf("a second %s gave %v, %v, want false", name, ok, err)
				}
			}
			empty := func() *parley.Contact { return &parley.Contact{ID: ids.New(at(0))} }
			return errors.Join( // none of these has a unique value
				inserted(tx.InsertCompany(w.ws, &parley.Company{ID: ids.New(at(0))})),
				inserted(tx.InsertCompany(w.ws, &parley.Company{ID: ids.New(at(0))})),
				tx.InsertContact(w.ws, empty()), tx.InsertContact(w.ws, empty()),
			)
		})
		for name, contact := range map[string]parley.Contact{
			"identifier": {Identifier: "x"}, "e-mail": {Email: "BOB@x"}, "phone": {PhoneNumber: "49151-1"},
		} {
			contact.ID = ids.New(at(0))
			insert := func(tx *store.Tx) error { return tx.InsertContact(w.ws, &contact) }
			if err := s.Write(t.Context(), w.ws, insert); parley.KindOf(err) != parley.Internal || err == nil {
				t.Errorf("a second contact with one %s gave %v, want Internal", name, err)
			}
		}
		foreign := parley.Conversation{ID: ids.New(at(0))} // of the other workspace's contact
		foreign.Contact.ID, foreign.Inbox.ID = other.contact.ID, w.inbox.ID
		if err := s.Write(t.Context(), w.ws, func(tx *store.Tx) error { return tx.InsertConversation(w.ws, &foreign, at(1)) }); err == nil {
			t.Error("a conversation with a contact of another workspace was stored")
		}
		again := errors.New("the workspace is there")
		if err := s.Write(t.Context(), w.ws, func(tx *store.Tx) error {
			return errors.Join(tx.InsertWorkspace(&w.workspace), again)
		}); err == nil {
			t.Error("a workspace was stored twice")
		}
	})
}

// TestDeliveryOrder sends the messages of a conversation one by one.
func TestDeliveryOrder(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld("x", true)
		w.insert(t, s) // with a delivery that is due at 21
		second := w.message
		second.ID = ids.New(at(30))
		write(t, s, w.ws, func(tx *store.Tx) error {
			return errors.Join(tx.InsertMessage(w.ws, &second),
				tx.InsertDelivery(w.ws, &store.Delivery{ConversationID: w.conversation.ID, MessageID: second.ID, NumberID: w.number.ID, DueAt: at(15)}))
		})
		due := func(ms int64) []store.Delivery {
			var found []store.Delivery
			view(t, s, func(v *store.View) (err error) {
				found, err = v.Deliveries(w.ws, w.number.ID, at(ms), 9)
				return err
			})
			return found
		}
		if got := due(20); len(got) != 0 {
			t.Errorf("a later message goes out before its elder: %v", got)
		}
		if got := due(21); len(got) != 1 || got[0].MessageID != w.message.ID {
			t.Errorf("due are %v, want the first message", got)
		}
		write(t, s, w.ws, func(tx *store.Tx) error { return tx.DeleteDelivery(w.ws, w.conversation.ID, w.message.ID) })
		if got := due(20); len(got) != 1 || got[0].MessageID != second.ID {
			t.Errorf("due are %v, want the second message", got)
		}
	})
}

func TestDeleteEvents(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ws, c := found(t, s)
		write(t, s, ws, func(tx *store.Tx) error {
			for i := range 6 {
				tx.Emit(ws, parley.Event{Type: parley.MessageCreated, CreatedAt: at(int64(i)), ConversationID: c.ID, Data: []byte("{}")})
			}
			return nil
		})
		for _, step := range []struct{ before, limit, deleted, oldest int }{
			{0, 9, 0, 1}, {2, 1, 1, 2}, {2, 9, 1, 3}, {99, 9, 3, 6}, {99, 9, 0, 6},
		} {
			write(t, s, ws, func(tx *store.Tx) error {
				n, err := tx.DeleteEvents(ws, at(int64(step.before)), step.limit)
				if n != step.deleted {
					t.Errorf("%+v: deleted %d", step, n)
				}
				return err
			})
			view(t, s, func(v *store.View) error {
				oldest, err := v.OldestEvent(ws)
				if oldest != int64(step.oldest) {
					t.Errorf("%+v: the oldest is %d", step, oldest)
				}
				return err
			})
		}
		write(t, s, ws, post(ws, c.ID, "next"))
		view(t, s, func(v *store.View) error {
			events, err := v.Events(ws, 5, 9)
			if len(events) != 2 || events[1].Seq != 7 {
				t.Errorf("behind the fifth event come %v", events)
			}
			return err
		})
	})
}
