package access

import (
	"time"

	"parley"
	"parley/internal/access/credential"
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
		p.By.Type = credential.MemberOrSystem(p.By.ID)
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

// SelectMemberByEmail returns the member with an e-mail address, even if removed.
func SelectMemberByEmail(v store.Reader, ws parley.WorkspaceID, email string) (parley.Member, error) {
	return store.One(v, ws, "member", store.ScanMember,
		"SELECT "+store.MemberColumns+" FROM members WHERE workspace_id = $1 AND email_key = $2", parley.EmailKey(email))
}

// SelectMemberEver returns a member, even if removed.
func SelectMemberEver(v store.Reader, ws parley.WorkspaceID, id parley.UserID) (parley.Member, error) {
	return store.One(v, ws, "member", store.ScanMember, "SELECT "+store.MemberColumns+" FROM members WHERE workspace_id = $1 AND member_id = $2", id)
}

// A Login is a member that an e-mail address may refer to.
type Login struct {
	Workspace parley.WorkspaceID
	Member    parley.Member
}

// SelectLoginsByEmail returns at most limit members with an e-mail address, ordered
// by workspace. Removed members are left out.
func SelectLoginsByEmail(v store.Reader, email string, limit int) ([]Login, error) {
	return store.ManyAcross(v, func(r store.Row, l *Login) error { return store.ScanMember(r.Behind(&l.Workspace), &l.Member) }, "SELECT workspace_id, "+store.MemberColumns+` FROM members
		WHERE email_key = $1 AND removed_at = 0 ORDER BY workspace_id LIMIT $2`, parley.EmailKey(email), limit)
}

// DeleteNoticesOf deletes what a member was told.
func DeleteNoticesOf(tx store.Writer, ws parley.WorkspaceID, member parley.UserID) error {
	return store.Exec(tx, ws, "DELETE FROM notices WHERE workspace_id = $1 AND member_id = $2", member)
}

// DeleteFollowsOf deletes what a member follows.
func DeleteFollowsOf(tx store.Writer, ws parley.WorkspaceID, member parley.UserID) error {
	return store.Exec(tx, ws, "DELETE FROM follows WHERE workspace_id = $1 AND member_id = $2", member)
}

// DeletePreferencesOf deletes what a member chose about notices.
func DeletePreferencesOf(tx store.Writer, ws parley.WorkspaceID, member parley.UserID) error {
	return store.Exec(tx, ws, "DELETE FROM notice_preferences WHERE workspace_id = $1 AND member_id = $2", member)
}

// DeleteDraftsOf deletes what a member has written and not sent.
func DeleteDraftsOf(tx store.Writer, ws parley.WorkspaceID, member parley.UserID) error {
	return store.Exec(tx, ws, "DELETE FROM drafts WHERE workspace_id = $1 AND member_id = $2", member)
}
