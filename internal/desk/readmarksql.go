package desk

import (
	"slices"
	"time"

	"parley"
	"parley/internal/store"
)

// SelectCounts returns the counts that the dashboard shows beside its views, each up
// to parley.MaxCount. If more conversations than that are open, Unassigned,
// Unread and ToRead count only among the most recently active ones.
func SelectCounts(v store.Reader, vis parley.Visibility, member parley.UserID) (parley.Counts, error) {
	open, pending, err := store.SeenBy(v, vis)
	if err != nil {
		return parley.Counts{}, err
	}
	n, err := store.One(v, open, "workspace", func(r store.Row, n *parley.Counts) error { return r.Scan(&n.Open, &n.Unassigned, &n.Unread) },
		`SELECT count(*), COALESCE(sum(CASE WHEN assignee_id IS NULL THEN 1 ELSE 0 END), 0),
		COALESCE(sum(CASE WHEN unread_count > 0 THEN 1 ELSE 0 END), 0) FROM (SELECT assignee_id, unread_count FROM SEEN(c)
		WHERE VISIBLE(c) AND status = $2 AND status <> 'resolved' AND NOT spam AND merged_into IS NULL ORDER BY last_activity_at DESC, conversation_id DESC LIMIT $3) AS newest`,
		string(parley.Open), parley.MaxCount)
	if err != nil {
		return n, err
	}
	n.Pending, err = store.One(v, pending, "workspace", store.Only[int], `SELECT count(*) FROM (SELECT 1 FROM SEEN(c)
		WHERE VISIBLE(c) AND status = $2 AND status <> 'resolved' AND NOT spam AND merged_into IS NULL LIMIT $3) AS counted`, string(parley.Pending), parley.MaxCount)
	if err != nil {
		return n, err
	}
	n.Mine, err = store.One(v, vis, "workspace", store.Only[int], `SELECT count(*) FROM (SELECT 1 FROM conversations c
		WHERE VISIBLE(c) AND assignee_id = $2 AND status = $3 AND NOT spam AND merged_into IS NULL LIMIT $4) AS counted`, member, string(parley.Open), parley.MaxCount)
	if err != nil {
		return n, err
	}
	// The status is not an equality, because SQLite would then use another
	// index.
	n.Waiting, err = store.One(v, open, "workspace", store.Only[int], `SELECT count(*) FROM (SELECT 1 FROM SEEN(c)
		WHERE VISIBLE(c) AND waiting_since > 0 AND NOT (status <> $2) AND NOT spam AND merged_into IS NULL LIMIT $3) AS counted`, string(parley.Open), parley.MaxCount)
	if err != nil {
		return n, err
	}
	if n.ToRead, err = countToRead(v, open, member); err != nil {
		return n, err
	}
	n.Snoozed, err = store.One(v, pending, "workspace", store.Only[int], `SELECT count(*) FROM (SELECT 1 FROM SEEN(c)
		WHERE VISIBLE(c) AND snoozed_until > 0 AND NOT (status <> $2) AND NOT spam AND merged_into IS NULL LIMIT $3) AS counted`, string(parley.Pending), parley.MaxCount)
	if err != nil {
		return n, err
	}
	n.Back, err = store.One(v, open, "workspace", store.Only[int], `SELECT count(*) FROM (SELECT 1 FROM SEEN(c)
		WHERE VISIBLE(c) AND woke_at > 0 AND NOT (status <> $2) AND NOT spam AND merged_into IS NULL LIMIT $3) AS counted`, string(parley.Open), parley.MaxCount)
	return n, err
}

// unseen is true for a conversation c with the read mark r if it has a
// customer's message that is neither answered nor seen by the member. A
// backfill changes neither column, so backfilled messages are not new to
// anyone.
const unseen = `(c.unread_count > 0 OR c.waiting_since > 0) AND (r.message_id IS NULL OR EXISTS (
		SELECT 1 FROM messages g WHERE g.workspace_id = $1 AND g.conversation_id = c.conversation_id
			AND g.message_id > r.message_id AND g.direction = 'incoming')
	OR EXISTS (SELECT 1 FROM conversations p JOIN messages g ON g.workspace_id = $1 AND g.conversation_id = p.conversation_id
			AND g.message_id > r.message_id AND g.direction = 'incoming' WHERE p.workspace_id = $1 AND p.merged_into = c.conversation_id))`

// readMarks joins the read marks of member $2 to the conversations c.
const readMarks = ` LEFT JOIN read_marks r ON r.workspace_id = $1 AND r.member_id = $2 AND r.conversation_id = c.conversation_id`

// ofUnread and areUnread stand around the condition, the order and the limit that
// select conversations of the status $3, among which a member has not read some.
const ofUnread = `SELECT c.conversation_id FROM (SELECT conversation_id, unread_count, waiting_since FROM SEEN(c) WHERE VISIBLE(c) AND status = $3 AND NOT spam AND merged_into IS NULL AND `

const areUnread = ") c" + readMarks + " WHERE NOT COALESCE(r.unread, FALSE) AND " + unseen

