package settings

import (
	"slices"
	"strings"

	"parley"
	"parley/internal/store"
)

const cannedAnswerColumns = "answer_id, shortcut, content, created_at, updated_at"

func scanCannedAnswer(r store.Row, a *parley.CannedAnswer) error {
	return r.Scan(&a.ID, &a.Shortcut, &a.Content, &a.CreatedAt, &a.UpdatedAt)
}

// InsertCannedAnswer stores a new canned answer and reports whether its
// shortcut was free.
func InsertCannedAnswer(tx store.Writer, ws parley.WorkspaceID, a *parley.CannedAnswer) (bool, error) {
	return store.Affected(tx, ws, "INSERT INTO canned_answers (workspace_id, "+cannedAnswerColumns+`) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (workspace_id, shortcut) DO NOTHING RETURNING 1`,
		a.ID, a.Shortcut, a.Content, a.CreatedAt, a.UpdatedAt)
}

// UpdateCannedAnswer stores the fields of a canned answer that can change. The
// caller has checked that the shortcut is free.
func UpdateCannedAnswer(tx store.Writer, ws parley.WorkspaceID, a *parley.CannedAnswer) error {
	return store.Exec(tx, ws, `UPDATE canned_answers SET shortcut = $3, content = $4, updated_at = $5
		WHERE workspace_id = $1 AND answer_id = $2`, a.ID, a.Shortcut, a.Content, a.UpdatedAt)
}

// DeleteCannedAnswer deletes a canned answer.
func DeleteCannedAnswer(tx store.Writer, ws parley.WorkspaceID, id parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM canned_answers WHERE workspace_id = $1 AND answer_id = $2", id)
}

// SelectCannedAnswer returns a canned answer.
func SelectCannedAnswer(v store.Reader, ws parley.WorkspaceID, id parley.ID) (parley.CannedAnswer, error) {
	return store.One(v, ws, "canned answer", scanCannedAnswer,
		"SELECT "+cannedAnswerColumns+" FROM canned_answers WHERE workspace_id = $1 AND answer_id = $2", id)
}

// SelectCannedAnswerByShortcut returns the canned answer with a shortcut.
func SelectCannedAnswerByShortcut(v store.Reader, ws parley.WorkspaceID, shortcut string) (parley.CannedAnswer, error) {
	return store.One(v, ws, "canned answer", scanCannedAnswer,
		"SELECT "+cannedAnswerColumns+" FROM canned_answers WHERE workspace_id = $1 AND shortcut = $2", shortcut)
}

// SelectCannedAnswers returns the canned answers, sorted by shortcut.
func SelectCannedAnswers(v store.Reader, ws parley.WorkspaceID) ([]parley.CannedAnswer, error) {
	answers, err := store.Many(v, ws, scanCannedAnswer, "SELECT "+cannedAnswerColumns+" FROM canned_answers WHERE workspace_id = $1")
	slices.SortFunc(answers, func(a, b parley.CannedAnswer) int { return strings.Compare(a.Shortcut, b.Shortcut) })
	return answers, err
}
