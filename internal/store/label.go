package store

import (
	"slices"
	"strings"

	"parley"
)

const labelColumns = "label, color, created_at, updated_at"

func scanLabel(r row, l *parley.Label) error {
	return r.scan(&l.Name, (*string)(&l.Color), &l.CreatedAt, &l.UpdatedAt)
}

// InsertLabel adds a label to the catalogue and reports whether its name was
// free.
func (tx *Tx) InsertLabel(ws parley.WorkspaceID, l *parley.Label) (bool, error) {
	return tx.inserted("INSERT INTO labels (workspace_id, "+labelColumns+`) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (workspace_id, label) DO NOTHING RETURNING 1`,
		ws, l.Name, string(l.Color), l.CreatedAt, l.UpdatedAt)
}

// UpdateLabel stores the fields of a label that can change.
func (tx *Tx) UpdateLabel(ws parley.WorkspaceID, l *parley.Label) error {
	return tx.exec("UPDATE labels SET color = $3, updated_at = $4 WHERE workspace_id = $1 AND label = $2",
		ws, l.Name, string(l.Color), l.UpdatedAt)
}

// DeleteLabel removes a label from the catalogue.
func (tx *Tx) DeleteLabel(ws parley.WorkspaceID, name string) error {
	return tx.exec("DELETE FROM labels WHERE workspace_id = $1 AND label = $2", ws, name)
}

// Label returns a label of the catalogue.
func (v *View) Label(ws parley.WorkspaceID, name string) (parley.Label, error) {
	return one(v, "label", scanLabel, "SELECT "+labelColumns+" FROM labels WHERE workspace_id = $1 AND label = $2", ws, name)
}

// Labels returns the catalogue of labels, sorted by name, ignoring case. It
// sorts in Go because the engines sort text differently.
func (v *View) Labels(ws parley.WorkspaceID) ([]parley.Label, error) {
	labels, err := many(v, scanLabel, "SELECT "+labelColumns+" FROM labels WHERE workspace_id = $1", ws)
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

const cannedAnswerColumns = "answer_id, shortcut, content, created_at, updated_at"

func scanCannedAnswer(r row, a *parley.CannedAnswer) error {
	return r.scan(&a.ID, &a.Shortcut, &a.Content, &a.CreatedAt, &a.UpdatedAt)
}

// InsertCannedAnswer stores a new canned answer and reports whether its
// shortcut was free.
func (tx *Tx) InsertCannedAnswer(ws parley.WorkspaceID, a *parley.CannedAnswer) (bool, error) {
	return tx.inserted("INSERT INTO canned_answers (workspace_id, "+cannedAnswerColumns+`) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (workspace_id, shortcut) DO NOTHING RETURNING 1`,
		ws, a.ID, a.Shortcut, a.Content, a.CreatedAt, a.UpdatedAt)
}

// UpdateCannedAnswer stores the fields of a canned answer that can change. The
// caller has checked that the shortcut is free.
func (tx *Tx) UpdateCannedAnswer(ws parley.WorkspaceID, a *parley.CannedAnswer) error {
	return tx.exec(`UPDATE canned_answers SET shortcut = $3, content = $4, updated_at = $5
		WHERE workspace_id = $1 AND answer_id = $2`, ws, a.ID, a.Shortcut, a.Content, a.UpdatedAt)
}

// DeleteCannedAnswer deletes a canned answer.
func (tx *Tx) DeleteCannedAnswer(ws parley.WorkspaceID, id parley.ID) error {
	return tx.exec("DELETE FROM canned_answers WHERE workspace_id = $1 AND answer_id = $2", ws, id)
}

// CannedAnswer returns a canned answer.
func (v *View) CannedAnswer(ws parley.WorkspaceID, id parley.ID) (parley.CannedAnswer, error) {
	return one(v, "canned answer", scanCannedAnswer,
		"SELECT "+cannedAnswerColumns+" FROM canned_answers WHERE workspace_id = $1 AND answer_id = $2", ws, id)
}

// CannedAnswerByShortcut returns the canned answer with a shortcut.
func (v *View) CannedAnswerByShortcut(ws parley.WorkspaceID, shortcut string) (parley.CannedAnswer, error) {
	return one(v, "canned answer", scanCannedAnswer,
		"SELECT "+cannedAnswerColumns+" FROM canned_answers WHERE workspace_id = $1 AND shortcut = $2", ws, shortcut)
}

// CannedAnswers returns the canned answers, sorted by shortcut.
func (v *View) CannedAnswers(ws parley.WorkspaceID) ([]parley.CannedAnswer, error) {
	answers, err := many(v, scanCannedAnswer, "SELECT "+cannedAnswerColumns+" FROM canned_answers WHERE workspace_id = $1", ws)
	slices.SortFunc(answers, func(a, b parley.CannedAnswer) int { return strings.Compare(a.Shortcut, b.Shortcut) })
	return answers, err
}
