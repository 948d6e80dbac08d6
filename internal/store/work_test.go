package store_test

import (
	"errors"

	"parley"
	"parley/internal/access"
	"parley/internal/drafts"
	"parley/internal/store"
	"parley/internal/threads"
)

// labour is what a world has of its members' work.
type labour struct {
	draft  parley.Draft
	others parley.Draft // of the former member
	link   threads.Link
}

func newLabour(w *world, text string, full bool) labour {
	l := labour{draft: parley.Draft{
		ConversationID: w.conversation.ID, MemberID: w.member.ID, Content: text, Version: 1 << 40, CreatedAt: at(110), UpdatedAt: at(111),
	}}
	if full {
		l.draft.Private, l.draft.BegunID = true, w.message.ID
		l.draft.AttachmentIDs = []parley.ID{w.attachment.ID, w.message.ID}
	}
	l.others = l.draft
	l.others.MemberID, l.others.Version = w.former.ID, 7
	l.link = threads.Link{ConversationID: w.conversation.ID, OtherID: w.message.ID, MemberID: w.member.ID, CreatedAt: at(112)}
	return l
}

func (l *labour) insert(tx *store.Tx, ws parley.WorkspaceID) error {
	return errors.Join(drafts.PutDraft(tx, ws, &l.draft), drafts.PutDraft(tx, ws, &l.others), threads.InsertLink(tx, ws, &l.link))
}

// draftMark is what a list shows of a draft; preview is its text for its author.
func draftMark(d *parley.Draft, preview string) parley.DraftMark {
	if letters := []rune(preview); len(letters) > parley.MaxPreview {
		preview = string(letters[:parley.MaxPreview])
	}
	return parley.DraftMark{ConversationID: d.ConversationID, MemberID: d.MemberID, Preview: preview, Version: d.Version, CreatedAt: d.CreatedAt}
}

// labourReads are the rows of visibilityReads about the members' work.
func labourReads(w *world) map[string]visibilityRead {
	l := &w.labour
	return map[string]visibilityRead{
		"Links": {func(v *store.View, vis parley.Visibility) (any, error) {
			return threads.SelectLinks(v, vis, l.link.ConversationID)
		}, []threads.Link{l.link}},
		"Draft": {func(v *store.View, vis parley.Visibility) (any, error) {
			return drafts.SelectDraft(v, vis, l.draft.MemberID, l.draft.ConversationID)
		}, l.draft},
		"DraftMarks": {func(v *store.View, vis parley.Visibility) (any, error) {
			return drafts.SelectDraftMarks(v, vis, l.draft.MemberID, 9)
		}, []parley.DraftMark{draftMark(&l.draft, l.draft.Content)}},
		"DraftsOfOthers": {func(v *store.View, vis parley.Visibility) (any, error) {
			return drafts.SelectDraftsOfOthers(v, vis, l.draft.MemberID, 9)
		}, []parley.DraftMark{draftMark(&l.others, "")}},
	}
}

// update gives the drafts of another labour to this one's author.
func (l *labour) update(tx *store.Tx, ws parley.WorkspaceID) error {
	return errors.Join(drafts.PutDraft(tx, ws, &l.draft), drafts.PutDraft(tx, ws, &l.others))
}

// like gives l the ids and the fixed members of o.
func (l *labour) like(o *labour) {
	l.draft.ConversationID, l.draft.MemberID, l.draft.CreatedAt = o.draft.ConversationID, o.draft.MemberID, o.draft.CreatedAt
	l.link = o.link
	l.others.ConversationID, l.others.MemberID, l.others.CreatedAt = o.others.ConversationID, o.others.MemberID, o.others.CreatedAt
}

// remove deletes the member's draft, and that of the one who left.
func (l *labour) remove(tx *store.Tx, ws parley.WorkspaceID) error {
	return errors.Join(drafts.DeleteDraft(tx, ws, l.draft.MemberID, l.draft.ConversationID), access.DeleteDraftsOf(tx, ws, l.others.MemberID),
		drafts.DeleteForsakenDrafts(tx, ws), threads.DeleteLink(tx, ws, l.link.OtherID, l.link.ConversationID), threads.DeleteForsakenLinks(tx, ws))
}

// labourRemoved are the reads that find nothing after remove.
var labourRemoved = []string{"Draft", "DraftMarks", "DraftsOfOthers", "Links"}
