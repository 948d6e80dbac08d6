package numbers

import (
	"time"

	"parley"
	"parley/internal/store"
)

// SelectNewestConversation returns the id of the newest conversation with a contact
// in an inbox.
func SelectNewestConversation(v store.Reader, ws parley.WorkspaceID, contact, inbox parley.ID) (parley.ID, error) {
	return store.One(v, ws, "conversation", func(r store.Row, id *parley.ID) error { return r.Scan(id) },
		`SELECT conversation_id FROM conversations WHERE workspace_id = $1 AND contact_id = $2 AND inbox_id = $3 AND merged_into IS NULL
		ORDER BY conversation_id DESC LIMIT 1`, contact, inbox)
}

// HasIncoming reports whether the customer has ever written in a conversation or a
// part of it.
func HasIncoming(v store.Reader, ws parley.WorkspaceID, conversation parley.ID) (bool, error) {
	n, err := store.Many(v, ws, func(r store.Row, n *int) error { return r.Scan(n) }, `SELECT 1 FROM messages WHERE workspace_id = $1 AND direction = $3
		AND (conversation_id = $2 OR conversation_id IN (SELECT c.conversation_id FROM conversations c WHERE c.workspace_id = $1 AND c.merged_into = $2)) LIMIT 1`,
		conversation, string(parley.Incoming))
	return len(n) > 0, err
}

// DeleteNetworkMessages deletes at most limit links of messages written before
// a time, and returns how many it deleted.
func DeleteNetworkMessages(tx store.Writer, ws parley.WorkspaceID, before time.Time, limit int) (int, error) {
	deleted, err := store.Many(tx, ws, func(r store.Row, n *int) error { return r.Scan(n) }, `DELETE FROM chatapp_messages WHERE workspace_id = $1 AND message_id IN
		(SELECT message_id FROM chatapp_messages WHERE workspace_id = $1 AND message_id < $2 ORDER BY message_id LIMIT $3)
		RETURNING 1`, parley.FirstID(before), limit)
	return len(deleted), err
}
