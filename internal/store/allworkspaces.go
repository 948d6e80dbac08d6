package store

import (
	"time"

	"parley"
)

// The statements of this file are the only ones that do not name a workspace:
// they find out which workspace is concerned, or concern the whole store.

// KeyByHash returns the key whose secret has the hash, of whatever workspace.
// It is how a request gets to its workspace.
func (v *View) KeyByHash(hash [32]byte) (parley.Key, error) {
	return one(v, "key", scanKey, "SELECT "+keyColumns+" FROM api_keys WHERE secret_hash = $1", hash[:])
}

// Workspaces returns all workspaces, oldest first.
func (v *View) Workspaces() ([]parley.Workspace, error) {
	return many(v, scanWorkspace, "SELECT "+workspaceColumns+" FROM workspaces ORDER BY workspace_id")
}

// DueWorkspaces returns the workspaces that have deliveries due.
func (v *View) DueWorkspaces(now time.Time) ([]parley.WorkspaceID, error) {
	return many(v, func(r row, ws *parley.WorkspaceID) error { return r.scan(ws) },
		"SELECT DISTINCT workspace_id FROM deliveries WHERE due_at <= $1", now)
}

// DeleteWriters forgets the writers of processes that were last seen before a
// time. A writer that lives comes back with its next transaction.
func (tx *Tx) DeleteWriters(before time.Time) error {
	return tx.exec("DELETE FROM writers WHERE seen_at < $1", before)
}

// SessionByHash returns the session of a token, whose workspace is not known
// yet.
func (v *View) SessionByHash(hash [32]byte) (parley.Session, error) {
	return one(v, "session", scanSession, "SELECT "+sessionColumns+" FROM sessions WHERE token_hash = $1", hash[:])
}

// InvitationByHash returns the invitation of a token, whose workspace is not
// known yet.
func (v *View) InvitationByHash(hash [32]byte) (parley.Invitation, error) {
	return one(v, "invitation", scanInvitation, "SELECT "+invitationColumns+invitationTables+"WHERE i.token_hash = $1", hash[:])
}

// A Login is a member whom an e-mail address may mean.
type Login struct {
	Workspace parley.WorkspaceID
	Member    parley.Member
}

// LoginsByEmail returns the members of an e-mail address who were not removed,
// in the order of their workspaces, limit at most.
func (v *View) LoginsByEmail(email string, limit int) ([]Login, error) {
	return many(v, func(r row, l *Login) error {
		return r.scan(append([]any{&l.Workspace}, memberDest(&l.Member)...)...)
	}, "SELECT workspace_id, "+memberColumns+` FROM members
		WHERE email_key = $1 AND removed_at = 0 ORDER BY workspace_id LIMIT $2`, parley.EmailKey(email), limit)
}

// UnindexedWorkspaces returns the workspaces whose log is not, or not in this
// version of words, in the index of the search.
func (v *View) UnindexedWorkspaces(version int) ([]parley.WorkspaceID, error) {
	return many(v, func(r row, ws *parley.WorkspaceID) error { return r.scan(ws) },
		`SELECT w.workspace_id FROM workspaces w LEFT JOIN search_positions p ON p.workspace_id = w.workspace_id
		WHERE p.workspace_id IS NULL OR p.stage <> '' OR p.version <> $1 OR p.epoch <> w.epoch OR p.seq <> w.seq`, version)
}

// CustomerSessionByHash returns the session of a customer's token that has not
// ended at a time, whose workspace is not known yet.
func (v *View) CustomerSessionByHash(hash [32]byte, now time.Time) (parley.CustomerSession, error) {
	return one(v, "session", scanCustomerSession, "SELECT "+customerSessionColumns+` FROM customer_sessions s
		WHERE s.token_hash = $1 AND s.expires_at > $2`+vouchedFor, hash[:], now)
}

// WorkspaceOfInbox returns the workspace of an inbox, of which alone a widget's
// page knows.
func (v *View) WorkspaceOfInbox(inbox parley.ID) (parley.WorkspaceID, error) {
	return one(v, "inbox", func(r row, ws *parley.WorkspaceID) error { return r.scan(ws) },
		"SELECT workspace_id FROM inboxes WHERE inbox_id = $1", inbox)
}
