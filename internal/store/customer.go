package store

import (
	"time"

	"parley"
)

// VouchedFor is the condition that the identity key behind a row s of
// customer_sessions has not been revoked. Sessions of visitors have no key.
const VouchedFor = ` AND (s.kid = '' OR EXISTS (SELECT 1 FROM identity_keys i
	WHERE i.workspace_id = s.workspace_id AND i.kid = s.kid AND i.revoked_at = 0))`

// A prefixed row has extra columns in front of those that a scan function
// reads.
type prefixed struct {
	row
	before []any
}

func (p prefixed) scan(dest ...any) error { return p.row.scan(append(p.before, dest...)...) }

// UpdateConversationSeen stores the latest message that the customer has seen.
func (tx *Tx) UpdateConversationSeen(ws parley.WorkspaceID, id, message parley.ID, now time.Time) error {
	return tx.exec("UPDATE conversations SET customer_seen_id = $3, changed_at = $4 WHERE workspace_id = $1 AND conversation_id = $2",
		ws, id, message, tx.changedAt(ws, id, now))
}

// PublicMessages is [View.Messages] without private messages.
func (v *View) PublicMessages(vis parley.Visibility, conversation parley.ID, before parley.Position, limit int) (parley.Page[parley.Message], error) {
	return messagesWhere(v, vis, conversation, before, limit, "NOT g.private")
}
