package customers

import (
	"time"

	"parley"
	"parley/internal/store"
)

// SelectWelcomed returns when the guided start of a workspace was finished, or the
// zero time.
func SelectWelcomed(v store.Reader, ws parley.WorkspaceID) (time.Time, error) {
	return store.One(v, ws, "workspace", func(r store.Row, at *time.Time) error { return r.Scan(at) },
		"SELECT welcomed_at FROM workspaces WHERE workspace_id = $1")
}

// UpdateWelcomed stores when the guided start of a workspace was finished, unless
// it was before.
func UpdateWelcomed(tx store.Writer, ws parley.WorkspaceID, at time.Time) error {
	return store.Exec(tx, ws, "UPDATE workspaces SET welcomed_at = $2 WHERE workspace_id = $1 AND welcomed_at = 0", at)
}

func scanWidgetView(r store.Row, w *parley.WidgetView) error {
	return r.Scan(&w.InboxID, &w.Origin, &w.FirstAt)
}

// maxViews is how many views are read of a workspace.
const maxViews = 1000

// SelectWidgetViews returns the websites that have shown widgets, the latest
// first.
func SelectWidgetViews(v store.Reader, ws parley.WorkspaceID) ([]parley.WidgetView, error) {
	return store.Many(v, ws, scanWidgetView,
		"SELECT inbox_id, origin, first_at FROM widget_views WHERE workspace_id = $1 ORDER BY first_at DESC, inbox_id, origin LIMIT $2", maxViews)
}

// SelectViewsOfInbox returns the websites that have shown the widget of an inbox.
func SelectViewsOfInbox(v store.Reader, ws parley.WorkspaceID, inbox parley.ID) ([]parley.WidgetView, error) {
	return store.Many(v, ws, scanWidgetView,
		"SELECT inbox_id, origin, first_at FROM widget_views WHERE workspace_id = $1 AND inbox_id = $2 ORDER BY origin LIMIT $3",
		inbox, parley.MaxWidgetViews)
}

// InsertWidgetView stores a website that has shown a widget, unless it is known.
func InsertWidgetView(tx store.Writer, ws parley.WorkspaceID, w *parley.WidgetView) error {
	return store.Exec(tx, ws, `INSERT INTO widget_views (workspace_id, inbox_id, origin, first_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (workspace_id, inbox_id, origin) DO NOTHING`, w.InboxID, w.Origin, w.FirstAt)
}
