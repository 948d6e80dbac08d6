package customers_test

import (
	"slices"
	"testing"

	"parley"
	"parley/internal/customers"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestUnseen counts what a customer has not seen: no notes, nothing of their own.
func TestUnseen(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h := storetest.NewHome(t, s)
		var public []parley.ID
		h.Write(func(tx *store.Tx) error {
			for i, m := range []parley.Message{
				{Direction: parley.Outgoing}, {Direction: parley.Outgoing, Private: true}, {Direction: parley.Incoming}, {Direction: parley.Outgoing},
			} {
				m.ID, m.CreatedAt, m.ConversationID = h.NewID(50+int64(i)), storetest.At(50+int64(i)), h.Conversation.ID
				m.ContentType, m.Status, m.Sender.Type = parley.Text, parley.Sent, parley.SenderBot
				if m.Direction == parley.Outgoing && !m.Private {
					public = append(public, m.ID)
				}
				if err := tx.InsertMessage(h.WS, &m); err != nil {
					return err
				}
			}
			return nil
		})
		check := func(count int, newest ...parley.ID) {
			t.Helper()
			h.View(func(v *store.View) error {
				c, err := customers.SelectCustomerConversation(v, parley.WholeWorkspace(h.WS), h.Conversation.ID)
				if err != nil || c.UnreadCount != count {
					t.Errorf("%d messages are unread, %v, want %d", c.UnreadCount, err, count)
				}
				unseen, err := customers.SelectUnseenMessages(v, parley.WholeWorkspace(h.WS), h.Conversation.ID, 9)
				var got []parley.ID
				for _, m := range unseen {
					got = append(got, m.ID)
				}
				if !slices.Equal(got, newest) {
					t.Errorf("unseen are %v, want %v", got, newest)
				}
				return err
			})
		}
		check(2, public[1], public[0])
		h.Write(func(tx *store.Tx) error {
			return tx.UpdateConversationSeen(h.WS, h.Conversation.ID, public[0], storetest.At(90))
		})
		check(1, public[1])
		h.Write(func(tx *store.Tx) error {
			return tx.UpdateConversationSeen(h.WS, h.Conversation.ID, public[1], storetest.At(90))
		})
		check(0)
	})
}
