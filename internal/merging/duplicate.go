package merging

import (
	"context"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/wire"
)

// maxDuplicates is how many possible duplicates are returned.
const maxDuplicates = 200

// Duplicates returns pairs of contacts that may be one person, newest first, at
// most 200. If contact is not zero, it returns only its pairs, also given the
// id of a contact that was merged into it. Merging a pair resolves it.
func (svc *Service) Duplicates(ws parley.WorkspaceID, contact parley.ID) desk.Read[[]parley.ContactDuplicate] {
	return desk.Snapshot(svc.desk, func(v *store.View) ([]parley.ContactDuplicate, error) {
		contact := contact // the closure may run more than once
		if !contact.IsZero() {
			c, err := desk.ContactNow(v, ws, contact)
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

// DismissDuplicate records that two contacts are not the same person, so that
// the pair is not shown again.
func (svc *Service) DismissDuplicate(ctx context.Context, by desk.Caller, id parley.ID) (parley.ContactDuplicate, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.ContactDuplicate, error) {
		pair, err := SelectDuplicate(t, t.WS, id)
		if err != nil {
			return pair, err
		}
		t.Announce(parley.DuplicateDeleted, parley.ID{}, nil, wire.AppendID(nil, id))
		return pair, DismissDuplicate(t, t.WS, id)
	})
}

// NoteDuplicate records that a signed identity has an e-mail address or phone
// number of another contact, unless the pair is known in either order.
func NoteDuplicate(t *desk.Tx, contact parley.ID, of parley.ContactDuplicate) error {
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

// ForgetDuplicates deletes the possible duplicates of a contact that is being
// merged or erased.
func ForgetDuplicates(t *desk.Tx, contact parley.ID) error {
	pairs, err := DeleteDuplicatesOf(t, t.WS, contact)
	for _, id := range pairs {
		t.Announce(parley.DuplicateDeleted, parley.ID{}, nil, wire.AppendID(nil, id))
	}
	return err
}
