package views

import (
	"parley"
	"parley/internal/store"
)

const viewColumns = "view_id, name, scope, team_id, owner_id, query, position, pinned, created_at, updated_at"

func scanView(r store.Row, s *parley.SavedView) error {
	return r.Scan(&s.ID, &s.Name, (*string)(&s.Scope), &s.Team, (*string)(&s.Owner), &s.Query, &s.Position, &s.Pinned, &s.CreatedAt, &s.UpdatedAt)
}

// PutView inserts or replaces a saved view.
func PutView(tx store.Writer, ws parley.WorkspaceID, s *parley.SavedView) error {
	return store.Exec(tx, ws, "INSERT INTO views (workspace_id, "+viewColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
		ON CONFLICT (workspace_id, view_id) DO UPDATE SET name = $3, query = $7, position = $8, pinned = $9, updated_at = $11`,
		s.ID, s.Name, string(s.Scope), s.Team, string(s.Owner), s.Query, s.Position, s.Pinned, s.CreatedAt, s.UpdatedAt)
}

// DeleteView deletes a saved view.
func DeleteView(tx store.Writer, ws parley.WorkspaceID, id parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM views WHERE workspace_id = $1 AND view_id = $2", id)
}

// SelectView returns a saved view.
func SelectView(v store.Reader, ws parley.WorkspaceID, id parley.ID) (parley.SavedView, error) {
	return store.One(v, ws, "view", scanView, "SELECT "+viewColumns+" FROM views WHERE workspace_id = $1 AND view_id = $2", id)
}

// SelectViews returns the saved views of a member, of their teams and of everybody, in no
// order.
func SelectViews(v store.Reader, ws parley.WorkspaceID, member parley.UserID) ([]parley.SavedView, error) {
	return store.Many(v, ws, scanView, "SELECT "+viewColumns+` FROM views WHERE workspace_id = $1 AND (scope = 'all' OR scope = 'own' AND owner_id = $2
		OR scope = 'team' AND team_id IN (SELECT m.team_id FROM team_members m WHERE m.workspace_id = $1 AND m.member_id = $2))`, string(member))
}

// SelectViewsOfAdmin returns the saved views of a member, of all teams and of everybody,
// in no order.
func SelectViewsOfAdmin(v store.Reader, ws parley.WorkspaceID, member parley.UserID) ([]parley.SavedView, error) {
	return store.Many(v, ws, scanView, "SELECT "+viewColumns+" FROM views WHERE workspace_id = $1 AND (scope <> 'own' OR owner_id = $2)", string(member))
}

// SelectInTeam reports whether a member is in a team.
func SelectInTeam(v store.Reader, ws parley.WorkspaceID, team parley.ID, member parley.UserID) (bool, error) {
	found, err := store.Many(v, ws, store.Only[parley.ID], "SELECT team_id FROM team_members WHERE workspace_id = $1 AND team_id = $2 AND member_id = $3", team, string(member))
	return len(found) > 0, err
}
