package notices

import (
	"time"

	"parley"
	"parley/internal/store"
)

// A Follow says whether a member follows a conversation.
type Follow struct {
	Conversation parley.ID
	Member       parley.UserID
	On           bool // false: the member has left it
	Since        time.Time
}

// A readBy is who has read notices, and when.
type readBy struct {
	member parley.UserID
	at     time.Time
}

const noticeColumns = `n.notice_id, n.member_id, n.conversation_id, n.kind, n.actor_type, n.actor_id, n.actor_name, n.message_id, n.count,
	n.created_at, n.updated_at, n.read_at`

func scanNotice(r store.Row, n *parley.MemberNotice) error {
	return r.Scan(&n.ID, (*string)(&n.MemberID), &n.ConversationID, (*string)(&n.Kind), (*string)(&n.Actor.Type), &n.Actor.ID, &n.Actor.Name,
		&n.MessageID, &n.Count, &n.CreatedAt, &n.UpdatedAt, &n.ReadAt)
}

// PutNotice stores an unread notice and returns it as it is stored. If the member has
// one of its key, that one takes its actor, message and time, and counts it. The epoch is
// that of the store in which it happened last.
func PutNotice(tx store.Writer, ws parley.WorkspaceID, n *parley.MemberNotice, epoch string) (parley.MemberNotice, error) {
	return store.One(tx, ws, "notice", scanNotice, `INSERT INTO notices (workspace_id, notice_id, member_id, conversation_id, kind, actor_type,
		actor_id, actor_name, message_id, count, created_at, updated_at, epoch) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
		ON CONFLICT (workspace_id, member_id, conversation_id, kind) WHERE read_at = 0 DO UPDATE SET actor_type = excluded.actor_type,
		actor_id = excluded.actor_id, actor_name = excluded.actor_name, message_id = excluded.message_id,
		count = notices.count + excluded.count, updated_at = excluded.updated_at, epoch = excluded.epoch RETURNING notice_id, member_id, conversation_id, kind,
		actor_type, actor_id, actor_name, message_id, count, created_at, updated_at, read_at`,
		n.ID, n.MemberID, n.ConversationID, string(n.Kind), string(n.Actor.Type), n.Actor.ID, n.Actor.Name, n.MessageID, n.Count, n.CreatedAt, n.UpdatedAt, epoch)
}

// SelectNotices returns the notices of a member, the latest first. Those in
// conversations that are marked as spam are left out.
func SelectNotices(v store.Reader, vis parley.Visibility, member parley.UserID) ([]parley.ShownNotice, error) {
	return store.Many(v, vis, func(r store.Row, n *parley.ShownNotice) error {
		return scanNotice(r.Behind(&n.ContactID, &n.ContactName, &n.Text), &n.MemberNotice)
	}, "SELECT c.contact_id, COALESCE(k.name, ''), COALESCE(substr(g.content, 1, $3), ''), "+noticeColumns+` FROM notices n
		JOIN conversations c ON c.workspace_id = n.workspace_id AND c.conversation_id = n.conversation_id
		LEFT JOIN contacts k ON k.workspace_id = n.workspace_id AND k.contact_id = c.contact_id
		LEFT JOIN messages g ON g.workspace_id = n.workspace_id AND g.conversation_id = n.conversation_id AND g.message_id = n.message_id
		WHERE n.workspace_id = $1 AND VISIBLE(c) AND NOT c.spam AND n.member_id = $2 ORDER BY n.updated_at DESC, n.notice_id DESC LIMIT $4`,
		member, parley.MaxPreview, parley.MaxNotices)
}

// SelectUnreadNotices counts the unread notices of a member, up to parley.MaxCount.
func SelectUnreadNotices(v store.Reader, vis parley.Visibility, member parley.UserID) (int, error) {
	return store.One(v, vis, "workspace", store.Only[int], `SELECT count(*) FROM (SELECT 1 FROM notices n
		JOIN conversations c ON c.workspace_id = n.workspace_id AND c.conversation_id = n.conversation_id
		WHERE n.workspace_id = $1 AND VISIBLE(c) AND NOT c.spam AND n.member_id = $2 AND n.read_at = 0 LIMIT $3) AS counted`, member, parley.MaxCount)
}

