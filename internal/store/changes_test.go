package store_test

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

func writeOlder(t testing.TB, s *store.Store, fn func(*store.Tx) error) {
	t.Helper()
	if err := store.WriteOlder(t.Context(), s, fn); err != nil {
		t.Fatalf("write: %v", err)
	}
}

// olderConversation stores a conversation of the first schema, which was
// changed at second 0.5.
func olderConversation(tx *store.Tx, w *world, id parley.ID, status string, active time.Time) error {
	return tx.Exec(`INSERT INTO conversations (workspace_id, conversation_id, contact_id, inbox_id, status, priority,
		labels, unread_count, custom_attributes, last_activity_at, changed_at, created_at)
		VALUES ($1, $2, $3, $4, $5, '', '', 0, '', $6, $7, $7)`, w.ws, id, w.contact.ID, w.inbox.ID, status, active, at(500))
}

// olderMessage inserts a message of a system into the world's conversation of a
// store before migration 27.
func olderMessage(tx *store.Tx, w *world, id parley.ID) error {
	return tx.Exec(`INSERT INTO messages (workspace_id, conversation_id, message_id, content, content_type, direction, status,
		private, sender_type, error, created_at)
		VALUES ($1, $2, $3, 'x', 'text', 'outgoing', 'sent', $4, 'system', '', $5)`, w.ws, w.conversation.ID, id, false, at(13))
}

// A changing is a workspace whose conversations are changed by many writers, on
// two nodes if the engine allows that, under clocks that jump. The count of
// unread messages of a conversation increases with each of its changes, and so
// identifies its states.
type changing struct {
	nodes         []*store.Store
	ws            parley.WorkspaceID
	contacts      []parley.ID
	inbox         parley.ID
	mu            sync.Mutex
	conversations []parley.ID
}

func newChanging(t *testing.T, o store.Options) *changing {
	t.Helper()
	x := &changing{nodes: []*store.Store{storetest.Open(t, o)}}
	if o.Database != "" {
		x.nodes = append(x.nodes, storetest.Open(t, o))
	}
	ws, first := found(t, x.nodes[0])
	x.ws, x.inbox, x.contacts, x.conversations = ws, first.Inbox.ID, []parley.ID{first.Contact.ID}, []parley.ID{first.ID}
	write(t, x.nodes[0], ws, func(tx *store.Tx) error {
		var errs []error
		for range 4 {
			k := parley.Contact{ID: ids.New(at(0))}
			x.contacts = append(x.contacts, k.ID)
			errs = append(errs, tx.InsertContact(ws, &k))
		}
		return errors.Join(errs...)
	})
	return x
}

// errOnPurpose makes the store undo a closure.
var errOnPurpose = errors.New("on purpose")

// change makes one random change.
func (x *changing) change(t *testing.T, random *rand.Rand, now time.Time) {
	x.mu.Lock()
	id := x.conversations[random.IntN(len(x.conversations))]
	x.mu.Unlock()
	kind, contact, undo := random.IntN(7), x.contacts[random.IntN(len(x.contacts))], random.IntN(10) == 0
	made := ids.New(now)
	err := x.nodes[random.IntN(len(x.nodes))].Write(t.Context(), x.ws, func(tx *store.Tx) error {
		c, err := tx.Conversation(parley.WholeWorkspace(x.ws), id)
		if err != nil {
			return err
		}
		c.UnreadCount++
		event := parley.Event{Type: parley.MessageUpdated, CreatedAt: now, ConversationID: id}
		switch kind {
		case 0:
			c.ID, c.UnreadCount, c.Contact.ID = made, 0, contact
			return tx.InsertConversation(x.ws, &c, now)
		case 1:
			err = errors.Join(x.count(tx, &c), tx.UpdateConversation(x.ws, &c, now))
		case 2:
			err = errors.Join(x.count(tx, &c), tx.UpdateConversationSeen(x.ws, id, made, now))
		case 3:
			// Each of the contact's conversations changes, without an event
			// that names it.
			err = errors.Join(tx.Exec("UPDATE conversations SET unread_count = unread_count + 1 WHERE workspace_id = $1 AND contact_id = $2",
				x.ws, contact), tx.UpdateConversationsContact(x.ws, contact, contact, now))
		case 4:
			err = x.count(tx, &c)
			tx.Emit(x.ws, event) // a message changed
		default:
			err = tx.UpdateConversationActivity(x.ws, &c, now) // which a backfill does not change
		}
		if err == nil && undo {
			return errOnPurpose
		}
		return err
	})
	switch {
	case errors.Is(err, errOnPurpose):
	case err != nil:
		t.Errorf("write: %v", err)
	case kind == 0:
		x.mu.Lock()
		x.conversations = append(x.conversations, made)
		x.mu.Unlock()
	}
}

