package erasure

import (
	"parley"
	"parley/internal/store"
)

// selectConversationsOf returns conversations of a contact after one of them.
func selectConversationsOf(v store.Reader, ws parley.WorkspaceID, contact, after parley.ID, limit int) ([]parley.ID, error) {
	return store.Many(v, ws, store.Only[parley.ID], `SELECT conversation_id FROM conversations WHERE workspace_id = $1 AND contact_id = $2
		AND conversation_id > $3 ORDER BY conversation_id LIMIT $4`, contact, parley.WorkspaceID(after), limit)
}

// selectWritten returns messages of a contact in a group after one of them, oldest
// first.
func selectWritten(v store.Reader, ws parley.WorkspaceID, group, contact, after parley.ID, limit int) ([]parley.Message, error) {
	return store.ManyWithin(v, ws, maxReadBytes, store.ScanMessage, "SELECT "+store.MessageColumns+store.MessageTables+
		` WHERE g.workspace_id = $1 AND g.conversation_id = $2 AND g.sender_contact_id = $3 AND g.message_id > $4 ORDER BY g.message_id LIMIT $5`,
		group, contact, parley.WorkspaceID(after), limit)
}
