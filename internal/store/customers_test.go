package store_test

import (
	"errors"
	"slices"
	"testing"

	"parley"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// A front is what a world has of customers in front of a widget.
type front struct {
	session   parley.CustomerSession
	settings  parley.WidgetSettings
	duplicate parley.ContactDuplicate
	other     parley.Contact // of the duplicate
	move      parley.CompanyMove
	left      string // identifier that the merged contact left behind
	source    parley.IdentitySource
}

func newFront(w *world, text string, full bool) front {
	f := front{left: "left " + text}
	if letters := []rune(f.left); len(letters) > 100 {
		f.left = string(letters[:100]) // as much as an index can take
	}
	f.source = parley.IdentitySource{Subject: f.left, Source: text}
	f.session = parley.CustomerSession{
		ID: ids.New(at(40)), Workspace: w.ws, InboxID: w.inbox.ID, ContactID: w.contact.ID, CreatedAt: at(40), SeenAt: at(41), ExpiresAt: at(99),
	}
	f.settings = parley.WidgetSettings{
		InboxID: w.inbox.ID, Identity: parley.IdentityRequired, Title: text, Greeting: text, ReplyTime: text, Color: text, Position: "left",
	}
	f.other = parley.Contact{ID: ids.New(at(42)), Name: text, CreatedAt: at(42), UpdatedAt: at(42), LastActivityAt: at(1)}
	f.duplicate = parley.ContactDuplicate{
		ID: ids.New(at(43)), Email: text, PhoneNumber: text, CreatedAt: at(43),
		Contact: parley.ContactRef{ID: f.other.ID, Name: text}, Other: parley.ContactRef{ID: w.contact.ID, Name: text},
	}
	f.move = parley.CompanyMove{ID: ids.New(at(44)), ContactID: w.contact.ID, MovedAt: at(44)}
	if full {
		f.settings.ShowTeam, f.source.Previous = true, text
		f.settings.Origins = []string{"https://a.example", "https://b.example"}
		f.move.From, f.move.To = parley.CompanyRef{ID: w.company.ID, Name: text}, parley.CompanyRef{ID: w.product.ID} // which is none
	}
	return f
}

// insertFront stores what a world has of customers. The other contact goes where
// it came from: other tests know one contact.
func (w *world) insertFront(tx *store.Tx) error {
	f := &w.front
	return errors.Join(
		customers.InsertCustomerSession(tx, w.ws, &f.session, w.hash),
		customers.PutWidgetSettings(tx, w.ws, &f.settings, at(45)),
		customers.InsertCompanyMove(tx, w.ws, &f.move),
		customers.UpsertIdentitySource(tx, w.ws, parley.IdentitySource{Subject: f.left}),
		customers.UpsertIdentitySource(tx, w.ws, f.source),
	)
}

// frontReads are the rows of reads about customers.
func frontReads(w *world) map[string]read {
	c, f := w.conversation.ID, w.front
	seen, _ := w.customerView()
	owner := parley.CustomerConversation{ID: c, ContactID: w.contact.ID, InboxID: w.inbox.ID}
	return map[string]read{
		"CustomerSession": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return customers.SelectCustomerSession(v, ws, f.session.ID, at(98))
		}, f.session},
		"CustomerConversationsByID": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return customers.SelectCustomerConversationsByID(v, ws, []parley.ID{c})
		}, []parley.CustomerConversation{seen}},
		"ConversationOwners": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return customers.SelectConversationOwners(v, ws, []parley.ID{c})
		}, []parley.CustomerConversation{owner}},
		"WidgetSettings": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return customers.SelectWidgetSettings(v, ws, w.inbox.ID)
		}, f.settings},
		"InboxesReaching": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return desk.SelectInboxesReaching(v, ws, w.contact.ID, at(0), 9)
		}, []parley.InboxRef(nil)},
		"CompanyMoves": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return desk.SelectCompanyMoves(v, ws, w.contact.ID, 9)
		}, []parley.CompanyMove{f.move}},
		"MergedContactByIdentifier": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return customers.SelectMergedContactByIdentifier(v, ws, f.left)
		}, w.contact},
		"IdentitySource": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return customers.SelectIdentitySource(v, ws, f.left)
		}, f.source},
	}
}