func (x *changing) count(tx *store.Tx, c *parley.Conversation) error {
	return tx.Exec("UPDATE conversations SET unread_count = $3 WHERE workspace_id = $1 AND conversation_id = $2", x.ws, c.ID, c.UnreadCount)
}

// A poller stores what it read, and continues from the last change that it saw.
type poller struct {
	known map[parley.ID]parley.Conversation
	since time.Time
}

func (p *poller) poll(t *testing.T, s *store.Store, ws parley.WorkspaceID, limit int) {
	after := parley.Position{}
	for {
		var page parley.Page[parley.Conversation]
		err := s.View(t.Context(), func(v *store.View) (err error) {
			page, err = v.Conversations(parley.WholeWorkspace(ws), store.ConversationFilter{UpdatedSince: p.since}, after, limit)
			return err
		})
		if err != nil {
			t.Errorf("poll: %v", err)
			return
		}
		last := after.At
		for _, c := range page.Items {
			if c.UpdatedAt.Before(last) {
				t.Errorf("a change of %s comes behind one of %s", c.UpdatedAt, last)
			}
			last = c.UpdatedAt
			p.known[c.ID] = c
		}
		if !page.HasMore {
			p.since = cmp.Or(last, p.since)
			return
		}
		after = page.Next
	}
}

// TestPollersMissNothing has writers race under clocks that jump back and forth
// by an hour, and pollers that read in the meantime. In the end each poller has
// the newest state of all conversations.
func TestPollersMissNothing(t *testing.T) {
	storetest.Both(t, func(t *testing.T, o store.Options) {
		const writers, changes, pollers = 8, 120, 3
		x := newChanging(t, o)
		var clock, left atomic.Int64
		clock.Store(time.Now().UnixMilli())
		left.Store(writers)
		var all sync.WaitGroup
		for n := range writers {
			all.Go(func() {
				defer left.Add(-1)
				random := rand.New(rand.NewPCG(uint64(n), 1))
				for range changes {
					step := random.Int64N(3) // often the same millisecond
					if random.IntN(20) == 0 {
						step = (random.Int64N(3) - 1) * time.Hour.Milliseconds()
					}
					x.change(t, random, time.UnixMilli(clock.Add(step)))
				}
			})
		}
		readers := make([]poller, pollers)
		for n := range readers {
			p := &readers[n]
			p.known, p.since = map[parley.ID]parley.Conversation{}, time.UnixMilli(1)
			all.Go(func() {
				for left.Load() > 0 {
					p.poll(t, x.nodes[n%len(x.nodes)], x.ws, 1+n*7)
				}
			})
		}
		all.Wait()
		for n := range readers {
			readers[n].poll(t, x.nodes[0], x.ws, 5)
		}
		view(t, x.nodes[0], func(v *store.View) error {
			for _, id := range x.conversations {
				now, err := v.Conversation(parley.WholeWorkspace(x.ws), id)
				if err != nil {
					return err
				}
				for n := range readers {
					if got := readers[n].known[id]; got.UnreadCount != now.UnreadCount || !got.UpdatedAt.Equal(now.UpdatedAt) {
						t.Errorf("poller %d has state %d of %s, changed at %s; it is %d of %s", n,
							got.UnreadCount, id, got.UpdatedAt, now.UnreadCount, now.UpdatedAt)
					}
				}
			}
			return nil
		})
	})
}

