package store

import "parley"

// unseen is true for a conversation c with the read mark r if it has a
// customer's message that is neither answered nor seen by the member. A
// backfill changes neither column, so backfilled messages are not new to
// anyone.
const unseen = `(c.unread_count > 0 OR c.waiting_since > 0) AND (r.message_id IS NULL OR EXISTS (
		SELECT 1 FROM messages g WHERE g.workspace_id = $1 AND g.conversation_id = c.conversation_id
			AND g.message_id > r.message_id AND g.direction = 'incoming'))`

// readMarks joins the read marks of member $2 to the conversations c.
const readMarks = ` LEFT JOIN read_marks r ON r.workspace_id = $1 AND r.member_id = $2 AND r.conversation_id = c.conversation_id`

// Unread returns the conversations that a member has not read. It looks for new
// ones among the parley.MaxCount open conversations that wait the longest, and
// among as many open and as many pending ones with the latest activity.
func (v *View) Unread(ws parley.WorkspaceID, member parley.UserID) (parley.Unread, error) {
	var u parley.Unread
	const columns = "SELECT conversation_id, unread_count, waiting_since FROM conversations WHERE workspace_id = $1 AND status = $3 AND "
	const longest = columns + "waiting_since > 0 ORDER BY waiting_since, conversation_id LIMIT $4"
	const newest = columns + "status <> 'resolved' ORDER BY last_activity_at DESC, conversation_id DESC LIMIT $4"
	known := map[parley.ID]bool{}
	for _, part := range []struct {
		sql    string
		status parley.Status
	}{{longest, parley.Open}, {newest, parley.Open}, {newest, parley.Pending}} {
		found, err := many(v, scanID, "SELECT c.conversation_id FROM ("+part.sql+") c"+readMarks+
			" WHERE NOT COALESCE(r.unread, FALSE) AND "+unseen, ws, member, string(part.status), parley.MaxCount)
		if err != nil {
			return u, err
		}
		for _, id := range found {
			if !known[id] {
				known[id] = true
				u.New = append(u.New, id)
			}
		}
	}
	u.New = u.New[:min(len(u.New), 2*parley.MaxCount)]
	var err error
	u.Marked, err = many(v, scanID, "SELECT conversation_id FROM read_marks WHERE workspace_id = $1 AND member_id = $2 AND unread LIMIT $3",
		ws, member, parley.MaxCount)
	return u, err
}

func scanID(r row, id *parley.ID) error { return r.scan(id) }

// countToRead counts the open conversations that the member has not read, among
// those assigned to the member or to nobody; see [View.Counts].
func (v *View) countToRead(ws parley.WorkspaceID, member parley.UserID) (int, error) {
	return one(v, "workspace", scanCount, `SELECT count(*) FROM (SELECT conversation_id, assignee_id, unread_count, waiting_since FROM conversations
		WHERE workspace_id = $1 AND status = $3 AND status <> 'resolved' ORDER BY last_activity_at DESC, conversation_id DESC LIMIT $4) c`+readMarks+`
		WHERE (c.assignee_id IS NULL OR c.assignee_id = $2) AND (COALESCE(r.unread, FALSE) OR `+unseen+")",
		ws, member, string(parley.Open), parley.MaxCount)
}

// MarkRead stores that a member has seen a conversation up to a message, zero
// for none. It clears the unread mark.
func (tx *Tx) MarkRead(ws parley.WorkspaceID, member parley.UserID, conversation, message parley.ID) error {
	return tx.exec(`INSERT INTO read_marks (workspace_id, member_id, conversation_id, message_id, unread) VALUES ($1, $2, $3, $4, FALSE)
		ON CONFLICT (workspace_id, member_id, conversation_id) DO UPDATE SET message_id = excluded.message_id, unread = FALSE`,
		ws, member, conversation, message)
}

// MarkUnread stores that a member marked a conversation as unread.
func (tx *Tx) MarkUnread(ws parley.WorkspaceID, member parley.UserID, conversation parley.ID) error {
	return tx.exec(`INSERT INTO read_marks (workspace_id, member_id, conversation_id, message_id, unread) VALUES ($1, $2, $3, $4, TRUE)
		ON CONFLICT (workspace_id, member_id, conversation_id) DO UPDATE SET unread = TRUE`,
		ws, member, conversation, parley.ID{})
}

// ForgetRead makes all messages of a conversation unseen for all members. The
// query starts from the members, because they lead the key of the marks.
func (tx *Tx) ForgetRead(ws parley.WorkspaceID, conversation parley.ID) error {
	return tx.exec(`UPDATE read_marks SET message_id = NULL WHERE workspace_id = $1 AND conversation_id = $2
		AND member_id IN (SELECT member_id FROM members WHERE workspace_id = $1)`, ws, conversation)
}
