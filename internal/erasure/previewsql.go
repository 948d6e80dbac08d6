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

// countGroupMessages returns the number of messages of a contact in groups.
func countGroupMessages(v store.Reader, ws parley.WorkspaceID, contact parley.ID) (int, error) {
	return store.One(v, ws, "count", store.Only[int], `SELECT count(*) FROM chatapp_groups p CROSS JOIN messages g
		WHERE p.workspace_id = $1 AND g.workspace_id = p.workspace_id AND g.conversation_id = p.conversation_id AND g.sender_contact_id = $2`, contact)
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

// countGroups returns the number of groups in which a contact wrote, or of which one
// of the phones is a member.
func countGroups(v store.Reader, ws parley.WorkspaceID, contact parley.ID, phones []string) (int, error) {
	return store.One(v, ws, "count", store.Only[int], `SELECT count(*) FROM chatapp_groups p WHERE p.workspace_id = $1
		AND (EXISTS (SELECT 1 FROM messages g WHERE g.workspace_id = p.workspace_id AND g.conversation_id = p.conversation_id AND g.sender_contact_id = $2)
		OR EXISTS (SELECT 1 FROM group_members m WHERE m.workspace_id = p.workspace_id AND m.conversation_id = p.conversation_id
			AND (m.phone IN ($3...) OR m.network_phone IN ($3...))))`, contact, store.ListOf(append([]string{"-"}, phones...))) // a list is never empty
}
