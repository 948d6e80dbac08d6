package credential

import (
	"time"

	"parley"
	"parley/internal/store"
)

// UpdatePasswordReset stores when, and by whom, a password reset for a member
// was issued.
func UpdatePasswordReset(tx store.Writer, ws parley.WorkspaceID, member parley.UserID, at time.Time, by parley.UserID) error {
	return store.Exec(tx, ws, "UPDATE members SET reset_at = $3, reset_by = $4 WHERE workspace_id = $1 AND member_id = $2", member, at, string(by))
}

// SelectPasswordReset returns when, and by whom, the last password reset for a member
// was issued.
func SelectPasswordReset(v store.Reader, ws parley.WorkspaceID, member parley.UserID) (parley.PasswordReset, error) {
	return store.One(v, ws, "member", func(r store.Row, p *parley.PasswordReset) error {
		err := r.Scan(&p.At, &p.By.ID, &p.By.Name)
		p.By.Type = MemberOrSystem(p.By.ID)
		return err
	}, `SELECT m.reset_at, m.reset_by, COALESCE(b.name, '') FROM members m
		LEFT JOIN members b ON b.workspace_id = m.workspace_id AND b.member_id = m.reset_by
		WHERE m.workspace_id = $1 AND m.member_id = $2`, member)
}

// SelectSessionsEnded returns how often all sessions of a member were ended.
func SelectSessionsEnded(v store.Reader, ws parley.WorkspaceID, member parley.UserID) (int64, error) {
	return store.One(v, ws, "member", store.Only[int64], "SELECT sessions_ended FROM members WHERE workspace_id = $1 AND member_id = $2", member)
}

// UpdateSessionsEnded counts that all sessions of a member were ended.
func UpdateSessionsEnded(tx store.Writer, ws parley.WorkspaceID, member parley.UserID) error {
	return store.Exec(tx, ws, "UPDATE members SET sessions_ended = sessions_ended + 1 WHERE workspace_id = $1 AND member_id = $2", member)
}