// TestInboxesReaching has two workspaces with an inbox for the web, and a session
// in one of them.
func TestInboxesReaching(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w, other := newWorld("x", true), newWorld("y", true)
		web := parley.Inbox{ID: w.front.other.ID, Name: "Web", Channel: parley.ChannelWeb}
		for _, w := range []*world{w, other} {
			w.insert(t, s)
			write(t, s, w.ws, func(tx *store.Tx) error { return tx.InsertInbox(w.ws, &web) })
		}
		session := parley.CustomerSession{ID: w.front.other.ID, InboxID: web.ID, ContactID: w.contact.ID, ExpiresAt: at(99)}
		write(t, s, w.ws, func(tx *store.Tx) error { return customers.InsertCustomerSession(tx, w.ws, &session, [32]byte{7}) })
		for _, of := range []struct {
			ws      parley.WorkspaceID
			contact parley.ID
			second  int64
			want    int
		}{{w.ws, w.contact.ID, 98, 1}, {w.ws, w.contact.ID, 99, 0}, {w.ws, w.front.other.ID, 98, 0}, {other.ws, w.contact.ID, 98, 0}} {
			view(t, s, func(v *store.View) error {
				got, err := desk.SelectInboxesReaching(v, of.ws, of.contact, at(of.second), 9)
				if len(got) != of.want {
					t.Errorf("%v at %d is reached by %v", of.contact, of.second, got)
				}
				return err
			})
		}
	})
}

// TestDuplicates stores possible duplicates, beside those of another workspace.
func TestDuplicates(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w, other := newWorld("x", true), newWorld("y", true)
		for _, w := range []*world{w, other} {
			w.insert(t, s)
			d := &w.front.duplicate
			d.Other.Email = w.contact.Email
			write(t, s, w.ws, func(tx *store.Tx) error {
				return errors.Join(tx.InsertContact(w.ws, &w.front.other), desk.InsertDuplicate(tx, w.ws, d))
			})
		}
		d := w.front.duplicate
		pairs := func(ws parley.WorkspaceID, contact parley.ID) []parley.ContactDuplicate {
			var got []parley.ContactDuplicate
			view(t, s, func(v *store.View) (err error) {
				got, err = desk.SelectDuplicates(v, ws, contact, 9)
				return err
			})
			return got
		}
		for _, contact := range []parley.ID{{}, d.Contact.ID, d.Other.ID} {
			if got := pairs(w.ws, contact); !slices.Equal(got, []parley.ContactDuplicate{d}) {
				t.Errorf("the pairs of %s are %v, want %v", contact, got, d)
			}
		}
		if got := pairs(other.ws, d.Contact.ID); len(got) != 0 {
			t.Errorf("another workspace has the pairs %v", got)
		}
		view(t, s, func(v *store.View) error {
			if got, err := desk.SelectDuplicate(v, w.ws, d.ID); err != nil || got != d {
				t.Errorf("the pair is %v, %v", got, err)
			}
			for _, x := range []struct {
				ws   parley.WorkspaceID
				a, b parley.ID
				want bool
			}{
				{w.ws, d.Contact.ID, d.Other.ID, true}, {w.ws, d.Other.ID, d.Contact.ID, true},
				{w.ws, d.Contact.ID, d.Contact.ID, false}, {other.ws, d.Contact.ID, d.Other.ID, false},
			} {
				if got, err := desk.PairKnown(v, x.ws, x.a, x.b); err != nil || got != x.want {
					t.Errorf("the pair %v is known: %t, %v", x, got, err)
				}
			}
			if _, err := desk.SelectDuplicate(v, other.ws, d.ID); parley.KindOf(err) != parley.NotFound {
				t.Errorf("another workspace's pair gave %v", err)
			}
			return nil
		})
		write(t, s, w.ws, func(tx *store.Tx) error {
			known, err := desk.PairKnown(tx, w.ws, d.Contact.ID, d.Other.ID)
			if !known {
				t.Error("what was dismissed is not known any more")
			}
			return errors.Join(err, desk.DismissDuplicate(tx, w.ws, d.ID))
		})
		if got := pairs(w.ws, parley.ID{}); len(got) != 0 {
			t.Errorf("what was dismissed is there: %v", got)
		}
		write(t, s, w.ws, func(tx *store.Tx) error {
			gone, err := desk.DeleteDuplicatesOf(tx, w.ws, d.Other.ID)
			if !slices.Equal(gone, []parley.ID{d.ID}) {
				t.Errorf("forgotten are %v, want %v", gone, d.ID)
			}
			return err
		})
		write(t, s, w.ws, func(tx *store.Tx) error { return desk.InsertDuplicate(tx, w.ws, &d) })
		if got := pairs(w.ws, parley.ID{}); len(got) != 1 {
			t.Errorf("what was forgotten is not noted again: %v", got)
		}
		if got := pairs(other.ws, parley.ID{}); len(got) != 1 {
			t.Errorf("another workspace has the pairs %v", got)
		}
	})
}

