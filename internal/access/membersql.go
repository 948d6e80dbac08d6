package access

import (
	"parley"
	"parley/internal/store"
)

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

// DeleteOwnViews deletes the saved views that only this member has.
func DeleteOwnViews(tx store.Writer, ws parley.WorkspaceID, member parley.UserID) error {
	return store.Exec(tx, ws, "DELETE FROM views WHERE workspace_id = $1 AND owner_id = $2 AND scope = 'own'", string(member))
}

// DeleteOwnMacros deletes the macros that only this member has.
func DeleteOwnMacros(tx store.Writer, ws parley.WorkspaceID, member parley.UserID) error {
	return store.Exec(tx, ws, "DELETE FROM macros WHERE workspace_id = $1 AND owner_id = $2 AND scope = 'own'", string(member))
}

// DeleteTeamMemberships takes a member out of all teams.
func DeleteTeamMemberships(tx store.Writer, ws parley.WorkspaceID, member parley.UserID) error {
	return store.Exec(tx, ws, "DELETE FROM team_members WHERE workspace_id = $1 AND member_id = $2", string(member))
}
