package desk_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestUpdateExpiredAttachments asks for files that no message took: the oldest first,
// no more than wanted, and the same again until they are deleted.
func TestUpdateExpiredAttachments(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h := storetest.NewHome(t, s)
		ws := h.WS
		waiting := make([]desk.Attachment, 4)
		taken := desk.Attachment{Attachment: parley.Attachment{ID: h.NewID(1), CreatedAt: storetest.At(1)}, Stored: true}
		storetest.Write(t, s, ws, func(tx *store.Tx) error {
			errs := []error{desk.InsertAttachment(tx, ws, &taken)}
			m := parley.Message{ID: h.NewID(1), ConversationID: h.NewID(1)}
			errs = append(errs, desk.UpdateAttachmentMessage(tx, ws, taken.ID, &m))
			for i := range waiting {
				created := storetest.At(int64(i + 1))
				waiting[i] = desk.Attachment{Attachment: parley.Attachment{ID: h.IDs.New(created), CreatedAt: created}, Stored: true}
				errs = append(errs, desk.InsertAttachment(tx, ws, &waiting[i]))
			}
			return errors.Join(errs...)
		})
		var after parley.Position
		forsake := func(before int64, limit int, want ...parley.ID) {
			t.Helper()
			storetest.Write(t, s, ws, func(tx *store.Tx) error {
				found, err := desk.UpdateExpiredAttachments(tx, ws, storetest.At(before), after, limit)
				var got []parley.ID
				for _, p := range found {
					got = append(got, p.ID)
				}
				if err == nil && !slices.Equal(got, want) {
					t.Errorf("before %d, %d at most: %v, want %v", before, limit, got, want)
				}
				return err
			})
		}
		first, second, third := waiting[0].ID, waiting[1].ID, waiting[2].ID
		forsake(1, 9)
		forsake(4, 2, first, second)
		forsake(4, 9, first, second, third)
		after = parley.Position{At: waiting[0].CreatedAt, ID: first}
		forsake(4, 9, second, third)
		after = parley.Position{}
		storetest.Write(t, s, ws, func(tx *store.Tx) error { return desk.DeleteAttachment(tx, ws, first) })
		forsake(4, 1, second)
		storetest.View(t, s, func(v *store.View) error {
			for id, stored := range map[parley.ID]bool{second: false, third: false, waiting[3].ID: true, taken.ID: true} {
				if a, err := desk.SelectAttachment(v, parley.WholeWorkspace(ws), id); err != nil || a.Stored != stored {
					t.Errorf("the file %s is stored: %t, %v, want %t", id, a.Stored, err, stored)
				}
			}
			if _, err := desk.SelectAttachment(v, parley.WholeWorkspace(ws), first); parley.KindOf(err) != parley.NotFound {
				t.Errorf("a deleted file: %v", err)
			}
			return nil
		})
	})
}

// TestWaitingBytes adds up what waits of customers, beside what does not, and
// what is of another workspace.
func TestWaitingBytes(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h := storetest.NewHome(t, s)
		ws, other := h.WS, storetest.NewHome(t, s).WS
		contact := h.NewID(1)
		add := func(ws parley.WorkspaceID, contact parley.ID, size int64) parley.ID {
			a := desk.Attachment{Attachment: parley.Attachment{ID: h.NewID(1), CreatedAt: storetest.At(1), Size: size}, ContactID: contact}
			storetest.Write(t, s, ws, func(tx *store.Tx) error { return desk.InsertAttachment(tx, ws, &a) })
			return a.ID
		}
		want := func(want int64) {
			t.Helper()
			storetest.View(t, s, func(v *store.View) error {
				got, err := desk.SelectWaitingBytes(v, ws, 1<<20)
				if err == nil && got != want {
					t.Errorf("%d bytes wait, want %d", got, want)
				}
				return err
			})
		}
		want(0)
		add(other, contact, 1<<30)
		add(ws, parley.ID{}, 1<<30) // of a member
		want(0)
		storetest.View(t, s, func(v *store.View) error {
			got, err := desk.SelectTeamWaitingBytes(v, ws, 1<<20)
			if err == nil && got != 1<<30 {
				t.Errorf("%d bytes of members wait, want %d", got, 1<<30)
			}
			return err
		})
		taken := add(ws, contact, 5<<30)
		add(ws, contact, 100_000)
		add(ws, contact, 1)
		add(ws, contact, 0) // arrives
		want(5<<30 + 100_000 + 64<<10 + 1<<20)
		storetest.Write(t, s, ws, func(tx *store.Tx) error {
			m := parley.Message{ID: h.NewID(1), ConversationID: h.NewID(1)}
			return desk.UpdateAttachmentMessage(tx, ws, taken, &m)
		})
		want(100_000 + 64<<10 + 1<<20)
	})
}

// TestUpdateAttachmentsContact gives what waits to another contact, and nothing
// else.
func TestUpdateAttachmentsContact(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h := storetest.NewHome(t, s)
		ws := h.WS
		from, to, other := h.NewID(1), h.NewID(2), h.NewID(3)
		all := map[parley.ID]parley.ID{} // by file: the contact it should belong to
		storetest.Write(t, s, ws, func(tx *store.Tx) error {
			var errs []error
			for contact, want := range map[parley.ID]parley.ID{from: to, to: to, other: other} {
				a := desk.Attachment{Attachment: parley.Attachment{ID: h.NewID(4), CreatedAt: storetest.At(4), Duration: time.Second}, ContactID: contact}
				errs = append(errs, desk.InsertAttachment(tx, ws, &a))
				all[a.ID] = want
			}
			return errors.Join(append(errs, desk.UpdateAttachmentsContact(tx, ws, from, to))...)
		})
		storetest.View(t, s, func(v *store.View) error {
			if n, err := desk.CountWaitingAttachments(v, ws, to); err != nil || n != 2 {
				t.Errorf("%d files wait, %v, want 2", n, err)
			}
			for id, want := range all {
				if a, err := desk.SelectAttachment(v, parley.WholeWorkspace(ws), id); err != nil || a.ContactID != want {
					t.Errorf("a file belongs to %s, %v, want %s", a.ContactID, err, want)
				}
			}
			return nil
		})
	})
}
