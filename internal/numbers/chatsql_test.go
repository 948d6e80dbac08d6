package numbers_test

import (
	"errors"
	"testing"

	"parley"
	"parley/internal/numbers"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// linked stores messages of the times, each with its id on the network, and
// returns the link of the first.
func linked(t *testing.T, h *storetest.Home, times ...int64) (first store.NetworkMessage) {
	t.Helper()
	number := parley.Number{ID: h.NewID(1), Phone: host, Driver: parley.DriverSandbox, Status: parley.NumberConnected, InboxID: h.Inbox.ID}
	h.Write(func(tx *store.Tx) error {
		_, err := tx.InsertNumber(h.WS, &number)
		for i, ms := range times {
			m := parley.Message{
				ID: h.NewID(ms), ConversationID: h.Conversation.ID, ContentType: parley.Text, Direction: parley.Outgoing,
				Status: parley.Sent, Sender: parley.Sender{Type: parley.SenderBot}, CreatedAt: storetest.At(ms),
			}
			link := store.NetworkMessage{NumberID: number.ID, ID: m.ID.String(), ConversationID: m.ConversationID, MessageID: m.ID}
			if i == 0 {
				first = link
			}
			err = errors.Join(err, tx.InsertMessage(h.WS, &m), tx.InsertNetworkMessage(h.WS, &link))
		}
		return err
	})
	return first
}

// TestDeleteNetworkMessages deletes the oldest links, beside those of another
// workspace.
func TestDeleteNetworkMessages(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h, bystander := storetest.NewHome(t, s), storetest.NewHome(t, s)
		linked(t, h, 13, 100, 100, 101, 101, 102, 102)
		theirs := linked(t, bystander, 13, 100, 100)
		for i, step := range []struct{ before, limit, want int }{{50, 9, 1}, {101, 9, 2}, {999, 3, 3}, {999, 9, 1}, {999, 9, 0}} {
			h.Write(func(tx *store.Tx) error {
				got, err := numbers.DeleteNetworkMessages(tx, h.WS, storetest.At(int64(step.before)), step.limit)
				if got != step.want {
					t.Errorf("step %d deleted %d, want %d", i, got, step.want)
				}
				return err
			})
		}
		h.View(func(v *store.View) error {
			_, err := v.NetworkMessage(bystander.WS, theirs)
			return err
		})
	})
}
