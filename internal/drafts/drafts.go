// Package drafts has what members have written and not sent, so that a text begun
// on one device is there on the next, and the others see that somebody is about to
// answer. A draft is private: only its author reads it.
//
// Drafts are not in the event log. Whoever changes one tells the members by a
// signal; a page that missed signals lists the drafts again.
//
// A draft has a version. A change names the version that it replaces, so that two
// devices never overwrite each other's words.
//
// It stands over the desk, in whose transactions it writes. It may import the
// vocabulary, the store and the desk.
package drafts

import (
	"context"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

// A Service has the verbs of drafts. Its methods may be called by many goroutines.
type Service struct{ desk *desk.Desk }

// New returns a Service over a desk.
func New(d *desk.Desk) *Service { return &Service{desk: d} }

// Marks are the drafts of a workspace, as one member sees them.
type Marks struct {
	Own    []parley.DraftMark
	Others []parley.DraftMark // without texts
}

// Drafts returns which drafts there are, at most parley.MaxDraftMarks of the member
// and as many of the others, the latest first.
func (svc *Service) Drafts(vis parley.Visibility, member parley.UserID) desk.Read[Marks] {
	return desk.Snapshot(svc.desk, func(v *store.View) (m Marks, err error) {
		if m.Own, err = SelectDraftMarks(v, vis, member, parley.MaxDraftMarks); err != nil {
			return m, err
		}
		m.Others, err = SelectDraftsOfOthers(v, vis, member, parley.MaxDraftMarks)
		return m, err
	})
}

// Draft returns the member's draft in a conversation, with version 0 if there is
// none.
func (svc *Service) Draft(vis parley.Visibility, member parley.UserID, conversation parley.ID) desk.Read[parley.Draft] {
	return desk.Snapshot(svc.desk, func(v *store.View) (parley.Draft, error) {
		c, err := desk.ConversationNow(v, vis, conversation)
		if err != nil {
			return parley.Draft{}, err
		}
		return stored(v, vis, member, c.ID)
	})
}

// stored returns a draft, with version 0 if there is none.
func stored(v *store.View, vis parley.Visibility, member parley.UserID, conversation parley.ID) (parley.Draft, error) {
	d, err := SelectDraft(v, vis, member, conversation)
	if parley.KindOf(err) == parley.NotFound {
		return parley.Draft{ConversationID: conversation, MemberID: member}, nil
	}
	return d, err
}

// A Change is a draft after a change.
type Change struct {
	Draft parley.Draft
	// Shown says that the draft has begun or ended, which all members are told.
	Shown bool
	Place parley.Place // of the conversation
}

// PutDraft stores the caller's draft in a conversation; an empty one ends it. The
// version is that of the draft which it replaces, 0 for none; otherwise the change is
// a Conflict, because another device has changed the draft.
func (svc *Service) PutDraft(ctx context.Context, by desk.Caller, in parley.Draft) (Change, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (Change, error) {
		c, err := desk.ConversationNow(&t.View, t.Visibility, in.ConversationID)
		if err != nil {
			return Change{}, err
		}
		before, err := stored(&t.View, t.Visibility, by.Member, c.ID)
		if err != nil {
			return Change{}, err
		}
		if before.Version != in.Version {
			return Change{}, parley.FieldErrorf(parley.Conflict, "version", "must be that of the stored draft, which is %d", before.Version)
		}
		now := before
		now.Content, now.Private, now.AttachmentIDs, now.BegunID = in.Content, in.Private, in.AttachmentIDs, in.BegunID
		if now.Empty() {
			gone := parley.Draft{ConversationID: c.ID, MemberID: by.Member}
			if before.Version == 0 {
				return Change{Draft: gone, Place: c.Place()}, nil
			}
			return Change{Draft: gone, Shown: true, Place: c.Place()}, DeleteDraft(t, t.WS, by.Member, c.ID)
		}
		if before.Version == 0 {
			now.CreatedAt = t.Now
		}
		// The time keeps a new draft from having the version of an earlier one.
		now.Version, now.UpdatedAt = max(before.Version+1, t.Now.UnixMilli()), t.Now
		return Change{Draft: now, Shown: before.Version == 0, Place: c.Place()}, PutDraft(t, t.WS, &now)
	})
}

// Expire deletes drafts that nobody can read any more.
func Expire(t *desk.Tx) error { return DeleteForsakenDrafts(t, t.WS) }
