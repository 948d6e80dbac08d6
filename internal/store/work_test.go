package store_test

import (
	"errors"
	"fmt"
	"time"

	"parley"
	"parley/internal/access/credential"
	"parley/internal/access/factor"
	"parley/internal/access/provider"
	"parley/internal/audit"
	"parley/internal/audit/entry"
	"parley/internal/audit/recording"
	"parley/internal/bulk"
	"parley/internal/desk"
	"parley/internal/digest"
	"parley/internal/drafts"
	"parley/internal/notices"
	"parley/internal/push"
	"parley/internal/store"
	"parley/internal/store/storetest"
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
	choice parley.NoticePreferences
	epoch  string // of the notice
	job    bulk.Job
	batch  bulk.Batch
	item   bulk.Item
	device push.Device // of the member's session, which a notice waits for
	entry  entry.Entry // of the audit log
	factor factor.Factor
}

func newLabour(w *world, text string, full bool) labour {
	l := labour{draft: parley.Draft{
		ConversationID: w.conversation.ID, MemberID: w.member.ID, Content: text, Version: 1 << 40, CreatedAt: at(110), UpdatedAt: at(111),
	}}
	if full {
		l.draft.Private, l.draft.BegunID = true, w.message.ID
		l.draft.AttachmentIDs = []parley.ID{w.attachment.ID, w.message.ID}
	}
	l.job = bulk.Job{BulkJob: parley.BulkJob{
		ID: ids.New(at(113)), Member: w.member.ID, Action: parley.BulkRead, State: parley.BulkRunning, Total: 1 << 40, CreatedAt: at(113),
		Reasons: map[parley.BulkReason]int{parley.BulkGone: 7},
	}, Query: text, Do: bulk.Action{Read: true}}
	l.batch = bulk.Batch{Place: 7, IDs: []parley.ID{w.conversation.ID, w.message.ID}}
	l.item = bulk.Item{ConversationID: w.conversation.ID}
	if full {
		l.job.Action, l.job.Undoes, l.job.Do = parley.BulkUndo, w.message.ID, bulk.Action{}
		l.item.Inverse = bulk.Action{Unlabel: text, Change: desk.ConversationValues{
			Status: parley.Some(parley.Open), SnoozedUntil: parley.Some(at(9)), Priority: parley.Null[parley.Priority](), AssigneeID: parley.Some(w.member.ID),
			ProductID: parley.Some(w.product.ID), Spam: parley.Some(false),
		}}
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
	l.device = push.Device{
		PushDevice:   parley.PushDevice{ID: ids.New(at(116)), MemberID: w.member.ID, SessionID: w.session.ID, UserAgent: text, CreatedAt: at(116), UsedAt: at(117)},
		EndpointHash: []byte(text), Sealed: []byte(text), Owner: text, PausedUntil: at(1), Failures: 1 << 40, Refusals: 7,
	}
	l.entry = entry.Entry{
		ID: ids.New(at(117)), At: at(117), ActorType: entry.Member, ActorID: string(w.member.ID), Address: text, UserAgent: text,
		Action: entry.Action(text), Count: 1 << 40,
	}
	if full {
		l.entry.SubjectType, l.entry.SubjectID = entry.SubjectInbox, w.inbox.ID.String()
		l.entry.Changes = []entry.Change{{Field: text, From: text, To: text}, {Field: "name"}}
	}
	l.factor = factor.Factor{Member: w.member.ID, Sealed: []byte(text), Used: 1 << 40, Since: at(119)}
	l.mark = notices.Mark{Conversation: w.conversation.ID, Member: w.former.ID, Message: ids.New(at(0))}
	l.epoch = text
	l.choice = parley.NewNoticePreferences(w.member.ID)
	l.choice.Language = text
	l.choice.Zone, l.choice.MailDelay, l.choice.MailAt, l.choice.UpdatedAt = text, parley.MailDelay(text), 1439, at(116)
	if full {
		l.choice.Kinds[parley.NoticeNote], l.choice.Kinds[parley.NoticeMentioned] = []parley.NoticeChannel{parley.NoticeByMail}, nil
		l.choice.Quiet = []parley.QuietPeriod{
			{Days: []time.Weekday{time.Monday, time.Sunday}, From: 1320, To: 420}, {Days: []time.Weekday{time.Friday}},
		}
		l.choice.AwayUntil = at(117)
	}
	return l
}

// shown is the notice as lists show it.
func (l *labour) shown(w *world) []parley.ShownNotice {
	n := parley.ShownNotice{MemberNotice: l.notice, ContactID: w.conversation.Contact.ID, ContactName: w.conversation.Contact.Name}
	letters := []rune(w.message.Content)
	n.Text = string(letters[:min(len(letters), parley.MaxPreview)])
	return []parley.ShownNotice{n}
}

// pending is the notice as a digest shows it.
func (l *labour) pending(w *world) []digest.Pending {
	n := l.shown(w)[0]
	return []digest.Pending{{
		ID: n.ID, ConversationID: n.ConversationID, Kind: n.Kind, Actor: n.Actor, Count: n.Count, CreatedAt: n.CreatedAt, ContactName: n.ContactName, Text: n.Text,
	}}
}

func (l *labour) insert(tx *store.Tx, ws parley.WorkspaceID) error {
	_, err := notices.PutNotice(tx, ws, &l.notice, l.epoch)
	return errors.Join(drafts.PutDraft(tx, ws, &l.draft), drafts.PutDraft(tx, ws, &l.others), threads.InsertLink(tx, ws, &l.link),
		err, factor.InsertFactor(tx, ws, &l.factor), factor.InsertRecoveryCode(tx, ws, l.factor.Member, [32]byte{7}), provider.PutSettings(tx, ws, &provider.Settings{Issuer: "https://id.example", ClientID: "c", Sealed: l.factor.Sealed, CreatedAt: at(119), UpdatedAt: at(119)}),
		storetest.Did(provider.InsertIdentity(tx, ws, &provider.Identity{Issuer: "https://id.example", Subject: "person", Member: l.factor.Member, Since: at(119)})), storetest.Did(provider.InsertUse(tx, ws, [32]byte{8}, at(120))), push.InsertKey(tx, ws, l.device.Sealed), push.InsertDevice(tx, ws, &l.device), push.PutPushes(tx, ws, &l.notice, at(118)), notices.InsertFollow(tx, ws, l.follow), notices.PutPreferences(tx, ws, &l.choice), desk.MarkRead(tx, ws, l.mark.Member, l.mark.Conversation, l.mark.Message),
		recording.InsertEntry(tx, ws, &l.entry), bulk.PutJob(tx, ws, &l.job), bulk.InsertBatch(tx, ws, l.job.ID, l.batch), bulk.InsertItem(tx, ws, l.job.ID, &l.item))
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
		"Pending": {func(v *store.View, vis parley.Visibility) (any, error) {
			return digest.SelectPending(v, vis, digest.Wanted{Member: l.notice.MemberID, Epoch: l.epoch, Since: l.notice.UpdatedAt})
		}, l.pending(w)},
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
		"Wrote": {func(v *store.View, vis parley.Visibility) (any, error) {
			return bulk.SelectWrote(v, vis, []parley.ID{w.conversation.ID}, parley.FirstID(at(0)))
		}, []parley.ID{w.conversation.ID}},
		"PushedNotices": {func(v *store.View, vis parley.Visibility) (any, error) {
			return push.SelectUnread(v, vis, l.notice.MemberID, []parley.ID{l.notice.ID})
		}, l.shown(w)},
		"Parts": {func(v *store.View, vis parley.Visibility) (any, error) { // a world has none; the tests of threads do
			return v.Parts(vis, w.conversation.ID)
		}, []parley.ID(nil)},
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

// bulkReads are the rows of reads about changes of many conversations, and about what
// members choose.
func bulkReads(w *world) map[string]read {
	l := &w.labour
	return map[string]read{
		"Preferences": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return notices.SelectPreferences(v, ws, []parley.UserID{l.choice.MemberID, l.others.MemberID})
		}, []parley.NoticePreferences{l.choice}},
		"Job": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return bulk.SelectJob(v, ws, l.job.ID) }, l.job},
		"Jobs": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return bulk.SelectJobs(v, ws, l.job.Member, 9)
		}, []bulk.Job{l.job}},
		"Runners": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return bulk.SelectRunners(v, ws) }, runners(&l.job)},
		"Batches": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return bulk.SelectBatches(v, ws, l.job.ID, 9) }, []bulk.Batch{l.batch}},
		"Items": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return bulk.SelectItems(v, ws, l.job.ID, l.batch.IDs)
		}, []bulk.Item{l.item}},
		"Changed": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return bulk.SelectChanged(v, ws, l.job.ID) }, []parley.ID{l.item.ConversationID}},
	}
}

