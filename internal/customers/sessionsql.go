package customers

import (
	"time"

	"parley"
	"parley/internal/store"
)

const customerSessionColumns = "s.workspace_id, s.session_id, s.contact_id, s.inbox_id, s.kid, s.conversation_id, s.created_at, s.seen_at, s.expires_at"

func scanCustomerSession(r store.Row, s *parley.CustomerSession) error {
	return r.Scan(&s.Workspace, &s.ID, &s.ContactID, &s.InboxID, &s.KID, &s.ConversationID, &s.CreatedAt, &s.SeenAt, &s.ExpiresAt)
}

// InsertCustomerSession stores a new session with the hash of its token.
func InsertCustomerSession(tx store.Writer, ws parley.WorkspaceID, s *parley.CustomerSession, hash [32]byte) error {
	return store.Exec(tx, ws, `INSERT INTO customer_sessions (workspace_id, session_id, contact_id, inbox_id, kid, conversation_id, created_at, seen_at,
		expires_at, token_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		s.ID, s.ContactID, s.InboxID, s.KID, s.ConversationID, s.CreatedAt, s.SeenAt, s.ExpiresAt, hash[:])
}

// UpdateCustomerSessionSeen stores when a session was last seen and when it
// expires.
func UpdateCustomerSessionSeen(tx store.Writer, ws parley.WorkspaceID, s *parley.CustomerSession) error {
	return store.Exec(tx, ws, "UPDATE customer_sessions SET seen_at = $3, expires_at = $4 WHERE workspace_id = $1 AND session_id = $2",
		s.ID, s.SeenAt, s.ExpiresAt)
}

// DeleteCustomerSession ends a session and reports whether it existed.
func DeleteCustomerSession(tx store.Writer, ws parley.WorkspaceID, id parley.ID) (bool, error) {
	return store.Affected(tx, ws, "DELETE FROM customer_sessions WHERE workspace_id = $1 AND session_id = $2 RETURNING 1", id)
}

// DeleteVisitorSessionsOfInbox ends the sessions of an inbox that have no
// identity key, and reports whether there were any.
func DeleteVisitorSessionsOfInbox(tx store.Writer, ws parley.WorkspaceID, inbox parley.ID) (bool, error) {
	return store.Affected(tx, ws, "DELETE FROM customer_sessions WHERE workspace_id = $1 AND inbox_id = $2 AND kid = '' RETURNING 1", inbox)
}

// DeleteSignedSessionsOfInbox ends the sessions of an inbox that have an
// identity key, and reports whether there were any.
func DeleteSignedSessionsOfInbox(tx store.Writer, ws parley.WorkspaceID, inbox parley.ID) (bool, error) {
	return store.Affected(tx, ws, "DELETE FROM customer_sessions WHERE workspace_id = $1 AND inbox_id = $2 AND kid <> '' RETURNING 1", inbox)
}

// DeleteCustomerSessions ends all sessions of a contact and returns how many
// there were.
func DeleteCustomerSessions(tx store.Writer, ws parley.WorkspaceID, contact parley.ID) (int, error) {
	ended, err := store.Many(tx, ws, func(r store.Row, id *parley.ID) error { return r.Scan(id) },
		"DELETE FROM customer_sessions WHERE workspace_id = $1 AND contact_id = $2 RETURNING session_id", contact)
	return len(ended), err
}

// DeleteExpiredCustomerSessions deletes sessions that expired before a time.
func DeleteExpiredCustomerSessions(tx store.Writer, ws parley.WorkspaceID, before time.Time) error {
	return store.Exec(tx, ws, "DELETE FROM customer_sessions WHERE workspace_id = $1 AND expires_at < $2", before)
}

// SelectCustomerSession returns a session that is still valid at a time.
func SelectCustomerSession(v store.Reader, ws parley.WorkspaceID, id parley.ID, now time.Time) (parley.CustomerSession, error) {
	return store.One(v, ws, "session", scanCustomerSession, "SELECT "+customerSessionColumns+` FROM customer_sessions s
		WHERE s.workspace_id = $1 AND s.session_id = $2 AND s.expires_at > $3`+store.VouchedFor, id, now)
}

// SelectCustomerSessionByHash returns the unexpired session of a customer's token, in
// any workspace.
func SelectCustomerSessionByHash(v store.Reader, hash [32]byte, now time.Time) (parley.CustomerSession, error) {
	return store.OneAcross(v, "session", scanCustomerSession, "SELECT "+customerSessionColumns+` FROM customer_sessions s
		WHERE s.token_hash = $1 AND s.expires_at > $2`+store.VouchedFor, hash[:], now)
}
