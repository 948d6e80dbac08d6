package erasure

import (
	"slices"

	"parley"
	"parley/internal/desk"
	"parley/internal/merging"
	"parley/internal/numbers"
	"parley/internal/search"
	"parley/internal/store"
	"parley/internal/wire"
)

// deleteContact deletes the contact and what is known about the person elsewhere. If
// the person has begun another conversation, that is deleted first.
func (t *tx) deleteContact(e *Erasure) (progress, error) {
	contacts := e.Subjects.Contacts
	if len(contacts) == 0 {
		return done, nil
	}
	if _, err := desk.SelectTimer(t, t.WS, networksTimer, e.ID.String()); parley.KindOf(err) != parley.NotFound {
		return wait, err
	}
	if grown, err := t.followMerge(e); err != nil || grown {
		return more, err
	}
	if _, err := selectConversationOf(t, t.WS, contacts); parley.KindOf(err) != parley.NotFound {
		e.step = "conversations"
		return wait, err
	}
	there, err := selectContactsThere(t, t.WS, contacts)
	if err != nil {
		return more, err
	}
	identifiers, err := t.identifiers(contacts)
	if err != nil {
		return more, err
	}
	uploads, err := selectUploads(t, t.WS, contacts)
	if err != nil {
		return more, err
	}
	refs := make([]store.SearchRef, len(contacts))
	for i, id := range contacts {
		refs[i] = store.SearchRef{Kind: parley.SearchContact, ID: id}
	}
	for _, remove := range []func() error{
		func() error { return t.signOut(contacts) }, // a signed identity may have begun another session
		func() error { return t.forsake(e, uploads) },
		func() error { return search.Forget(t.Tx, refs) },
		func() error { return t.forgetPhones(e) },
		func() error { return t.forgetIdentifiers(identifiers) },
		func() error { return deleteAnswersOf(t, t.WS, contacts) },
		func() error { return deleteVisits(t, t.WS, contacts) },
		func() error { return deleteTyped(t, t.WS, contacts) },
		func() error { return deleteMails(t, t.WS, contacts) },
		func() error { return deleteMoves(t, t.WS, contacts) },
		func() error { return deleteMerged(t, t.WS, contacts) },
		func() error { return t.forgetDuplicates(contacts) },
	} {
		if err := remove(); err != nil {
			return more, err
		}
	}
	if err := deleteContacts(t, t.WS, contacts); err != nil {
		return more, err
	}
	for _, id := range there {
		t.Announce(parley.ContactDeleted, parley.ID{}, nil, wire.AppendID(nil, id))
	}
	return done, nil
}

// followMerge adds the contacts that were merged with the erased one since the erasure
// began, and starts over with them: the merge says that they are the same person. It
// reports whether there are any.
func (t *tx) followMerge(e *Erasure) (grown bool, err error) {
	before := len(e.Subjects.Contacts)
	now, err := desk.ContactNow(&t.View, t.WS, e.SubjectID)
	if parley.KindOf(err) == parley.NotFound {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	e.Subjects.Contacts = append(e.Subjects.Contacts, now.ID)
	if err := findPerson(&t.View, t.WS, e); err != nil || len(e.Subjects.Contacts) == before {
		return false, err
	}
	e.step, e.working.Group, e.working.After = steps()[0].name, 0, parley.ID{}
	return true, insertTimers(t.Tx, e)
}

// identifiers returns the identifiers of contacts and of those merged into them.
func (t *tx) identifiers(contacts []parley.ID) ([]string, error) {
	var identifiers []string
	for _, id := range contacts {
		merged, err := selectMerged(t, t.WS, id)
		if err != nil {
			return nil, err
		}
		for _, m := range merged {
			identifiers = append(identifiers, m.Identifier)
		}
		c, err := t.Contact(t.WS, id)
		if err != nil && parley.KindOf(err) != parley.NotFound {
			return nil, err
		}
		identifiers = append(identifiers, c.Identifier)
	}
	return slices.DeleteFunc(desk.Unique(identifiers), func(s string) bool { return s == "" }), nil
}

func (t *tx) forgetIdentifiers(identifiers []string) error {
	if len(identifiers) == 0 {
		return nil
	}
	if err := deleteSubjects(t, t.WS, identifiers); err != nil {
		return err
	}
	return deleteRejections(t, t.WS, identifiers)
}

func (t *tx) forgetPhones(e *Erasure) error {
	if len(e.working.Phones) == 0 {
		return nil
	}
	return numbers.ErasePhones(t.Tx, phonesOf(e))
}

func (t *tx) forgetDuplicates(contacts []parley.ID) error {
	for _, id := range contacts {
		if err := merging.ForgetDuplicates(t.Tx, id); err != nil {
			return err
		}
	}
	return nil
}
