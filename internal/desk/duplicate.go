package desk

import (
	"context"

	"parley"
	"parley/internal/store"
	"parley/internal/wire"
)

// maxDuplicates is how many possible duplicates are shown.
const maxDuplicates = 200

// Duplicates returns pairs of contacts that may be one person, newest first, 200
// at most; those of one contact, also by the id of one that was merged into it,
// where that is not zero. Merging the two resolves a pair.
func (d *Desk) Duplicates(ctx context.Context, ws parley.WorkspaceID, contact parley.ID) ([]parley.ContactDuplicate, error) {
	return Snapshot(ctx, d, func(v *store.View) ([]parley.ContactDuplicate, error) {
		if !contact.IsZero() {
			c, err := ContactNow(v, ws, contact)
			if parley.KindOf(err) == parley.NotFound {
				return nil, nil
			}
			if err != nil {
				return nil, err
			}
			contact = c.ID
		}
		return SelectDuplicates(v, ws, contact, maxDuplicates)
	})
}

// DismissDuplicate notes that two contacts are not one, so that they are not
// shown as a pair again.
func (d *Desk) DismissDuplicate(ctx context.Context, by Caller, id parley.ID) (parley.ContactDuplicate, error) {
	return Write(ctx, d, by, func(t *Tx) (parley.ContactDuplicate, error) {
		pair, err := SelectDuplicate(t, t.WS, id)
		if err != nil {
			return pair, err
		}
		t.Announce(parley.DuplicateDeleted, parley.ID{}, nil, wire.AppendID(nil, id))
		return pair, DismissDuplicate(t, t.WS, id)
	})
}

// NoteDuplicate notes that a signed identity came with an e-mail address or a
// phone number that another contact has, unless somebody knows of the two,
// whoever came first.
func (t *Tx) NoteDuplicate(contact parley.ID, of parley.ContactDuplicate) error {
	known, err := PairKnown(t, t.WS, contact, of.Other.ID)
	if err != nil || known {
		return err
	}
	id := t.IDs.New(t.Now)
	of.ID, of.Contact, of.CreatedAt = id, parley.ContactRef{ID: contact}, t.Now
	if err := InsertDuplicate(t, t.WS, &of); err != nil {
		return err
	}
	pair, err := SelectDuplicate(t, t.WS, id)
	if err != nil {
		return err
	}
	t.Announce(parley.DuplicateCreated, parley.ID{}, nil, wire.AppendDuplicate(nil, &pair))
	return nil
}

// forgetDuplicates forgets with whom a contact may be one that becomes part of
// another one.
func (t *Tx) forgetDuplicates(contact parley.ID) error {
	pairs, err := DeleteDuplicatesOf(t, t.WS, contact)
	for _, id := range pairs {
		t.Announce(parley.DuplicateDeleted, parley.ID{}, nil, wire.AppendID(nil, id))
	}
	return err
}

// maxCompanyMoves is how many moves between companies are shown.
const maxCompanyMoves = 50

// CompanyMoves returns from which company to which signed identities took a
// contact, also by the id of one that was merged into it, newest first, 50 at
// most.
func (d *Desk) CompanyMoves(ctx context.Context, ws parley.WorkspaceID, contact parley.ID) ([]parley.CompanyMove, error) {
	return Snapshot(ctx, d, func(v *store.View) ([]parley.CompanyMove, error) {
		c, err := ContactNow(v, ws, contact)
		if err != nil {
			return nil, err
		}
		return SelectCompanyMoves(v, ws, c.ID, maxCompanyMoves)
	})
}
