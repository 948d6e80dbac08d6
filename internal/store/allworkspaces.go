package store

import (
	"time"

	"parley"
)

// The statements in this file are the only ones that do not filter by
// workspace. They find the workspace that a request belongs to, or they concern
// the whole store.

// Workspaces returns all workspaces, oldest first.
func (v *View) Workspaces() ([]parley.Workspace, error) {
	return many(v, scanWorkspace, "SELECT "+workspaceColumns+workspaceTables+" ORDER BY w.workspace_id")
}

// Waiting returns the number of queued deliveries.
func (v *View) Waiting() (int, error) {
	return one(v, "deliveries", func(r row, n *int) error { return r.scan(n) }, "SELECT count(*) FROM deliveries")
}

// NewestChange returns the time of about the latest change that is no later than
// until, or zero if there was none. It looks at the last event, the one 1 before it, 3,
// 7, 15 and so on, because only their numbers have an index.
func (v *View) NewestChange(until time.Time) (time.Time, error) {
	return one(v, "workspace", func(r row, at *time.Time) error { return r.scan(at) },
		`WITH RECURSIVE steps(n) AS (SELECT CAST(0 AS bigint) UNION ALL SELECT 2 * n + 1 FROM steps WHERE n < 1000000000000)
		SELECT COALESCE(max((SELECT e.created_at FROM events e WHERE e.workspace_id = w.workspace_id AND e.seq = w.seq - s.n
		AND e.created_at <= $1)), 0) FROM workspaces w, steps s`, until)
}

// MisdatedWorkspaces returns the workspaces that have a delivery scheduled
// later than farthest.
func (v *View) MisdatedWorkspaces(farthest time.Time) ([]parley.WorkspaceID, error) {
	return many(v, func(r row, ws *parley.WorkspaceID) error { return r.scan(ws) },
		"SELECT DISTINCT workspace_id FROM deliveries WHERE due_at > $1 OR due_at < -CAST($1 AS bigint)", farthest)
}

// DeleteWriters deletes the rows of writers last seen before a time. A live
// writer inserts its row again with its next transaction.
func (tx *Tx) DeleteWriters(before time.Time) error {
	return tx.exec("DELETE FROM writers WHERE seen_at < $1", before)
}

// WorkspacesBehind returns the workspaces in which a follower of the log has work
// left or was of an older version. Workspaces with the least work left come first.
func (v *View) WorkspacesBehind(follower string, version int) ([]parley.WorkspaceID, error) {
	return many(v, func(r row, ws *parley.WorkspaceID) error { return r.scan(ws) },
		`SELECT w.workspace_id FROM workspaces w LEFT JOIN followers f ON f.workspace_id = w.workspace_id AND f.name = $1
		WHERE f.workspace_id IS NULL OR f.place <> '' OR f.version < $2 OR f.epoch <> w.epoch OR f.seq <> w.seq
		ORDER BY CASE WHEN f.place = '' AND f.version = $2 AND f.epoch = w.epoch THEN 0 ELSE 1 END, w.seq - f.seq`, follower, version)
}
