package threads

import (
	"encoding/json"
	"time"

	"parley"
	"parley/internal/store"
)

// A merged row says that a conversation was merged into another one.
type merged struct {
	conversation, into parley.ID
	member             parley.UserID // who merged them; "" for a program
	at                 time.Time
	undo               undo
}

const mergeColumns = "conversation_id, into_id, member_id, merged_at, undo"

func scanMerged(r store.Row, m *merged) error {
	var text string
	if err := r.Scan(&m.conversation, &m.into, (*string)(&m.member), &m.at, &text); err != nil {
		return err
	}
	return json.Unmarshal([]byte(text), &m.undo)
}

// putMerged stores a merge, or what its undo needs now.
func putMerged(tx store.Writer, ws parley.WorkspaceID, m *merged) error {
	text, err := json.Marshal(m.undo)
	if err != nil {
		return err
	}
	return store.Exec(tx, ws, "INSERT INTO conversation_merges (workspace_id, "+mergeColumns+`) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (workspace_id, conversation_id) DO UPDATE SET undo = excluded.undo`,
		m.conversation, m.into, string(m.member), m.at, string(text))
}

func deleteMerged(tx store.Writer, ws parley.WorkspaceID, conversation parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM conversation_merges WHERE workspace_id = $1 AND conversation_id = $2", conversation)
}

func selectMerged(v store.Reader, vis parley.Visibility, conversation parley.ID) (merged, error) {
	return store.One(v, vis, "merge", scanMerged, "SELECT "+mergeColumns+
		" FROM conversation_merges m WHERE OF_VISIBLE(m) AND m.conversation_id = $2", conversation)
}

// selectMergedInto returns the merges into a conversation, the earliest first.
func selectMergedInto(v store.Reader, vis parley.Visibility, into parley.ID) ([]merged, error) {
	return store.Many(v, vis, scanMerged, "SELECT "+mergeColumns+
		" FROM conversation_merges m WHERE OF_VISIBLE(m) AND m.into_id = $2 ORDER BY m.merged_at, m.conversation_id", into)
}

// selectErased reports whether an erasure of any of the records has begun and not ended.
func selectErased(v store.Reader, ws parley.WorkspaceID, ids ...parley.ID) (bool, error) {
	found, err := store.Many(v, ws, store.Only[int], "SELECT 1 FROM erasures WHERE workspace_id = $1 AND finished_at = 0 AND subject_id IN ($2...) LIMIT 1", store.ListOf(ids))
	return len(found) > 0, err
}

// selectOwnLast returns the newest message that was written in a conversation itself; the
// zero ID if there is none.
func selectOwnLast(v store.Reader, vis parley.Visibility, conversation parley.ID) (parley.Position, error) {
	found, err := store.Many(v, vis, scanPosition, `SELECT g.message_id, g.created_at FROM messages g
		WHERE OF_VISIBLE(g) AND g.conversation_id = $2 ORDER BY g.message_id DESC LIMIT 1`, conversation)
	if err != nil || len(found) == 0 {
		return parley.Position{}, err
	}
	return found[0], nil
}

// selectIncomingSince returns the customer's first messages in a conversation itself
// after a message, at most limit.
func selectIncomingSince(v store.Reader, vis parley.Visibility, conversation, after parley.ID, limit int) ([]parley.Position, error) {
	return store.Many(v, vis, scanPosition, `SELECT g.message_id, g.created_at FROM messages g
		WHERE OF_VISIBLE(g) AND g.conversation_id = $2 AND g.message_id > $3 AND g.direction = 'incoming' ORDER BY g.message_id LIMIT $4`,
		conversation, after, limit)
}

func scanPosition(r store.Row, p *parley.Position) error { return r.Scan(&p.ID, &p.At) }

// A chat names a chat of the messaging application.
type chat struct {
	Number parley.ID `json:"number"`
	JID    string    `json:"jid"`
}

// moveChats leads the chats of a conversation to another one, and returns them.
func moveChats(tx store.Writer, ws parley.WorkspaceID, from, to parley.ID) ([]chat, error) {
	return store.Many(tx, ws, func(r store.Row, c *chat) error { return r.Scan(&c.Number, &c.JID) },
		"UPDATE chatapp_chats SET conversation_id = $3 WHERE workspace_id = $1 AND conversation_id = $2 RETURNING number_id, jid", from, to)
}

// moveChat leads a chat of a conversation to another one.
func moveChat(tx store.Writer, ws parley.WorkspaceID, c chat, from, to parley.ID) error {
	return store.Exec(tx, ws, "UPDATE chatapp_chats SET conversation_id = $5 WHERE workspace_id = $1 AND number_id = $2 AND jid = $3 AND conversation_id = $4",
		c.Number, c.JID, from, to)
}

