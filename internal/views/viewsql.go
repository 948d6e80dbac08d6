package views

import (
	"parley"
	"parley/internal/store"
)

const viewColumns = "view_id, name, scope, owner_id, query, position, pinned, created_at, updated_at"

func scanView(r store.Row, s *parley.SavedView) error {
	return r.Scan(&s.ID, &s.Name, (*string)(&s.Scope), (*string)(&s.Owner), &s.Query, &s.Position, &s.Pinned, &s.CreatedAt, &s.UpdatedAt)
}

// PutView inserts or replaces a saved view.
func PutView(tx store.Writer, ws parley.WorkspaceID, s *parley.SavedView) error {
	return store.Exec(tx, ws, "INSERT INTO views (workspace_id, "+viewColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (workspace_id, view_id) DO UPDATE SET name = $3, query = $6, position = $7, pinned = $8, updated_at = $10`,
		s.ID, s.Name, string(s.Scope), string(s.Owner), s.Query, s.Position, s.Pinned, s.CreatedAt, s.UpdatedAt)
}

// DeleteView deletes a saved view.
func DeleteView(tx store.Writer, ws parley.WorkspaceID, id parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM views WHERE workspace_id = $1 AND view_id = $2", id)
}

// SelectView returns a saved view.
func SelectView(v store.Reader, ws parley.WorkspaceID, id parley.ID) (parley.SavedView, error) {
	return store.One(v, ws, "view", scanView, "SELECT "+viewColumns+" FROM views WHERE workspace_id = $1 AND view_id = $2", id)
}

// SelectViews returns the saved views that a member has, in no order.
func SelectViews(v store.Reader, ws parley.WorkspaceID, member parley.UserID) ([]parley.SavedView, error) {
	return store.Many(v, ws, scanView, "SELECT "+viewColumns+" FROM views WHERE workspace_id = $1 AND (scope = 'all' OR owner_id = $2)", string(member))
}