// ReadNoticesByID marks notices of a member as read.
func ReadNoticesByID(tx store.Writer, ws parley.WorkspaceID, by readBy, ids []parley.ID) error {
	return store.Exec(tx, ws, `UPDATE notices SET read_at = $3 WHERE workspace_id = $1 AND member_id = $2 AND read_at = 0 AND notice_id IN ($4...)`,
		by.member, by.at, store.ListOf(ids))
}

// ReadNoticesOfKind marks a member's notices of a kind in a conversation as read.
func ReadNoticesOfKind(tx store.Writer, ws parley.WorkspaceID, by readBy, conversation parley.ID, kind parley.NoticeKind) error {
	return store.Exec(tx, ws, `UPDATE notices SET read_at = $3 WHERE workspace_id = $1 AND member_id = $2 AND conversation_id = $4 AND kind = $5
		AND read_at = 0`, by.member, by.at, conversation, string(kind))
}

// ReadAllNotices marks all notices of a member as read.
func ReadAllNotices(tx store.Writer, ws parley.WorkspaceID, by readBy) error {
	return store.Exec(tx, ws, "UPDATE notices SET read_at = $3 WHERE workspace_id = $1 AND member_id = $2 AND read_at = 0", by.member, by.at)
}

// DeleteOldNotices deletes the notices that have not changed since a time.
func DeleteOldNotices(tx store.Writer, ws parley.WorkspaceID, before time.Time) error {
	return store.Exec(tx, ws, "DELETE FROM notices WHERE workspace_id = $1 AND updated_at < $2", before)
}

// PutFollow stores what a member has decided.
func PutFollow(tx store.Writer, ws parley.WorkspaceID, f Follow) error {
	return store.Exec(tx, ws, `INSERT INTO follows (workspace_id, conversation_id, member_id, followed, since) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (workspace_id, conversation_id, member_id) DO UPDATE SET followed = excluded.followed, since = excluded.since`,
		f.Conversation, f.Member, f.On, f.Since)
}

// InsertFollow makes a member follow a conversation, unless the member has decided.
func InsertFollow(tx store.Writer, ws parley.WorkspaceID, f Follow) error {
	return store.Exec(tx, ws, `INSERT INTO follows (workspace_id, conversation_id, member_id, followed, since) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (workspace_id, conversation_id, member_id) DO NOTHING`, f.Conversation, f.Member, f.On, f.Since)
}

// SelectFollows returns what members have decided about conversations, the oldest
// decisions first.
func SelectFollows(v store.Reader, vis parley.Visibility, conversations []parley.ID) ([]Follow, error) {
	return store.Many(v, vis, func(r store.Row, f *Follow) error {
		return r.Scan(&f.Conversation, (*string)(&f.Member), &f.On, &f.Since)
	}, `SELECT f.conversation_id, f.member_id, f.followed, f.since FROM follows f WHERE OF_VISIBLE(f) AND f.conversation_id IN ($2...)
		ORDER BY f.since, f.conversation_id, f.member_id`, store.ListOf(conversations))
}

// SelectFollowers returns the current members who follow a conversation, those who have
// done so longest first.
func SelectFollowers(v store.Reader, vis parley.Visibility, conversation parley.ID) ([]parley.UserID, error) {
	return store.Many(v, vis, func(r store.Row, id *parley.UserID) error { return r.Scan((*string)(id)) }, `SELECT f.member_id FROM follows f
		JOIN members m ON m.workspace_id = f.workspace_id AND m.member_id = f.member_id AND m.removed_at = 0
		WHERE OF_VISIBLE(f) AND f.conversation_id = $2 AND f.followed ORDER BY f.since, f.member_id`, conversation)
}

