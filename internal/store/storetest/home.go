package storetest

import (
	"errors"
	"testing"
	"time"

	"parley"
	"parley/internal/store"
)

// At returns a time by its milliseconds, with the precision that the store keeps.
func At(ms int64) time.Time { return time.UnixMilli(1_790_000_000_000 + ms).UTC() }

// Write changes a workspace in one transaction.
func Write(t testing.TB, s *store.Store, ws parley.WorkspaceID, fn func(*store.Tx) error) {
	t.Helper()
	if err := s.Write(t.Context(), ws, fn); err != nil {
		t.Fatalf("write: %v", err)
	}
}

// Did is the error of a statement that must have changed something.
func Did(changed bool, err error) error {
	if err == nil && !changed {
		err = errors.New("nothing was changed")
	}
	return err
}

// Fill runs insert for each of count numbers, some in a transaction: a write
// takes only so long, and more on a slow machine.
func Fill(t testing.TB, s *store.Store, ws parley.WorkspaceID, count int, insert func(tx *store.Tx, i int) error) {
	t.Helper()
	const together = 100
	for from := 0; from < count; from += together {
		Write(t, s, ws, func(tx *store.Tx) error {
			var errs []error
			for i := from; i < min(from+together, count); i++ {
				errs = append(errs, insert(tx, i))
			}
			return errors.Join(errs...)
		})
	}
}

// View reads a snapshot.
func View(t testing.TB, s *store.Store, fn func(*store.View) error) {
	t.Helper()
	if err := s.Snapshot(t.Context(), fn); err != nil {
		t.Fatalf("view: %v", err)
	}
}

// A Home is a workspace with one record of each kind that most others belong
// to. A test of statements writes what it is about beside them.
type Home struct {
	WS           parley.WorkspaceID
	Member       parley.Member
	Inbox        parley.Inbox
	Contact      parley.Contact
	Conversation parley.Conversation
	IDs          *parley.IDs

	t     testing.TB
	store *store.Store
}

// NewHome stores a workspace whose records are from the beginning of time, At(0).
func NewHome(t testing.TB, s *store.Store) *Home {
	t.Helper()
	h := &Home{IDs: parley.NewIDs(nil), t: t, store: s}
	h.WS = parley.WorkspaceID(h.NewID(0))
	h.Member = parley.Member{ID: h.IDs.NewUserID(), Email: "owner@x.example", Name: "Olive", Role: parley.Owner, CreatedAt: At(0), UpdatedAt: At(0)}
	h.Inbox = parley.Inbox{ID: h.NewID(0), Name: "Inbox", Channel: parley.ChannelAPI, CreatedAt: At(0), UpdatedAt: At(0)}
	h.Contact = parley.Contact{
		ID: h.NewID(0), Name: "Ann", Email: "ann@x.example", CreatedAt: At(0), UpdatedAt: At(0), LastActivityAt: At(0),
	}
	h.Conversation = parley.Conversation{
		ID: h.NewID(0), Status: parley.Open, LastActivityAt: At(0), CreatedAt: At(0),
		Contact: parley.ContactRef{ID: h.Contact.ID, Name: h.Contact.Name, Email: h.Contact.Email},
		Inbox:   parley.InboxRef{ID: h.Inbox.ID, Name: h.Inbox.Name, Channel: h.Inbox.Channel},
	}
	h.Write(func(tx *store.Tx) error {
		err := tx.InsertWorkspace(&parley.Workspace{ID: h.WS, Name: "Home", Epoch: "e", CreatedAt: At(0)})
		_, memberErr := tx.InsertMember(h.WS, &h.Member)
		return errors.Join(err, memberErr,
			tx.InsertInbox(h.WS, &h.Inbox), tx.InsertContact(h.WS, &h.Contact),
			tx.InsertConversation(h.WS, &h.Conversation, h.Conversation.LastActivityAt),
		)
	})
	return h
}

// NewID returns an id of At(ms).
func (h *Home) NewID(ms int64) parley.ID { return h.IDs.New(At(ms)) }

// Write changes the workspace in one transaction.
func (h *Home) Write(fn func(*store.Tx) error) {
	h.t.Helper()
	Write(h.t, h.store, h.WS, fn)
}

// View reads a snapshot.
func (h *Home) View(fn func(*store.View) error) {
	h.t.Helper()
	View(h.t, h.store, fn)
}

// Fill runs insert for each of count numbers.
func (h *Home) Fill(count int, insert func(tx *store.Tx, i int) error) {
	h.t.Helper()
	Fill(h.t, h.store, h.WS, count, insert)
}
