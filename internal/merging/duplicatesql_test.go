package merging_test

import (
	"errors"
	"slices"
	"testing"

	"parley"
	"parley/internal/merging"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// duplicated stores a workspace with two contacts who may be one.
func duplicated(t *testing.T, s *store.Store) (*storetest.Home, parley.ContactDuplicate) {
	t.Helper()
	h := storetest.NewHome(t, s)
	bob := parley.Contact{ID: h.NewID(42), Name: "Bob", CreatedAt: storetest.At(42), UpdatedAt: storetest.At(42), LastActivityAt: storetest.At(1)}
	d := parley.ContactDuplicate{
		ID: h.NewID(43), Email: "e", PhoneNumber: "p", CreatedAt: storetest.At(43),
		Contact: parley.ContactRef{ID: bob.ID, Name: bob.Name},
		Other:   parley.ContactRef{ID: h.Contact.ID, Name: h.Contact.Name, Email: h.Contact.Email},
	}
	h.Write(func(tx *store.Tx) error {
		return errors.Join(tx.InsertContact(h.WS, &bob), merging.InsertDuplicate(tx, h.WS, &d))
	})
	return h, d
}

// TestDuplicates stores possible duplicates, beside those of another workspace.
func TestDuplicates(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h, d := duplicated(t, s)
		other, _ := duplicated(t, s)
		pairs := func(ws parley.WorkspaceID, contact parley.ID) []parley.ContactDuplicate {
			var got []parley.ContactDuplicate
			h.View(func(v *store.View) (err error) {
				got, err = merging.SelectDuplicates(v, ws, contact, 9)
				return err
			})
			return got
		}
		for _, contact := range []parley.ID{{}, d.Contact.ID, d.Other.ID} {
			if got := pairs(h.WS, contact); !slices.Equal(got, []parley.ContactDuplicate{d}) {
				t.Errorf("the pairs of %s are %v, want %v", contact, got, d)
			}
		}
		if got := pairs(other.WS, d.Contact.ID); len(got) != 0 {
			t.Errorf("another workspace has the pairs %v", got)
		}
		h.View(func(v *store.View) error {
			if got, err := merging.SelectDuplicate(v, h.WS, d.ID); err != nil || got != d {
				t.Errorf("the pair is %v, %v", got, err)
			}
			for _, x := range []struct {
				ws   parley.WorkspaceID
				a, b parley.ID
				want bool
			}{
				{h.WS, d.Contact.ID, d.Other.ID, true}, {h.WS, d.Other.ID, d.Contact.ID, true},
				{h.WS, d.Contact.ID, d.Contact.ID, false}, {other.WS, d.Contact.ID, d.Other.ID, false},
			} {
				if got, err := merging.PairKnown(v, x.ws, x.a, x.b); err != nil || got != x.want {
					t.Errorf("the pair %v is known: %t, %v", x, got, err)
				}
			}
			if _, err := merging.SelectDuplicate(v, other.WS, d.ID); parley.KindOf(err) != parley.NotFound {
				t.Errorf("another workspace's pair gave %v", err)
			}
			return nil
		})
		h.Write(func(tx *store.Tx) error {
			known, err := merging.PairKnown(tx, h.WS, d.Contact.ID, d.Other.ID)
			if !known {
				t.Error("what was dismissed is not known any more")
			}
			return errors.Join(err, merging.DismissDuplicate(tx, h.WS, d.ID))
		})
		if got := pairs(h.WS, parley.ID{}); len(got) != 0 {
			t.Errorf("what was dismissed is there: %v", got)
		}
		h.Write(func(tx *store.Tx) error {
			gone, err := merging.DeleteDuplicatesOf(tx, h.WS, d.Other.ID)
			if !slices.Equal(gone, []parley.ID{d.ID}) {
				t.Errorf("forgotten are %v, want %v", gone, d.ID)
			}
			return err
		})
		h.Write(func(tx *store.Tx) error { return merging.InsertDuplicate(tx, h.WS, &d) })
		if got := pairs(h.WS, parley.ID{}); len(got) != 1 {
			t.Errorf("what was forgotten is not noted again: %v", got)
		}
		if got := pairs(other.WS, parley.ID{}); len(got) != 1 {
			t.Errorf("another workspace has the pairs %v", got)
		}
	})
}