// TestCustomerSessions ends sessions, beside those of another workspace.
func TestCustomerSessions(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w, other := newWorld("x", true), newWorld("y", true)
		w.insert(t, s)
		other.insert(t, s)
		found := func(w *world) bool {
			there := false
			view(t, s, func(v *store.View) error {
				got, err := customers.SelectCustomerSessionByHash(v, w.hash, at(98))
				there = err == nil && got.ID == w.front.session.ID
				if err != nil && parley.KindOf(err) != parley.NotFound {
					t.Errorf("the session gave %v", err)
				}
				if _, err := customers.SelectCustomerSessionByHash(v, w.hash, at(99)); parley.KindOf(err) != parley.NotFound {
					t.Errorf("a session that expired gave %v", err)
				}
				return nil
			})
			return there
		}
		for name, end := range map[string]func(*store.Tx) error{
			"its id":      func(tx *store.Tx) error { return did(customers.DeleteCustomerSession(tx, w.ws, w.front.session.ID)) },
			"its contact": func(tx *store.Tx) error { return did(tx.DeleteVisitorSessions(w.ws, w.contact.ID)) },
			"all of them": func(tx *store.Tx) error {
				return did(deleted(customers.DeleteCustomerSessions(tx, w.ws, w.contact.ID)))
			},
			"its inbox": func(tx *store.Tx) error { return did(customers.DeleteVisitorSessionsOfInbox(tx, w.ws, w.inbox.ID)) },
			"its time":  func(tx *store.Tx) error { return customers.DeleteExpiredCustomerSessions(tx, w.ws, at(100)) },
		} {
			if !found(w) {
				t.Fatalf("%s: the session is not there", name)
			}
			write(t, s, w.ws, end)
			if found(w) {
				t.Errorf("by %s the session did not end", name)
			}
			if !found(other) {
				t.Errorf("by %s another workspace's session ended", name)
			}
			write(t, s, w.ws, func(tx *store.Tx) error { return customers.InsertCustomerSession(tx, w.ws, &w.front.session, w.hash) })
		}
		moved := w.front.session
		moved.SeenAt, moved.ExpiresAt, moved.ContactID = at(60), at(98), w.product.ID
		credential := parley.Credential{Kind: parley.CredentialCustomer, ID: moved.ID, Contact: w.contact.ID}
		valid := func() int {
			n := 0
			view(t, s, func(v *store.View) error {
				got, err := v.ValidCredentials(w.ws, []parley.Credential{credential}, at(70))
				if slices.Contains(got, credential) {
					n = 1
				}
				return err
			})
			return n
		}
		if valid() != 1 {
			t.Error("the session opens no stream")
		}
		write(t, s, w.ws, func(tx *store.Tx) error {
			return errors.Join(customers.UpdateCustomerSessionSeen(tx, w.ws, &moved), did(tx.UpdateCustomerSessionsContact(w.ws, w.contact.ID, moved.ContactID)))
		})
		view(t, s, func(v *store.View) error {
			if got, err := customers.SelectCustomerSession(v, w.ws, moved.ID, at(97)); err != nil || got != moved {
				t.Errorf("the session is %v, %v, want %v", got, err, moved)
			}
			if ws, err := customers.SelectWorkspaceOfInbox(v, w.inbox.ID); err != nil || ws != w.ws {
				t.Errorf("the workspace of the inbox is %v, %v", ws, err)
			}
			if _, err := customers.SelectWorkspaceOfInbox(v, w.contact.ID); parley.KindOf(err) != parley.NotFound {
				t.Errorf("the workspace of no inbox gave %v", err)
			}
			return nil
		})
		if valid() != 0 {
			t.Error("the session of another contact opens the stream")
		}
	})
}

