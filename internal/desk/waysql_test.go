package desk_test

import (
	"testing"

	"parley"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestInboxesReaching has two workspaces with an inbox for the web, and a session
// in one of them.
func TestInboxesReaching(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h, other := storetest.NewHome(t, s), storetest.NewHome(t, s)
		web := parley.Inbox{ID: h.NewID(42), Name: "Web", Channel: parley.ChannelWeb}
		for _, h := range []*storetest.Home{h, other} {
			h.Write(func(tx *store.Tx) error { return tx.InsertInbox(h.WS, &web) })
		}
		session := parley.CustomerSession{ID: web.ID, InboxID: web.ID, ContactID: h.Contact.ID, ExpiresAt: storetest.At(99)}
		h.Write(func(tx *store.Tx) error { return customers.InsertCustomerSession(tx, h.WS, &session, [32]byte{7}) })
		for _, of := range []struct {
			ws      parley.WorkspaceID
			contact parley.ID
			second  int64
			want    int
		}{{h.WS, h.Contact.ID, 98, 1}, {h.WS, h.Contact.ID, 99, 0}, {h.WS, web.ID, 98, 0}, {other.WS, h.Contact.ID, 98, 0}} {
			h.View(func(v *store.View) error {
				got, err := desk.SelectInboxesReaching(v, of.ws, of.contact, storetest.At(of.second), 9)
				if len(got) != of.want {
					t.Errorf("%v at %d is reached by %v", of.contact, of.second, got)
				}
				return err
			})
		}
	})
}
