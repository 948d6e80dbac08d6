package store

import "parley"

// Counts returns the counts that the dashboard shows beside its views, each up
// to parley.MaxCount. If more conversations than that are open, Unassigned,
// Unread and ToRead count only among the most recently active ones.
func (v *View) Counts(ws parley.WorkspaceID, member parley.UserID) (parley.Counts, error) {
	var n parley.Counts
	err := v.session.query(v.ctx, `SELECT count(*), COALESCE(sum(CASE WHEN assignee_id IS NULL THEN 1 ELSE 0 END), 0),
		COALESCE(sum(CASE WHEN unread_count > 0 THEN 1 ELSE 0 END), 0) FROM (SELECT assignee_id, unread_count FROM conversations
		WHERE workspace_id = $1 AND status = $2 AND status <> 'resolved' ORDER BY last_activity_at DESC, conversation_id DESC LIMIT $3) AS newest`,
		[]any{ws, string(parley.Open), parley.MaxCount}, func(r row) error { return r.scan(&n.Open, &n.Unassigned, &n.Unread) })
	if err != nil {
		return n, err
	}
	n.Pending, err = one(v, "workspace", scanCount, `SELECT count(*) FROM (SELECT 1 FROM conversations
		WHERE workspace_id = $1 AND status = $2 AND status <> 'resolved' LIMIT $3) AS counted`, ws, string(parley.Pending), parley.MaxCount)
	if err != nil {
		return n, err
	}
	n.Mine, err = one(v, "workspace", scanCount, `SELECT count(*) FROM (SELECT 1 FROM conversations
		WHERE workspace_id = $1 AND assignee_id = $2 AND status = $3 LIMIT $4) AS counted`, ws, member, string(parley.Open), parley.MaxCount)
	if err != nil {
		return n, err
	}
	// The status is not an equality, because SQLite would then use another
	// index.
	n.Waiting, err = one(v, "workspace", scanCount, `SELECT count(*) FROM (SELECT 1 FROM conversations
		WHERE workspace_id = $1 AND waiting_since > 0 AND NOT (status <> $2) LIMIT $3) AS counted`, ws, string(parley.Open), parley.MaxCount)
	if err != nil {
		return n, err
	}
	n.ToRead, err = v.countToRead(ws, member)
	return n, err
}

func scanCount(r row, n *int) error { return r.scan(n) }
