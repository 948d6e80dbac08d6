package alerts

import (
	"time"

	"parley"
	"parley/internal/audit/entry"
	"parley/internal/store"
)

// recentEntries selects entries of the audit log.
type recentEntries struct {
	action entry.Action
	member parley.UserID // about whom
	like   string        // what their changes are like
	since  time.Time
	limit  int
}

// selectRecent counts entries, up to the limit.
func selectRecent(v store.Reader, ws parley.WorkspaceID, r recentEntries) (int, error) {
	found, err := store.Many(v, ws, store.Only[parley.ID], `SELECT entry_id FROM audit
		WHERE workspace_id = $1 AND action = $2 AND at >= $3 AND subject_id = $4 AND changes LIKE $5 LIMIT $6`,
		string(r.action), r.since, string(r.member), r.like, r.limit)
	return len(found), err
}
