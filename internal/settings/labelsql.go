package settings

import (
	"slices"
	"strings"

	"parley"
	"parley/internal/store"
)

const labelColumns = "label, color, created_at, updated_at"

func scanLabel(r store.Row, l *parley.Label) error {
	return r.Scan(&l.Name, (*string)(&l.Color), &l.CreatedAt, &l.UpdatedAt)
}

// InsertLabel adds a label to the catalogue and reports whether its name was
// free.
func InsertLabel(tx store.Writer, ws parley.WorkspaceID, l *parley.Label) (bool, error) {
	return store.Affected(tx, ws, "INSERT INTO labels (workspace_id, "+labelColumns+`) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (workspace_id, label) DO NOTHING RETURNING 1`,
		l.Name, string(l.Color), l.CreatedAt, l.UpdatedAt)
}

// UpdateLabel stores the fields of a label that can change.
func UpdateLabel(tx store.Writer, ws parley.WorkspaceID, l *parley.Label) error {
	return store.Exec(tx, ws, "UPDATE labels SET color = $3, updated_at = $4 WHERE workspace_id = $1 AND label = $2",
		l.Name, string(l.Color), l.UpdatedAt)
}

// DeleteLabel removes a label from the catalogue.
func DeleteLabel(tx store.Writer, ws parley.WorkspaceID, name string) error {
	return store.Exec(tx, ws, "DELETE FROM labels WHERE workspace_id = $1 AND label = $2", name)
}

// SelectLabel returns a label of the catalogue.
func SelectLabel(v store.Reader, ws parley.WorkspaceID, name string) (parley.Label, error) {
	return store.One(v, ws, "label", scanLabel, "SELECT "+labelColumns+" FROM labels WHERE workspace_id = $1 AND label = $2", name)
}

// SelectLabels returns the catalogue of labels, sorted by name, ignoring case. It
// sorts in Go because the engines sort text differently.
func SelectLabels(v store.Reader, ws parley.WorkspaceID) ([]parley.Label, error) {
	labels, err := store.Many(v, ws, scanLabel, "SELECT "+labelColumns+" FROM labels WHERE workspace_id = $1")
	slices.SortFunc(labels, func(a, b parley.Label) int {
		if folded := strings.Compare(fold(a.Name), fold(b.Name)); folded != 0 {
			return folded
		}
		return strings.Compare(a.Name, b.Name)
	})
	return labels, err
}

// fold returns a text with all letters in one case.
func fold(s string) string { return strings.ToLower(strings.ToUpper(s)) }