// SelectFollowing returns the conversations that a member follows, at most
// parley.MaxFollowing, those followed last first.
func SelectFollowing(v store.Reader, vis parley.Visibility, member parley.UserID) ([]parley.ID, error) {
	return store.Many(v, vis, store.Only[parley.ID], `SELECT f.conversation_id FROM follows f
		JOIN conversations c ON c.workspace_id = f.workspace_id AND c.conversation_id = f.conversation_id
		WHERE f.workspace_id = $1 AND VISIBLE(c) AND f.member_id = $2 AND f.followed ORDER BY f.since DESC, f.conversation_id DESC LIMIT $3`,
		member, parley.MaxFollowing)
}

// DeleteForsakenFollows deletes the follows whose conversation is gone or whose member has
// left. Servers of the version before leave them.
func DeleteForsakenFollows(tx store.Writer, ws parley.WorkspaceID) error {
	return store.Exec(tx, ws, `DELETE FROM follows WHERE workspace_id = $1 AND (
		NOT EXISTS (SELECT 1 FROM conversations c WHERE c.workspace_id = $1 AND c.conversation_id = follows.conversation_id)
		OR NOT EXISTS (SELECT 1 FROM members m WHERE m.workspace_id = $1 AND m.member_id = follows.member_id AND m.removed_at = 0))`)
}

// A Mark is up to where a member has read a conversation.
type Mark struct {
	Conversation parley.ID
	Member       parley.UserID
	Message      parley.ID
}

// SelectMarks returns up to where members have read conversations, unless they have
// marked them as unread. The query starts from the members, because they lead the key
// of the marks.
func SelectMarks(v store.Reader, vis parley.Visibility, conversations []parley.ID) ([]Mark, error) {
	return store.Many(v, vis, func(r store.Row, m *Mark) error {
		return r.Scan(&m.Conversation, (*string)(&m.Member), &m.Message)
	}, `SELECT r.conversation_id, r.member_id, r.message_id FROM read_marks r WHERE OF_VISIBLE(r) AND r.conversation_id IN ($2...) AND NOT r.unread
		AND r.message_id IS NOT NULL AND r.member_id IN (SELECT member_id FROM members WHERE workspace_id = $1)`,
		store.ListOf(conversations))
}

// SelectSights returns what those of the ids may see that are of current members.
func SelectSights(v store.Reader, ws parley.WorkspaceID, ids []parley.UserID) (map[parley.UserID]parley.Sight, error) {
	type row struct {
		member parley.Member
		team   parley.ID
	}
	rows, err := store.Many(v, ws, func(r store.Row, found *row) error {
		var inboxes string
		m := &found.member
		err := r.Scan((*string)(&m.ID), (*string)(&m.Role), (*string)(&m.Access), &inboxes, &m.SightSince, &found.team)
		if err == nil {
			m.InboxIDs, err = store.ParseIDs(inboxes)
		}
		return err
	}, `SELECT m.member_id, m.role, m.access, m.inbox_ids, m.sight_since, t.team_id FROM members m
		LEFT JOIN team_members t ON t.workspace_id = m.workspace_id AND t.member_id = m.member_id AND m.access = 'own'
		WHERE m.workspace_id = $1 AND m.removed_at = 0 AND m.member_id IN ($2...) ORDER BY m.member_id, t.team_id`, store.ListOf(ids))
	if len(rows) == 0 {
		return nil, err
	}
	teams := map[parley.UserID][]parley.ID{}
	for i := range rows {
		if r := &rows[i]; !r.team.IsZero() {
			teams[r.member.ID] = append(teams[r.member.ID], r.team)
		}
	}
	sights := make(map[parley.UserID]parley.Sight, len(rows))
	for i := range rows {
		m := &rows[i].member
		sights[m.ID] = m.Sight(teams[m.ID])
	}
	return sights, err
}
