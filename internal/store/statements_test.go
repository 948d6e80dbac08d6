package store_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// postStatements is what a plain message costs inside its transaction: the head of
// the log, the conversation, the message, the activity, the event, the new head.
const postStatements = 6

// TestStatementsOfAPost counts the statements of a message: the history and the
// origin of events add nothing to a plain one, and one statement to one that
// opens its conversation.
func TestStatementsOfAPost(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		count := s.CountStatements()
		w := newWorld("x", true)
		w.insert(t, s)
		d := desk.New(desk.Options{Store: s, Clock: func() time.Time { return at(99) }, IDs: parley.NewIDs(nil), Log: storetest.Quiet()})
		by := desk.Caller{Workspace: w.ws, Actor: parley.MemberActor(&w.member)}
		inbox, err := d.CreateInbox(t.Context(), by, desk.NewInbox{Name: "API", Channel: parley.ChannelAPI})
		if err != nil {
			t.Fatal(err)
		}
		made, err := d.CreateConversation(t.Context(), by, desk.NewConversation{ContactID: w.contact.ID, InboxID: inbox.ID})
		if err != nil {
			t.Fatal(err)
		}
		cost := func(do func() error) int64 {
			t.Helper()
			before := count.Load()
			if err := do(); err != nil {
				t.Fatal(err)
			}
			return count.Load() - before
		}
		entries := func() int {
			t.Helper()
			p, err := d.ConversationHistory(parley.WholeWorkspace(w.ws), made.ID, parley.Position{}, 200).Now(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return len(p.Items)
		}
		post := func(direction parley.Direction) func() error {
			return func() error {
				_, err := d.PostMessage(t.Context(), by, made.ID, desk.NewMessage{Content: "hi", Direction: direction})
				return err
			}
		}
		if got := entries(); got != 1 {
			t.Fatalf("a new conversation has %d entries", got)
		}
		plain := cost(post(parley.Outgoing))
		t.Logf("a plain message costs %d statements, one that comes in %d", plain, cost(post(parley.Incoming)))
		if plain > postStatements {
			t.Errorf("a plain message costs %d statements, want at most %d", plain, postStatements)
		}
		if got := entries(); got != 1 {
			t.Errorf("messages made %d entries", got-1)
		}
		resolve := func(to parley.Status) func() error {
			return func() error {
				_, err := d.UpdateConversation(t.Context(), by, made.ID, desk.ConversationChange{Status: parley.Some(to)})
				return err
			}
		}
		if first, again := cost(resolve(parley.Resolved)), cost(resolve(parley.Resolved)); first <= again || entries() != 2 {
			t.Errorf("to resolve costs %d statements, again %d, and there are %d entries", first, again, entries())
		}
	})
}

// TestStatementsOfWays counts the statements for the ways to a contact's phone:
// fifty numbers need no more than one.
func TestStatementsOfWays(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ws, _ := found(t, s)
		contact := parley.Contact{ID: ids.New(at(1)), PhoneNumber: "+4915112345678", CreatedAt: at(1), UpdatedAt: at(1), LastActivityAt: at(1)}
		write(t, s, ws, func(tx *store.Tx) error { return tx.InsertContact(ws, &contact) })
		connect := func(from, to int) {
			t.Helper()
			fill(t, s, ws, to-from, func(tx *store.Tx, i int) error {
				phone := parley.Phone(fmt.Sprint(4930555000 + from + i))
				inbox := parley.Inbox{ID: ids.New(at(2)), Name: string(phone), Channel: parley.ChannelChatapp, CreatedAt: at(2), UpdatedAt: at(2)}
				number := parley.Number{
					ID: ids.New(at(2)), Phone: phone, Driver: parley.DriverSandbox, Status: parley.NumberConnected, Enabled: true,
					InboxID: inbox.ID, CreatedAt: at(2), UpdatedAt: at(2),
				}
				return errors.Join(tx.InsertInbox(ws, &inbox), inserted(tx.InsertNumber(ws, &number)))
			})
		}
		d := desk.New(desk.Options{Store: s, Clock: func() time.Time { return at(99) }, IDs: parley.NewIDs(nil), Log: storetest.Quiet()})
		count := s.CountReads()
		cost := func(want int) int64 {
			t.Helper()
			before := count.Load()
			ways, err := d.Ways(ws, contact.ID).Now(t.Context())
			if err != nil || len(ways) != want {
				t.Fatalf("there are %d ways, %v, want %d", len(ways), err, want)
			}
			for _, way := range ways {
				if way.Inbox.ID.IsZero() || way.Inbox.Name == "" || way.Inbox.Channel != parley.ChannelChatapp {
					t.Errorf("a way leads to %+v", way.Inbox)
				}
			}
			return count.Load() - before
		}
		connect(0, 1)
		one := cost(1)
		connect(1, 50)
		if many := cost(50); one == 0 || many != one {
			t.Errorf("the ways by one number cost %d statements, by fifty %d", one, many)
		}
	})
}
