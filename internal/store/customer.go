package store

import (
	"time"

	"parley"
)

// vouchedFor is the condition that the identity key behind a row s of
// customer_sessions has not been revoked. Sessions of visitors have no key.
const vouchedFor = ` AND (s.kid = '' OR EXISTS (SELECT 1 FROM identity_keys i
	WHERE i.workspace_id = s.workspace_id AND i.kid = s.kid AND i.revoked_at = 0))`

const customerSessionColumns = "s.workspace_id, s.session_id, s.contact_id, s.inbox_id, s.kid, s.created_at, s.seen_at, s.expires_at"

func scanCustomerSession(r row, s *parley.CustomerSession) error {
	return r.scan(&s.Workspace, &s.ID, &s.ContactID, &s.InboxID, &s.KID, &s.CreatedAt, &s.SeenAt, &s.ExpiresAt)
}

// InsertCustomerSession stores a new session with the hash of its token.
func (tx *Tx) InsertCustomerSession(ws parley.WorkspaceID, s *parley.CustomerSession, hash [32]byte) error {
	return tx.exec(`INSERT INTO customer_sessions (workspace_id, session_id, contact_id, inbox_id, kid, created_at, seen_at,
		expires_at, token_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		ws, s.ID, s.ContactID, s.InboxID, s.KID, s.CreatedAt, s.SeenAt, s.ExpiresAt, hash[:])
}

// UpdateCustomerSessionSeen stores when a session was last seen and when it
// expires.
func (tx *Tx) UpdateCustomerSessionSeen(ws parley.WorkspaceID, s *parley.CustomerSession) error {
	return tx.exec("UPDATE customer_sessions SET seen_at = $3, expires_at = $4 WHERE workspace_id = $1 AND session_id = $2",
		ws, s.ID, s.SeenAt, s.ExpiresAt)
}

// UpdateCustomerSessionsContact moves the sessions of a contact to another
// contact and reports whether there were any.
func (tx *Tx) UpdateCustomerSessionsContact(ws parley.WorkspaceID, from, to parley.ID) (bool, error) {
	return tx.inserted("UPDATE customer_sessions SET contact_id = $3 WHERE workspace_id = $1 AND contact_id = $2 RETURNING 1", ws, from, to)
}

// DeleteCustomerSession ends a session and reports whether it existed.
func (tx *Tx) DeleteCustomerSession(ws parley.WorkspaceID, id parley.ID) (bool, error) {
	return tx.inserted("DELETE FROM customer_sessions WHERE workspace_id = $1 AND session_id = $2 RETURNING 1", ws, id)
}

// DeleteVisitorSessions ends the sessions of a contact that have no identity
// key, and reports whether there were any.
func (tx *Tx) DeleteVisitorSessions(ws parley.WorkspaceID, contact parley.ID) (bool, error) {
	return tx.inserted("DELETE FROM customer_sessions WHERE workspace_id = $1 AND contact_id = $2 AND kid = '' RETURNING 1", ws, contact)
}

// DeleteVisitorSessionsOfInbox ends the sessions of an inbox that have no
// identity key, and reports whether there were any.
func (tx *Tx) DeleteVisitorSessionsOfInbox(ws parley.WorkspaceID, inbox parley.ID) (bool, error) {
	return tx.inserted("DELETE FROM customer_sessions WHERE workspace_id = $1 AND inbox_id = $2 AND kid = '' RETURNING 1", ws, inbox)
}

// DeleteSignedSessionsOfInbox ends the sessions of an inbox that have an
// identity key, and reports whether there were any.
func (tx *Tx) DeleteSignedSessionsOfInbox(ws parley.WorkspaceID, inbox parley.ID) (bool, error) {
	return tx.inserted("DELETE FROM customer_sessions WHERE workspace_id = $1 AND inbox_id = $2 AND kid <> '' RETURNING 1", ws, inbox)
}

// DeleteCustomerSessions ends all sessions of a contact and returns how many
// there were.
func (tx *Tx) DeleteCustomerSessions(ws parley.WorkspaceID, contact parley.ID) (int, error) {
	ended, err := many(&tx.View, func(r row, id *parley.ID) error { return r.scan(id) },
		"DELETE FROM customer_sessions WHERE workspace_id = $1 AND contact_id = $2 RETURNING session_id", ws, contact)
	return len(ended), err
}

// DeleteExpiredCustomerSessions deletes sessions that expired before a time.
func (tx *Tx) DeleteExpiredCustomerSessions(ws parley.WorkspaceID, before time.Time) error {
	return tx.exec("DELETE FROM customer_sessions WHERE workspace_id = $1 AND expires_at < $2", ws, before)
}

// CustomerSession returns a session that is still valid at a time.
func (v *View) CustomerSession(ws parley.WorkspaceID, id parley.ID, now time.Time) (parley.CustomerSession, error) {
	return one(v, "session", scanCustomerSession, "SELECT "+customerSessionColumns+` FROM customer_sessions s
		WHERE s.workspace_id = $1 AND s.session_id = $2 AND s.expires_at > $3`+vouchedFor, ws, id, now)
}

// customerConversation is the query for conversations as their customers see
// them. Private messages do not affect the unread count, the last message or
// the time of the last activity. condition selects among the conversations c.
func customerConversation(condition string) string {
	return `SELECT c.conversation_id, c.contact_id, c.inbox_id, c.status, COALESCE(g.created_at, c.created_at), c.created_at,
		(SELECT count(*) FROM (SELECT 1 FROM messages u WHERE u.workspace_id = c.workspace_id AND u.conversation_id = c.conversation_id
			AND (c.customer_seen_id IS NULL OR u.message_id > c.customer_seen_id) AND u.direction = 'outgoing' AND NOT u.private LIMIT 100) n),
		` + messageColumns + ` FROM (SELECT c.*, (SELECT l.message_id FROM messages l
			WHERE l.workspace_id = c.workspace_id AND l.conversation_id = c.conversation_id AND NOT l.private
			ORDER BY l.message_id DESC LIMIT 1) AS last_id FROM conversations c WHERE ` + condition + `) c
		LEFT JOIN messages g ON g.workspace_id = c.workspace_id AND g.conversation_id = c.conversation_id AND g.message_id = c.last_id
		LEFT JOIN members m ON m.workspace_id = g.workspace_id AND m.member_id = g.sender_member_id
		LEFT JOIN contacts k ON k.workspace_id = g.workspace_id AND k.contact_id = g.sender_contact_id`
}

func scanCustomerConversation(r row, c *parley.CustomerConversation) error {
	return scanMessage(prefixed{r, []any{
		&c.ID, &c.ContactID, &c.InboxID, (*string)(&c.Status), &c.LastActivityAt, &c.CreatedAt, &c.UnreadCount,
	}}, &c.LastMessage)
}

// A prefixed row has extra columns in front of those that a scan function
// reads.
type prefixed struct {
	row
	before []any
}

func (p prefixed) scan(dest ...any) error { return p.row.scan(append(p.before, dest...)...) }

// CustomerConversation returns a conversation as its customer sees it.
func (v *View) CustomerConversation(ws parley.WorkspaceID, id parley.ID) (parley.CustomerConversation, error) {
	return one(v, "conversation", scanCustomerConversation,
		customerConversation("c.workspace_id = $1 AND c.conversation_id = $2"), ws, id)
}

// CustomerConversations returns the conversations of a contact in an inbox,
// latest message first.
func (v *View) CustomerConversations(ws parley.WorkspaceID, contact, inbox parley.ID, after parley.Position, limit int) (parley.Page[parley.CustomerConversation], error) {
	c := clause{args: []any{ws, contact, inbox}}
	sql := customerConversation("c.workspace_id = $1 AND c.contact_id = $2 AND c.inbox_id = $3")
	if !after.IsZero() {
		sql += " WHERE (COALESCE(g.created_at, c.created_at), c.conversation_id) < (" + c.arg(after.At) + ", " + c.arg(after.ID) + ")"
	}
	sql += " ORDER BY COALESCE(g.created_at, c.created_at) DESC, c.conversation_id DESC LIMIT " + c.arg(limit+1)
	return page(v, pageQuery{sql, c.args, limit}, scanCustomerConversation, afterLast(func(last *parley.CustomerConversation) parley.Position {
		return parley.Position{At: last.LastActivityAt, ID: last.ID}
	}))
}

// CustomerConversationsByID returns conversations as their customers see them,
// in no order.
func (v *View) CustomerConversationsByID(ws parley.WorkspaceID, ids []parley.ID) ([]parley.CustomerConversation, error) {
	c := clause{args: []any{ws}}
	return many(v, scanCustomerConversation,
		customerConversation("c.workspace_id = $1 AND c.conversation_id IN ("+c.list(idArgs(ids))+")"), c.args...)
}

// ConversationOwners returns the contact and inbox of conversations. Only ID,
// ContactID and InboxID are set.
func (v *View) ConversationOwners(ws parley.WorkspaceID, ids []parley.ID) ([]parley.CustomerConversation, error) {
	c := clause{args: []any{ws}}
	return many(v, func(r row, o *parley.CustomerConversation) error {
		return r.scan(&o.ID, &o.ContactID, &o.InboxID)
	}, `SELECT conversation_id, contact_id, inbox_id FROM conversations
		WHERE workspace_id = $1 AND conversation_id IN (`+c.list(idArgs(ids))+")", c.args...)
}

func idArgs(ids []parley.ID) []any {
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = id
	}
	return args
}

// UnseenMessages returns the team's messages that a customer has not seen,
// newest first.
func (v *View) UnseenMessages(ws parley.WorkspaceID, conversation parley.ID, limit int) ([]parley.Message, error) {
	return many(v, scanMessage, "SELECT "+messageColumns+messageTables+`
		JOIN conversations c ON c.workspace_id = g.workspace_id AND c.conversation_id = g.conversation_id
		WHERE g.workspace_id = $1 AND g.conversation_id = $2 AND (c.customer_seen_id IS NULL OR g.message_id > c.customer_seen_id)
			AND g.direction = 'outgoing' AND NOT g.private
		ORDER BY g.message_id DESC LIMIT $3`, ws, conversation, limit)
}

// UpdateConversationSeen stores the latest message that the customer has seen.
func (tx *Tx) UpdateConversationSeen(ws parley.WorkspaceID, id, message parley.ID, now time.Time) error {
	return tx.exec("UPDATE conversations SET customer_seen_id = $3, changed_at = $4 WHERE workspace_id = $1 AND conversation_id = $2",
		ws, id, message, tx.changedAt(ws, id, now))
}

// PublicMessages is [View.Messages] without private messages.
func (v *View) PublicMessages(ws parley.WorkspaceID, conversation parley.ID, before parley.Position, limit int) (parley.Page[parley.Message], error) {
	return v.messages(ws, conversation, before, limit, "NOT g.private")
}