// pushReads are the rows of reads about notices for browsers, and when a member was at a page, and
// of second factors.
func pushReads(w *world) map[string]read {
	d := &w.labour.device
	f := w.labour.factor
	waiting := []push.Push{{Notice: w.labour.notice.ID, DueAt: at(118), Version: 1}}
	return map[string]read{
		"Entries": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return items(audit.SelectEntries(v, ws, audit.Filter{}, parley.Position{}, 9))
		}, []entry.Entry{w.labour.entry}},
		"Factor":        {func(v *store.View, ws parley.WorkspaceID) (any, error) { return factor.SelectFactor(v, ws, f.Member) }, f},
		"FactorMembers": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return factor.SelectMembers(v, ws) }, []parley.UserID{f.Member}},
		"RecoveryCodes": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return factor.CountRecoveryCodes(v, ws, f.Member)
		}, 1},
		"FactorRequired": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return factor.SelectRequired(v, ws) }, false},
		"PushKey":        {func(v *store.View, ws parley.WorkspaceID) (any, error) { return push.SelectKey(v, ws) }, d.Sealed},
		"Devices":        {func(v *store.View, ws parley.WorkspaceID) (any, error) { return push.SelectDevices(v, ws, d.MemberID) }, []parley.PushDevice{d.PushDevice}},
		"Device": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return push.SelectDevice(v, ws, d.MemberID, d.ID)
		}, *d},
		"DueDevices": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return push.SelectDueDevices(v, ws, at(118), 9)
		}, []push.Device{*d}},
		"DuePushes": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return push.SelectDuePushes(v, ws, d.ID, at(118), 9)
		}, waiting},
		"Seen": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return digest.SelectSeen(v, ws, w.session.MemberID)
		}, w.session.SeenAt},
		"Live": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return push.SelectLive(v, ws, d.SessionID, at(98))
		}, true},
	}
}

