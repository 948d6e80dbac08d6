package customers_test

import (
	"errors"
	"slices"
	"testing"

	"parley"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/merging"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// A front is a workspace with a customer in front of a widget.
type front struct {
	*storetest.Home
	session parley.CustomerSession
	hash    [32]byte
}

// fronted stores a front; kid is the key that vouched for the customer.
func fronted(t *testing.T, s *store.Store, kid string) *front {
	t.Helper()
	h := &front{Home: storetest.NewHome(t, s)}
	copy(h.hash[:], h.WS[:])
	h.session = parley.CustomerSession{
		ID: h.NewID(40), Workspace: h.WS, InboxID: h.Inbox.ID, ContactID: h.Contact.ID, KID: kid,
		CreatedAt: storetest.At(40), SeenAt: storetest.At(41), ExpiresAt: storetest.At(99),
	}
	h.Write(func(tx *store.Tx) error { return customers.InsertCustomerSession(tx, h.WS, &h.session, h.hash) })
	return h
}

// TestCustomerSessions ends sessions, beside those of another workspace.
func TestCustomerSessions(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h, other := fronted(t, s, ""), fronted(t, s, "")
		found := func(h *front) bool {
			there := false
			h.View(func(v *store.View) error {
				got, err := customers.SelectCustomerSessionByHash(v, h.hash, storetest.At(98))
				there = err == nil && got.ID == h.session.ID
				if err != nil && parley.KindOf(err) != parley.NotFound {
					t.Errorf("the session gave %v", err)
				}
				if _, err := customers.SelectCustomerSessionByHash(v, h.hash, storetest.At(99)); parley.KindOf(err) != parley.NotFound {
					t.Errorf("a session that expired gave %v", err)
				}
				return nil
			})
			return there
		}
		for name, end := range map[string]func(*store.Tx) error{
			"its id": func(tx *store.Tx) error {
				return storetest.Did(customers.DeleteCustomerSession(tx, h.WS, h.session.ID))
			},
			"its contact": func(tx *store.Tx) error { return storetest.Did(desk.DeleteVisitorSessions(tx, h.WS, h.Contact.ID)) },
			"all of them": func(tx *store.Tx) error {
				return storetest.Did(deleted(customers.DeleteCustomerSessions(tx, h.WS, h.Contact.ID)))
			},
			"its inbox": func(tx *store.Tx) error {
				return storetest.Did(customers.DeleteVisitorSessionsOfInbox(tx, h.WS, h.Inbox.ID))
			},
			"its time": func(tx *store.Tx) error { return customers.DeleteExpiredCustomerSessions(tx, h.WS, storetest.At(100)) },
		} {
			if !found(h) {
				t.Fatalf("%s: the session is not there", name)
			}
			h.Write(end)
			if found(h) {
				t.Errorf("by %s the session did not end", name)
			}
			if !found(other) {
				t.Errorf("by %s another workspace's session ended", name)
			}
			h.Write(func(tx *store.Tx) error { return customers.InsertCustomerSession(tx, h.WS, &h.session, h.hash) })
		}
		moved := h.session
		moved.SeenAt, moved.ExpiresAt, moved.ContactID = storetest.At(60), storetest.At(98), h.NewID(3)
		credential := parley.Credential{Kind: parley.CredentialCustomer, ID: moved.ID, Contact: h.Contact.ID}
		valid := func() int {
			n := 0
			h.View(func(v *store.View) error {
				got, err := v.ValidCredentials(h.WS, []parley.Credential{credential}, storetest.At(70))
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
		h.Write(func(tx *store.Tx) error {
			return errors.Join(customers.UpdateCustomerSessionSeen(tx, h.WS, &moved), storetest.Did(merging.MoveCustomerSessions(tx, h.WS, h.Contact.ID, moved.ContactID)))
		})
		h.View(func(v *store.View) error {
			if got, err := customers.SelectCustomerSession(v, h.WS, moved.ID, storetest.At(97)); err != nil || got != moved {
				t.Errorf("the session is %v, %v, want %v", got, err, moved)
			}
			if ws, err := customers.SelectWorkspaceOfInbox(v, h.Inbox.ID); err != nil || ws != h.WS {
				t.Errorf("the workspace of the inbox is %v, %v", ws, err)
			}
			if _, err := customers.SelectWorkspaceOfInbox(v, h.Contact.ID); parley.KindOf(err) != parley.NotFound {
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

// TestSessionsOfKeys has the key that vouched for a customer go.
func TestSessionsOfKeys(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h := fronted(t, s, "k")
		h.Write(func(tx *store.Tx) error {
			return tx.InsertIdentityKey(h.WS, &parley.IdentityKey{
				KID: "k", Algorithm: "HS256", Kind: parley.SecretKey, CreatedAt: storetest.At(25), RevokedAt: storetest.At(25),
			}, []byte("sealed"))
		})
		h.View(func(v *store.View) error {
			if _, err := customers.SelectCustomerSessionByHash(v, h.hash, storetest.At(98)); parley.KindOf(err) != parley.NotFound {
				t.Errorf("the session of a revoked key gave %v", err)
			}
			return nil
		})
	})
}
