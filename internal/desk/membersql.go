package desk

import (
	"parley"
	"parley/internal/store"
)

// SelectCurrentMembers returns which of the ids are of current members.
func SelectCurrentMembers(v store.Reader, ws parley.WorkspaceID, ids []parley.UserID) ([]parley.UserID, error) {
	return store.Many(v, ws, func(r store.Row, id *parley.UserID) error { return r.Scan((*string)(id)) }, `SELECT member_id FROM members WHERE workspace_id = $1 AND removed_at = 0
		AND member_id IN ($2...) ORDER BY member_id`, store.ListOf(ids))
}