const latestActivity = "status <> 'resolved' ORDER BY last_activity_at DESC, conversation_id DESC LIMIT $4"

// SelectUnread returns the conversations that a member has not read. It looks for new
// ones among the parley.MaxCount open conversations that wait the longest, and
// among as many open and as many pending ones with the latest activity.
func SelectUnread(v store.Reader, vis parley.Visibility, member parley.UserID) (parley.Unread, error) {
	var u parley.Unread
	openOnes, pendingOnes, err := store.SeenBy(v, vis)
	if err != nil {
		return u, err
	}
	longest, err := store.Many(v, openOnes, store.Only[parley.ID], ofUnread+"waiting_since > 0 ORDER BY waiting_since, conversation_id LIMIT $4"+areUnread,
		member, string(parley.Open), parley.MaxCount)
	if err != nil {
		return u, err
	}
	open, err := store.Many(v, openOnes, store.Only[parley.ID], ofUnread+latestActivity+areUnread, member, string(parley.Open), parley.MaxCount)
	if err != nil {
		return u, err
	}
	pending, err := store.Many(v, pendingOnes, store.Only[parley.ID], ofUnread+latestActivity+areUnread, member, string(parley.Pending), parley.MaxCount)
	if err != nil {
		return u, err
	}
	known := map[parley.ID]bool{}
	for _, id := range slices.Concat(longest, open, pending) {
		if !known[id] {
			known[id] = true
			u.New = append(u.New, id)
		}
	}
	u.New = u.New[:min(len(u.New), 2*parley.MaxCount)]
	u.Marked, err = store.Many(v, vis, store.Only[parley.ID], `SELECT conversation_id FROM read_marks m WHERE OF_VISIBLE(m) AND m.member_id = $2 AND m.unread AND NOT EXISTS (SELECT 1 FROM conversations c
		WHERE c.workspace_id = $1 AND c.conversation_id = m.conversation_id AND c.merged_into IS NOT NULL) LIMIT $3`,
		member, parley.MaxCount)
	return u, err
}

// countToRead counts the open conversations that the member has not read, among
// those assigned to the member or to nobody; see [SelectCounts].
func countToRead(v store.Reader, open store.Seen, member parley.UserID) (int, error) {
	return store.One(v, open, "workspace", store.Only[int], `SELECT count(*) FROM (SELECT conversation_id, assignee_id, unread_count, waiting_since FROM SEEN(c)
		WHERE VISIBLE(c) AND status = $3 AND status <> 'resolved' AND NOT spam AND merged_into IS NULL ORDER BY last_activity_at DESC, conversation_id DESC LIMIT $4) c`+readMarks+`
		WHERE (c.assignee_id IS NULL OR c.assignee_id = $2) AND (COALESCE(r.unread, FALSE) OR `+unseen+")",
		member, string(parley.Open), parley.MaxCount)
}

// MarkRead stores that a member has seen a conversation up to a message, zero
// for none. It clears the unread mark.
func MarkRead(tx store.Writer, ws parley.WorkspaceID, member parley.UserID, conversation, message parley.ID) error {
	return store.Exec(tx, ws, `INSERT INTO read_marks (workspace_id, member_id, conversation_id, message_id, unread) VALUES ($1, $2, $3, $4, FALSE)
		ON CONFLICT (workspace_id, member_id, conversation_id) DO UPDATE SET message_id = excluded.message_id, unread = FALSE`,
		member, conversation, message)
}

// MarkUnread stores that a member marked a conversation as unread.
func MarkUnread(tx store.Writer, ws parley.WorkspaceID, member parley.UserID, conversation parley.ID) error {
	return store.Exec(tx, ws, `INSERT INTO read_marks (workspace_id, member_id, conversation_id, message_id, unread) VALUES ($1, $2, $3, $4, TRUE)
		ON CONFLICT (workspace_id, member_id, conversation_id) DO UPDATE SET unread = TRUE`,
		member, conversation, parley.ID{})
}

// ReadNotices marks the notices of a member in a conversation and its parts as read.
func ReadNotices(tx store.Writer, ws parley.WorkspaceID, member parley.UserID, conversation parley.ID, at time.Time) error {
	return store.Exec(tx, ws, `UPDATE notices SET read_at = $4 WHERE workspace_id = $1 AND member_id = $2 AND read_at = 0 AND (conversation_id = $3
		OR conversation_id IN (SELECT c.conversation_id FROM conversations c WHERE c.workspace_id = $1 AND c.merged_into = $3))`,
		member, conversation, at)
}

// ForgetRead makes all messages of a conversation unseen for all members. The
// query starts from the members, because they lead the key of the marks.
func ForgetRead(tx store.Writer, ws parley.WorkspaceID, conversation parley.ID) error {
	return store.Exec(tx, ws, `UPDATE read_marks SET message_id = NULL WHERE workspace_id = $1 AND conversation_id = $2
		AND member_id IN (SELECT member_id FROM members WHERE workspace_id = $1)`, conversation)
}