// A draft names the state of a draft.
type draft struct {
	Member  parley.UserID `json:"member"`
	Version int64         `json:"version"`
}

// joinDrafts adds what members have written in a conversation to their drafts in another
// one. Their files come with it.
func joinDrafts(tx store.Writer, ws parley.WorkspaceID, from, to parley.ID, now time.Time) error {
	err := store.Exec(tx, ws, `UPDATE drafts SET version = version + 1, updated_at = $4,
		content = content || CASE WHEN content = '' THEN '' ELSE $5 END || (SELECT s.content FROM drafts s
			WHERE s.workspace_id = $1 AND s.conversation_id = $2 AND s.member_id = drafts.member_id),
		attachment_ids = attachment_ids || ' ' || (SELECT s.attachment_ids FROM drafts s
			WHERE s.workspace_id = $1 AND s.conversation_id = $2 AND s.member_id = drafts.member_id)
		WHERE workspace_id = $1 AND conversation_id = $3
			AND member_id IN (SELECT s.member_id FROM drafts s WHERE s.workspace_id = $1 AND s.conversation_id = $2)`, from, to, now, "\n\n")
	if err != nil {
		return err
	}
	return store.Exec(tx, ws, `DELETE FROM drafts WHERE workspace_id = $1 AND conversation_id = $2
		AND member_id IN (SELECT t.member_id FROM drafts t WHERE t.workspace_id = $1 AND t.conversation_id = $3)`, from, to)
}

// moveDrafts moves the drafts of a conversation to another one, and returns them. Their
// authors must have none there.
func moveDrafts(tx store.Writer, ws parley.WorkspaceID, from, to parley.ID) ([]draft, error) {
	return store.Many(tx, ws, func(r store.Row, d *draft) error { return r.Scan((*string)(&d.Member), &d.Version) },
		"UPDATE drafts SET conversation_id = $3 WHERE workspace_id = $1 AND conversation_id = $2 RETURNING member_id, version", from, to)
}

// moveDraft moves a draft that has not changed.
func moveDraft(tx store.Writer, ws parley.WorkspaceID, d draft, from, to parley.ID) error {
	return store.Exec(tx, ws, "UPDATE drafts SET conversation_id = $5 WHERE workspace_id = $1 AND member_id = $2 AND version = $3 AND conversation_id = $4",
		d.Member, d.Version, from, to)
}

// copyFollows makes those who follow a conversation follow another one, unless they have
// decided about it, and returns them.
func copyFollows(tx store.Writer, ws parley.WorkspaceID, from, to parley.ID, now time.Time) ([]string, error) {
	return store.Many(tx, ws, store.Only[string], `INSERT INTO follows (workspace_id, conversation_id, member_id, followed, since)
		SELECT $1, $3, f.member_id, TRUE, $4 FROM follows f WHERE f.workspace_id = $1 AND f.conversation_id = $2 AND f.followed
		ON CONFLICT (workspace_id, conversation_id, member_id) DO NOTHING RETURNING member_id`, from, to, now)
}

// deleteFollows ends what [copyFollows] made, unless the member has decided since.
func deleteFollows(tx store.Writer, ws parley.WorkspaceID, conversation parley.ID, members []string, since time.Time) error {
	return store.Exec(tx, ws, `DELETE FROM follows WHERE workspace_id = $1 AND conversation_id = $2 AND followed AND since = $3 AND member_id IN ($4...)`,
		conversation, since, store.ListOf(members))
}

// copyUnreadMarks marks a conversation as unread for those who marked another one.
func copyUnreadMarks(tx store.Writer, ws parley.WorkspaceID, from, to parley.ID) error {
	return store.Exec(tx, ws, `INSERT INTO read_marks (workspace_id, member_id, conversation_id, message_id, unread)
		SELECT $1, r.member_id, $3, NULL, TRUE FROM read_marks r WHERE r.workspace_id = $1 AND r.conversation_id = $2 AND r.unread
		ON CONFLICT (workspace_id, member_id, conversation_id) DO UPDATE SET unread = TRUE`, from, to)
}

// moveReturns leads the sessions that began with a mail about a conversation to another
// one, and reports whether there were any.
func moveReturns(tx store.Writer, ws parley.WorkspaceID, from, to parley.ID) (bool, error) {
	return store.Affected(tx, ws, "UPDATE customer_sessions SET conversation_id = $3 WHERE workspace_id = $1 AND conversation_id = $2 RETURNING 1", from, to)
}

// deleteReturns ends the sessions that began with a mail about a conversation, and reports
// whether there were any.
func deleteReturns(tx store.Writer, ws parley.WorkspaceID, conversation parley.ID) (bool, error) {
	return store.Affected(tx, ws, "DELETE FROM customer_sessions WHERE workspace_id = $1 AND conversation_id = $2 RETURNING 1", conversation)
}