// runners are the members of a job if it runs.
func runners(j *bulk.Job) []parley.UserID {
	if !j.EndedAt.IsZero() {
		return nil
	}
	return []parley.UserID{j.Member}
}

// update gives the drafts of another labour to this one's author.
func (l *labour) update(tx *store.Tx, ws parley.WorkspaceID) error {
	return errors.Join(drafts.PutDraft(tx, ws, &l.draft), drafts.PutDraft(tx, ws, &l.others), bulk.PutJob(tx, ws, &l.job),
		notices.PutPreferences(tx, ws, &l.choice), storetest.Did(factor.UpdateUsed(tx, ws, l.factor.Member, l.factor.Used)))
}

// like gives l the ids and the fixed members of o.
func (l *labour) like(o *labour) {
	l.entry = o.entry // which never changes
	l.draft.ConversationID, l.draft.MemberID, l.draft.CreatedAt = o.draft.ConversationID, o.draft.MemberID, o.draft.CreatedAt
	l.link, l.notice, l.follow, l.mark = o.link, o.notice, o.follow, o.mark
	l.choice.MemberID, l.epoch = o.choice.MemberID, o.epoch
	l.factor = o.factor
	l.factor.Used++
	l.job, l.batch, l.item, l.device = o.job, o.batch, o.item, o.device
	l.job.State, l.job.Changed, l.job.EndedAt, l.job.Reasons = parley.BulkDone, 9, at(114), map[parley.BulkReason]int{parley.BulkMoved: 8}
	l.others.ConversationID, l.others.MemberID, l.others.CreatedAt = o.others.ConversationID, o.others.MemberID, o.others.CreatedAt
}

// remove deletes the member's draft, and that of the one who left.
func (l *labour) remove(tx *store.Tx, ws parley.WorkspaceID) error {
	return errors.Join(drafts.DeleteDraft(tx, ws, l.draft.MemberID, l.draft.ConversationID), credential.DeleteDraftsOf(tx, ws, l.others.MemberID),
		drafts.DeleteForsakenDrafts(tx, ws), threads.DeleteLink(tx, ws, l.link.OtherID, l.link.ConversationID), threads.DeleteForsakenLinks(tx, ws),
		credential.DeleteNoticesOf(tx, ws, l.notice.MemberID), credential.DeleteFollowsOf(tx, ws, l.follow.Member), credential.DeletePreferencesOf(tx, ws, l.choice.MemberID),
		notices.DeleteForsakenPreferences(tx, ws), notices.DeleteForsakenFollows(tx, ws),
		bulk.DeleteBatch(tx, ws, l.job.ID, 6), bulk.DeleteBatches(tx, ws, l.job.ID), bulk.DeleteOldJobs(tx, ws, parley.FirstID(at(115))), l.removeItems(tx, ws))
}

// labourRemoved are the reads that find nothing after remove.
var labourRemoved = []string{"Draft", "DraftMarks", "DraftsOfOthers", "Links", "Notices", "UnreadNotices", "Followers", "Following", "Follows", "Preferences", "Pending", "Job", "Jobs", "Batches", "Items", "Changed"}

func (l *labour) removeItems(tx *store.Tx, ws parley.WorkspaceID) error {
	n, err := bulk.DeleteOldItems(tx, ws, parley.FirstID(at(115)), 9)
	if err == nil && n != 1 {
		err = fmt.Errorf("%d items were deleted", n)
	}
	return err
}
