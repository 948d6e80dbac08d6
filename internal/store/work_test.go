package store_test

import (
	"errors"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/drafts"
	"parley/internal/notices"
	"parley/internal/store"
	"parley/internal/threads"
)

// labour is what a world has of its members' work.
type labour struct {
	draft  parley.Draft
	others parley.Draft // of the former member
	link   threads.Link
	notice parley.MemberNotice
	follow notices.Follow
	mark   notices.Mark
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
	ids := parley.NewIDs(nil)
	l.notice = parley.MemberNotice{
		ID: ids.New(at(113)), MemberID: w.member.ID, ConversationID: w.conversation.ID, Kind: parley.NoticeKind(text), Count: 7,
		Actor: parley.Actor{Type: parley.ActorType(text), ID: text, Name: text}, MessageID: w.message.ID, CreatedAt: at(113), UpdatedAt: at(114),
	}
	l.follow = notices.Follow{Conversation: w.conversation.ID, Member: w.member.ID, On: true, Since: at(115)}
	l.mark = notices.Mark{Conversation: w.conversation.ID, Member: w.former.ID, Message: ids.New(at(0))}
	return l
}

// shown is the notice as lists show it.
func (l *labour) shown(w *world) []parley.ShownNotice {
	n := parley.ShownNotice{MemberNotice: l.notice, ContactID: w.conversation.Contact.ID, ContactName: w.conversation.Contact.Name}
	letters := []rune(w.message.Content)
	n.Text = string(letters[:min(len(letters), parley.MaxPreview)])
	return []parley.ShownNotice{n}
}

func (l *labour) insert(tx *store.Tx, ws parley.WorkspaceID) error {
	_, err := notices.PutNotice(tx, ws, &l.notice)
	return errors.Join(drafts.PutDraft(tx, ws, &l.draft), drafts.PutDraft(tx, ws, &l.others), threads.InsertLink(tx, ws, &l.link),
		err, notices.InsertFollow(tx, ws, l.follow), desk.MarkRead(tx, ws, l.mark.Member, l.mark.Conversation, l.mark.Message))
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
	of := []parley.ID{l.notice.ConversationID, l.notice.MessageID}
	return map[string]visibilityRead{
		"Notices": {func(v *store.View, vis parley.Visibility) (any, error) {
			return notices.SelectNotices(v, vis, l.notice.MemberID)
		}, l.shown(w)},
		"UnreadNotices": {func(v *store.View, vis parley.Visibility) (any, error) {
			return notices.SelectUnreadNotices(v, vis, l.notice.MemberID)
		}, 1},
		"Following": {func(v *store.View, vis parley.Visibility) (any, error) {
			return notices.SelectFollowing(v, vis, l.follow.Member)
		}, []parley.ID{l.follow.Conversation}},
		"Followers": {func(v *store.View, vis parley.Visibility) (any, error) {
			return notices.SelectFollowers(v, vis, l.follow.Conversation)
		}, []parley.UserID{l.follow.Member}},
		"Follows": {func(v *store.View, vis parley.Visibility) (any, error) {
			return notices.SelectFollows(v, vis, of)
		}, []notices.Follow{l.follow}},
		"Marks": {func(v *store.View, vis parley.Visibility) (any, error) {
			return notices.SelectMarks(v, vis, of)
		}, []notices.Mark{l.mark}},
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
	l.link, l.notice, l.follow, l.mark = o.link, o.notice, o.follow, o.mark
	l.others.ConversationID, l.others.MemberID, l.others.CreatedAt = o.others.ConversationID, o.others.MemberID, o.others.CreatedAt
}

// remove deletes the member's draft, and that of the one who left.
func (l *labour) remove(tx *store.Tx, ws parley.WorkspaceID) error {
	return errors.Join(drafts.DeleteDraft(tx, ws, l.draft.MemberID, l.draft.ConversationID), access.DeleteDraftsOf(tx, ws, l.others.MemberID),
		drafts.DeleteForsakenDrafts(tx, ws), threads.DeleteLink(tx, ws, l.link.OtherID, l.link.ConversationID), threads.DeleteForsakenLinks(tx, ws),
		access.DeleteNoticesOf(tx, ws, l.notice.MemberID), access.DeleteFollowsOf(tx, ws, l.follow.Member), notices.DeleteForsakenFollows(tx, ws))
}

// labourRemoved are the reads that find nothing after remove.
var labourRemoved = []string{"Draft", "DraftMarks", "DraftsOfOthers", "Links", "Notices", "UnreadNotices", "Followers", "Following", "Follows"}
