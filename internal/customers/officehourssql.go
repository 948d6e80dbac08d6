package customers

import (
	"strings"
	"time"

	"parley"
	"parley/internal/store"
)

// SelectOfficeHours returns the office hours of an inbox, or NotFound if none were
// ever stored.
func SelectOfficeHours(v store.Reader, ws parley.WorkspaceID, inbox parley.ID) (parley.OfficeHours, error) {
	return store.One(v, ws, "office hours", func(r store.Row, h *parley.OfficeHours) error {
		var hours, holidays string
		err := r.Scan(&h.InboxID, &h.Zone, &hours, &holidays, &h.Shown)
		h.Hours, h.Holidays = linesOf(hours), linesOf(holidays)
		return err
	}, "SELECT inbox_id, zone, hours, holidays, shown FROM office_hours WHERE workspace_id = $1 AND inbox_id = $2", inbox)
}

// linesOf returns the lines of a text, none for "".
func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// PutOfficeHours inserts or replaces the office hours of an inbox.
func PutOfficeHours(tx store.Writer, ws parley.WorkspaceID, h *parley.OfficeHours, at time.Time) error {
	return store.Exec(tx, ws, `INSERT INTO office_hours (workspace_id, inbox_id, zone, hours, holidays, shown, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (workspace_id, inbox_id) DO UPDATE SET zone = $3, hours = $4, holidays = $5, shown = $6, updated_at = $7`,
		h.InboxID, h.Zone, strings.Join(h.Hours, "\n"), strings.Join(h.Holidays, "\n"), h.Shown, at)
}
