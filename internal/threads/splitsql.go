package threads

import (
	"encoding/json"

	"parley"
	"parley/internal/store"
)

// A movable is a message without its text, and the files that it has.
type movable struct {
	parley.Message
	files []parley.ID
}

func scanMovable(r store.Row, m *movable) error {
	var attachments string
	err := r.Scan(&m.ID, &m.ConversationID, &m.CreatedAt, (*string)(&m.Direction), &m.Private, (*string)(&m.Sender.Type), (*string)(&m.Agent), &attachments)
	if err != nil || attachments == "" {
		return err
	}
	var files []struct {
		ID parley.ID `json:"id"`
	}
	if err := json.Unmarshal([]byte(attachments), &files); err != nil {
		return err
	}
	for _, file := range files {
		m.files = append(m.files, file.ID)
	}
	return nil
}

// selectMoves returns the messages that were written in a conversation from one on, oldest
// first, at most limit.
func selectMoves(v store.Reader, vis parley.Visibility, conversation, from parley.ID, limit int) ([]movable, error) {
	return store.Many(v, vis, scanMovable, `SELECT g.message_id, g.conversation_id, g.created_at, g.direction, g.private, g.sender_type, g.agent, g.attachments
		FROM messages g WHERE OF_VISIBLE(g) AND g.conversation_id = $2 AND g.message_id >= $3 ORDER BY g.message_id LIMIT $4`, conversation, from, limit)
}

// selectLastBefore returns the newest message before another one that was written in a
// conversation; the zero Position if there is none.
func selectLastBefore(v store.Reader, vis parley.Visibility, conversation, message parley.ID) (parley.Position, error) {
	found, err := store.Many(v, vis, scanPosition, `SELECT g.message_id, g.created_at FROM messages g
		WHERE OF_VISIBLE(g) AND g.conversation_id = $2 AND g.message_id < $3 ORDER BY g.message_id DESC LIMIT 1`, conversation, message)
	if err != nil || len(found) == 0 {
		return parley.Position{}, err
	}
	return found[0], nil
}

// selectSeen returns the last message that the customer of a conversation has seen.
func selectSeen(v store.Reader, vis parley.Visibility, conversation parley.ID) (parley.ID, error) {
	return store.One(v, vis, "conversation", store.Only[parley.ID], "SELECT c.customer_seen_id FROM conversations c WHERE VISIBLE(c) AND c.conversation_id = $2", conversation)
}

// selectWaits reports whether messages of a conversation from one on wait for a channel.
func selectWaits(v store.Reader, ws parley.WorkspaceID, conversation, from parley.ID) (bool, error) {
	found, err := store.Many(v, ws, store.Only[int], "SELECT 1 FROM deliveries WHERE workspace_id = $1 AND conversation_id = $2 AND message_id >= $3 LIMIT 1", conversation, from)
	return len(found) > 0, err
}

// MovedColumns are the columns of a message, except for its workspace and its conversation.
const MovedColumns = `message_id, content, content_type, direction, status, private, sender_type, sender_member_id, sender_contact_id, error,
	created_at, attachments, agent, mentions`

// copyMessages copies the messages of a conversation from one on to another. What names them
// follows, and then deleteCopied deletes the former.
func copyMessages(tx store.Writer, ws parley.WorkspaceID, conversation, to, from parley.ID) error {
	return store.Exec(tx, ws, "INSERT INTO messages (workspace_id, conversation_id, "+MovedColumns+") SELECT workspace_id, $3, "+MovedColumns+
		" FROM messages WHERE workspace_id = $1 AND conversation_id = $2 AND message_id >= $4", conversation, to, from)
}

// deleteCopied deletes the messages of a conversation from one on.
func deleteCopied(tx store.Writer, ws parley.WorkspaceID, conversation, from parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM messages WHERE workspace_id = $1 AND conversation_id = $2 AND message_id >= $3", conversation, from)
}

// moveNetworkMessages moves what the network calls messages of a conversation from one on.
func moveNetworkMessages(tx store.Writer, ws parley.WorkspaceID, conversation, to, from parley.ID) error {
	return store.Exec(tx, ws, "UPDATE chatapp_messages SET conversation_id = $3 WHERE workspace_id = $1 AND conversation_id = $2 AND message_id >= $4", conversation, to, from)
}

// moveFiles moves files of messages to a conversation.
func moveFiles(tx store.Writer, ws parley.WorkspaceID, to parley.ID, files []parley.ID) error {
	return store.Exec(tx, ws, "UPDATE attachments SET conversation_id = $2 WHERE workspace_id = $1 AND message_id IS NOT NULL AND attachment_id IN ($3...)", to, store.ListOf(files))
}

// moveNotices moves the notices about messages of a conversation from one on. One that its
// member has unread there already stays where it is.
func moveNotices(tx store.Writer, ws parley.WorkspaceID, conversation, to, from parley.ID) error {
	return store.Exec(tx, ws, `UPDATE notices SET conversation_id = $3 WHERE workspace_id = $1 AND conversation_id = $2 AND message_id >= $4
		AND NOT (read_at = 0 AND EXISTS (SELECT 1 FROM notices o WHERE o.workspace_id = $1 AND o.member_id = notices.member_id
			AND o.conversation_id = $3 AND o.kind = notices.kind AND o.read_at = 0))`, conversation, to, from)
}

// copyReadMarks copies how far members have read a conversation to a new one. Marks compare
// the ids of messages, which stay the same.
func copyReadMarks(tx store.Writer, ws parley.WorkspaceID, from, to parley.ID) error {
	return store.Exec(tx, ws, `INSERT INTO read_marks (workspace_id, member_id, conversation_id, message_id, unread)
		SELECT $1, r.member_id, $3, r.message_id, r.unread FROM read_marks r WHERE r.workspace_id = $1 AND r.conversation_id = $2
			AND r.member_id IN (SELECT m.member_id FROM members m WHERE m.workspace_id = $1)`, from, to)
}

// copyContinuation copies up to which message the customer of a conversation was mailed to a
// new one.
func copyContinuation(tx store.Writer, ws parley.WorkspaceID, from, to parley.ID) error {
	return store.Exec(tx, ws, `INSERT INTO continuations (workspace_id, conversation_id, message_id, mail_id, mailed_at)
		SELECT workspace_id, $3, message_id, mail_id, mailed_at FROM continuations WHERE workspace_id = $1 AND conversation_id = $2`, from, to)
}
