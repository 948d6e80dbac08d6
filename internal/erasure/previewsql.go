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
// unattached ones and those of scheduled messages.
func countFiles(v store.Reader, ws parley.WorkspaceID, contact parley.ID) (int, error) {
	return store.One(v, ws, "count", store.Only[int], `SELECT count(*) FROM attachments a WHERE a.workspace_id = $1 AND (a.contact_id = $2
		OR a.conversation_id IN (SELECT c.conversation_id FROM conversations c WHERE c.workspace_id = $1 AND c.contact_id = $2)
		OR a.scheduled_id IN (SELECT s.scheduled_id FROM scheduled_messages s JOIN conversations c ON c.workspace_id = $1 AND c.conversation_id = s.conversation_id
			WHERE s.workspace_id = $1 AND c.contact_id = $2))`, contact)
}

// countSessions returns the number of sessions of a contact in the widget.
func countSessions(v store.Reader, ws parley.WorkspaceID, contact parley.ID) (int, error) {
	return store.One(v, ws, "count", store.Only[int], "SELECT count(*) FROM customer_sessions WHERE workspace_id = $1 AND contact_id = $2", contact)
}

// countMessagesOf returns the number of messages of a group that contacts wrote, and of
// its notes.
func countMessagesOf(v store.Reader, ws parley.WorkspaceID, conversation parley.ID, contacts []parley.ID) (int, error) {
	return store.One(v, ws, "count", store.Only[int], `SELECT count(*) FROM messages WHERE workspace_id = $1 AND conversation_id = $2
		AND (sender_type = $3 OR sender_contact_id IN ($4...))`, conversation, string(parley.SenderSystem), store.ListOf(contacts))
}

// selectMessagesWithFiles returns messages of a group with files that contacts wrote.
func selectMessagesWithFiles(v store.Reader, ws parley.WorkspaceID, conversation parley.ID, from place, contacts []parley.ID) ([]parley.Message, error) {
	return store.ManyWithin(v, ws, maxReadBytes, store.ScanMessage, "SELECT "+store.MessageColumns+store.MessageTables+
		` WHERE g.workspace_id = $1 AND g.conversation_id = $2 AND g.message_id > $3 AND g.attachments <> '' AND g.sender_contact_id IN ($5...)
		ORDER BY g.message_id LIMIT $4`, conversation, from.first(), from.limit, store.ListOf(contacts))
}
