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