// TestChangesOfOlderStores upgrades a store whose conversations have no time of
// their last change to the newest schema.
func TestChangesOfOlderStores(t *testing.T) {
	empty(t, func(t *testing.T, o store.Options) {
		if err := store.MigrateTo(t.Context(), o, 8); err != nil {
			t.Fatal(err)
		}
		type message struct {
			direction, sender string
			private           bool
		}
		question, answer := message{direction: "incoming", sender: "contact"}, message{direction: "outgoing", sender: "agent"}
		note, bot, notice := answer, answer, answer
		note.private, bot.sender, notice.sender = true, "bot", "system"
		tests := map[string]struct {
			status   string
			messages []message // at second 1, 2, 3
			waiting  int64     // the second; 0 for nobody
		}{
			"silent":            {"open", nil, 0},
			"asked":             {"open", []message{question, question}, 1},
			"answered":          {"open", []message{question, answer}, 0},
			"answered by a bot": {"pending", []message{question, bot}, 0},
			"asked again":       {"pending", []message{question, answer, question}, 3},
			"noted":             {"open", []message{question, note, notice}, 1},
			"done":              {"resolved", []message{question}, 0},
		}
		older := storetest.Open(t, o)
		w := newWorld("x", true)
		ws := w.ws
		known := map[string]parley.ID{}
		writeOlder(t, older, func(tx *store.Tx) error {
			errs := []error{tx.InsertWorkspace(&w.workspace), tx.InsertProduct(ws, &w.product), tx.InsertInbox(ws, &w.inbox),
				inserted(tx.InsertCompany(ws, &w.company)), tx.InsertContact(ws, &w.contact)}
			for name, test := range tests {
				id := ids.New(at(0))
				known[name] = id
				errs = append(errs, olderConversation(tx, w, id, test.status, at(int64(1000*len(test.messages)))))
				for i, m := range test.messages {
					errs = append(errs, tx.Exec(`INSERT INTO messages (workspace_id, conversation_id, message_id, content, content_type,
						direction, status, private, sender_type, error, created_at) VALUES ($1, $2, $3, '', 'text', $4, 'sent', $5, $6, '', $7)`,
						ws, id, ids.New(at(0)), m.direction, m.private, m.sender, at(int64(1000*(i+1)))))
				}
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
		for name, test := range tests {
			view(t, s, func(v *store.View) error {
				c, err := v.Conversation(parley.WholeWorkspace(ws), known[name])
				if want := at(max(500, int64(1000*len(test.messages)))); !c.UpdatedAt.Equal(want) {
					t.Errorf("%s: changed at %s, want %s", name, c.UpdatedAt, want)
				}
				if want := at(1000 * test.waiting); test.waiting == 0 && !c.WaitingSince.IsZero() || test.waiting > 0 && !c.WaitingSince.Equal(want) {
					t.Errorf("%s: waiting since %s, want second %d", name, c.WaitingSince, test.waiting)
				}
				return err
			})
		}
		// A clock that is behind does not move the time back.
		var c parley.Conversation
		write(t, s, ws, func(tx *store.Tx) (err error) {
			c, err = tx.Conversation(parley.WholeWorkspace(ws), known["silent"])
			return errors.Join(err, tx.UpdateConversation(ws, &c, at(0)))
		})
		if !c.UpdatedAt.Equal(at(3001)) {
			t.Errorf("the next change is of %s, want %s", c.UpdatedAt, at(3001))
		}
	})
}

// TestChangesKeepTheTimeOfTheClock checks that UpdatedAt is the time of the
// clock while the clock moves forward.
func TestChangesKeepTheTimeOfTheClock(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ws, c := found(t, s)
		var got []time.Duration
		for _, later := range []time.Duration{time.Second, time.Second, 3 * time.Second, 2 * time.Second, 4 * time.Second} {
			write(t, s, ws, func(tx *store.Tx) error { return tx.UpdateConversation(ws, &c, c.CreatedAt.Add(later)) })
			got = append(got, c.UpdatedAt.Sub(c.CreatedAt))
		}
		want := []time.Duration{time.Second, 1001 * time.Millisecond, 3 * time.Second, 3001 * time.Millisecond, 4 * time.Second}
		if !slices.Equal(got, want) {
			t.Errorf("the changes are of %v, want %v", got, want)
		}
	})
}