// deleted reports whether some were.
func deleted(n int, err error) (bool, error) { return n > 0, err }

// did is the error of a statement that must have found something.
func did(found bool, err error) error {
	if err == nil && !found {
		err = errors.New("nothing was found")
	}
	return err
}

// TestSessionsOfKeys has the key that vouched for a customer go.
func TestSessionsOfKeys(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld("x", true)
		w.front.session.KID = w.identityKey.KID
		w.identityKey.RevokedAt = w.identityKey.CreatedAt
		w.insert(t, s)
		view(t, s, func(v *store.View) error {
			if _, err := customers.SelectCustomerSessionByHash(v, w.hash, at(98)); parley.KindOf(err) != parley.NotFound {
				t.Errorf("the session of a revoked key gave %v", err)
			}
			return nil
		})
	})
}

// TestUnseen counts what a customer has not seen: no notes, nothing of their own.
func TestUnseen(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld("x", false)
		w.insert(t, s)
		var public []parley.ID
		write(t, s, w.ws, func(tx *store.Tx) error {
			for i, m := range []parley.Message{
				{Direction: parley.Outgoing}, {Direction: parley.Outgoing, Private: true}, {Direction: parley.Incoming}, {Direction: parley.Outgoing},
			} {
				m.ID, m.CreatedAt, m.ConversationID = ids.New(at(50+int64(i))), at(50+int64(i)), w.conversation.ID
				m.ContentType, m.Status, m.Sender.Type = parley.Text, parley.Sent, parley.SenderBot
				if m.Direction == parley.Outgoing && !m.Private {
					public = append(public, m.ID)
				}
				if err := tx.InsertMessage(w.ws, &m); err != nil {
					return err
				}
			}
			return nil
		})
		check := func(count int, newest ...parley.ID) {
			t.Helper()
			view(t, s, func(v *store.View) error {
				c, err := customers.SelectCustomerConversation(v, parley.WholeWorkspace(w.ws), w.conversation.ID)
				if err != nil || c.UnreadCount != count {
					t.Errorf("%d messages are unread, %v, want %d", c.UnreadCount, err, count)
				}
				unseen, err := customers.SelectUnseenMessages(v, parley.WholeWorkspace(w.ws), w.conversation.ID, 9)
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
		write(t, s, w.ws, func(tx *store.Tx) error { return tx.UpdateConversationSeen(w.ws, w.conversation.ID, public[0], at(90)) })
		check(1, public[1])
		write(t, s, w.ws, func(tx *store.Tx) error { return tx.UpdateConversationSeen(w.ws, w.conversation.ID, public[1], at(90)) })
		check(0)
	})
}
