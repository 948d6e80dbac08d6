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
