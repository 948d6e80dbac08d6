package desk

import (
	"time"

	"parley"
	"parley/internal/store"
)

// SelectInboxesReaching returns the inboxes that can reach a contact, oldest first:
// web inboxes in which the contact has a session that is valid at a time, and
// API inboxes that have received a message from the contact.
func SelectInboxesReaching(v store.Reader, ws parley.WorkspaceID, contact parley.ID, now time.Time, limit int) ([]parley.InboxRef, error) {
	return store.Many(v, ws, func(r store.Row, i *parley.InboxRef) error { return r.Scan(&i.ID, &i.Name, (*string)(&i.Channel)) },
		`SELECT i.inbox_id, i.name, i.channel FROM inboxes i WHERE i.workspace_id = $1 AND (
			i.channel = 'web' AND EXISTS (SELECT 1 FROM customer_sessions s WHERE s.workspace_id = i.workspace_id
				AND s.contact_id = $2 AND s.inbox_id = i.inbox_id AND s.expires_at > $3`+store.VouchedFor+`)
			OR i.channel = 'api' AND EXISTS (SELECT 1 FROM conversations c WHERE c.workspace_id = i.workspace_id
				AND c.contact_id = $2 AND c.inbox_id = i.inbox_id AND EXISTS (SELECT 1 FROM messages m
					WHERE m.workspace_id = c.workspace_id AND m.conversation_id = c.conversation_id AND m.direction = 'incoming')))
		ORDER BY i.inbox_id LIMIT $4`, contact, now, limit)
}

// SelectConnectedInboxes returns the inboxes of the numbers that
// [store.View.ConnectedNumbers] returns.
func SelectConnectedInboxes(v store.Reader, ws parley.WorkspaceID, limit int) ([]parley.InboxRef, error) {
	return store.Many(v, ws, func(r store.Row, i *parley.InboxRef) error { return r.Scan(&i.ID, &i.Name, (*string)(&i.Channel)) },
		`SELECT i.inbox_id, i.name, i.channel FROM (SELECT number_id, inbox_id FROM numbers
			WHERE workspace_id = $1 AND status = $2 ORDER BY number_id LIMIT $3) n
		JOIN inboxes i ON i.workspace_id = $1 AND i.inbox_id = n.inbox_id ORDER BY n.number_id`, string(parley.NumberConnected), limit)
}
