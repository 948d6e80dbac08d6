package erasure

import (
	"parley"
	"parley/internal/store"
)

// countConversations returns the number of conversations of a contact.
func countConversations(v store.Reader, ws parley.WorkspaceID, contact parley.ID) (int, error) {
	return store.One(v, ws, "count", store.Only[int], "SELECT count(*) FROM conversations WHERE workspace_id = $1 AND contact_id = $2", contact)
}

// countMessages returns the number of messages in the conversations of a contact.
func countMessages(v store.Reader, ws parley.WorkspaceID, contact parley.ID) (int, error) {
	return store.One(v, ws, "count", store.Only[int], `SELECT count(*) FROM conversations c CROSS JOIN messages g
		WHERE c.workspace_id = $1 AND c.contact_id = $2 AND g.workspace_id = c.workspace_id AND g.conversation_id = c.conversation_id`, contact)
}

// countFiles returns the number of files in the conversations of a contact, plus its
// unattached ones.
func countFiles(v store.Reader, ws parley.WorkspaceID, contact parley.ID) (int, error) {
	return store.One(v, ws, "count", store.Only[int], `SELECT count(*) FROM attachments a WHERE a.workspace_id = $1 AND (a.contact_id = $2
		OR a.conversation_id IN (SELECT c.conversation_id FROM conversations c WHERE c.workspace_id = $1 AND c.contact_id = $2))`, contact)
}

// countSessions returns the number of sessions of a contact in the widget.
func countSessions(v store.Reader, ws parley.WorkspaceID, contact parley.ID) (int, error) {
	return store.One(v, ws, "count", store.Only[int], "SELECT count(*) FROM customer_sessions WHERE workspace_id = $1 AND contact_id = $2", contact)
}
