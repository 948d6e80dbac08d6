package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/numbers"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// queue inserts messages of new conversations that wait, each with another one
// behind it, and an index entry of the network for each.
func queue(t *testing.T, s *store.Store, w *world, count int) {
	t.Helper()
	fill(t, s, w.ws, count, func(tx *store.Tx, i int) error {
		c, m := w.conversation, w.message
		c.ID, m.Attachments = ids.New(at(int64(100+i))), nil
		err := tx.InsertConversation(w.ws, &c, c.LastActivityAt)
		for range 2 {
			m.ID, m.ConversationID = ids.New(at(int64(100+i))), c.ID
			err = errors.Join(err, tx.InsertMessage(w.ws, &m),
				tx.InsertDelivery(w.ws, &store.Delivery{ConversationID: c.ID, MessageID: m.ID, NumberID: w.number.ID, DueAt: at(int64(100 + i))}),
				tx.InsertNetworkMessage(w.ws, &store.NetworkMessage{NumberID: w.number.ID, ID: m.ID.String(), ConversationID: c.ID, MessageID: m.ID}))
		}
		return err
	})
}

// TestOutboxPlans reads the engines' plans of what every node asks for every
// second, however much waits.
func TestOutboxPlans(t *testing.T) {
	if testing.Short() {
		t.Skip("writes many rows, and nothing at once")
	}
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld("x", true)
		w.insert(t, s)
		queue(t, s, w, 2000) // enough for PostgreSQL to prefer an index
		vacuum(t, s)
		for name, read := range map[string]func(*store.View) error{
			"DueNumbers": func(v *store.View) error { _, err := numbers.SelectDueNumbers(v, at(99_999)); return err },
			"Deliveries": func(v *store.View) error { _, err := v.Deliveries(w.ws, w.number.ID, at(99_999), 8); return err },
		} {
			view(t, s, func(v *store.View) error {
				plan, err := v.Plan(read)
				if !strings.Contains(plan, "deliveries_due") || strings.Contains(plan, "Seq Scan on deliveries") {
					t.Errorf("%s: the rows do not come from the index:\n%s", name, plan)
				}
				return err
			})
		}
	})
}

// TestDeliveriesInOrder returns one message of each conversation, those first
// that have waited longest.
func TestDeliveriesInOrder(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld("x", true)
		w.insert(t, s)
		write(t, s, w.ws, func(tx *store.Tx) error { return tx.DeleteDelivery(w.ws, w.conversation.ID, w.message.ID) })
		queue(t, s, w, 3)
		var got []string
		for {
			var due []store.Delivery
			view(t, s, func(v *store.View) (err error) {
				due, err = v.Deliveries(w.ws, w.number.ID, at(99_999), 9)
				return err
			})
			if len(due) == 0 {
				break
			}
			got = append(got, fmt.Sprint(len(due), " ", due[0].DueAt.Sub(at(100)).Milliseconds()))
			write(t, s, w.ws, func(tx *store.Tx) error {
				if due[0].DueAt.Equal(at(101)) && due[0].Attempts == 0 { // to be tried later
					due[0].DueAt, due[0].Attempts = at(200), 1
					return tx.UpdateDelivery(w.ws, &due[0])
				}
				return tx.DeleteDelivery(w.ws, due[0].ConversationID, due[0].MessageID)
			})
		}
		// The second of a conversation has its own time when it is the first.
		if want := []string{"3 0", "3 0", "2 1", "2 2", "2 2", "1 100", "1 1", "1 100"}; !slices.Equal(got, want) {
			t.Errorf("due are %q, want %q", got, want)
		}
	})
}

// TestDeliveriesOfOlderStores brings a store whose messages wait for groups to
// the newest schema: they go out one by one.
func TestDeliveriesOfOlderStores(t *testing.T) {
	empty(t, func(t *testing.T, o store.Options) {
		if err := store.MigrateTo(t.Context(), o, 5); err != nil {
			t.Fatal(err)
		}
		w := newWorld("x", false)
		ws, c := w.ws, w.conversation.ID
		older := storetest.Open(t, o)
		messages := []parley.ID{ids.New(at(1)), ids.New(at(2)), ids.New(at(3))}
		writeOlder(t, older, func(tx *store.Tx) error {
			errs := []error{
				tx.InsertWorkspace(&w.workspace), tx.InsertInbox(ws, &w.inbox), tx.InsertContact(ws, &w.contact),
				olderConversation(tx, w, c, "open", at(1)),
				tx.Exec(`INSERT INTO numbers (workspace_id, number_id, phone, driver, status, inbox_id, created_at, updated_at)
					VALUES ($1, $2, '1', 'sandbox', 'connected', $3, 1, 1)`, ws, w.number.ID, w.inbox.ID),
				tx.Exec(`INSERT INTO chatapp_groups (workspace_id, conversation_id, number_id, jid, invite_link)
					VALUES ($1, $2, $3, 'g', '')`, ws, c, w.number.ID),
			}
			for i, id := range messages {
				errs = append(errs, olderMessage(tx, w, id), tx.Exec(`INSERT INTO deliveries (workspace_id, conversation_id, message_id, attempts, due_at)
					VALUES ($1, $2, $3, 0, $4)`, ws, c, id, at(int64(i+1))))
			}
			return errors.Join(errs...)
		})
		if err := older.Close(); err != nil {
			t.Fatal(err)
		}
		if _, _, err := store.Migrate(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		s := storetest.Open(t, o)
		for i, id := range messages {
			var due []store.Delivery
			view(t, s, func(v *store.View) (err error) {
				due, err = v.Deliveries(ws, w.number.ID, at(9), 9)
				return err
			})
			if len(due) != 1 || due[0].MessageID != id || !due[0].DueAt.Equal(at(int64(i+1))) {
				t.Fatalf("due are %+v, want message %d", due, i)
			}
			write(t, s, ws, func(tx *store.Tx) error { return tx.DeleteDelivery(ws, c, id) })
		}
	})
}
