package store

import (
	"parley"
)

// MemberColumns are the columns of a member.
const MemberColumns = "member_id, email, name, image, role, password_hash, created_at, updated_at, removed_at"

func scanMember(r row, m *parley.Member) error {
	return r.scan(memberDest(m)...)
}

// memberDest returns the destinations of MemberColumns.
func memberDest(m *parley.Member) []any {
	return []any{
		(*string)(&m.ID), &m.Email, &m.Name, &m.Image, (*string)(&m.Role), &m.PasswordHash,
		&m.CreatedAt, &m.UpdatedAt, &m.RemovedAt,
	}
}

// InsertMember stores a new member and reports whether the e-mail address was
// free. The address of a removed member is not.
func (tx *Tx) InsertMember(ws parley.WorkspaceID, m *parley.Member) (bool, error) {
	return tx.inserted(`INSERT INTO members (workspace_id, `+MemberColumns+`, email_key)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
		ON CONFLICT (workspace_id, email_key) DO NOTHING RETURNING 1`,
		ws, m.ID, m.Email, m.Name, m.Image, string(m.Role), m.PasswordHash, m.CreatedAt, m.UpdatedAt, m.RemovedAt,
		parley.EmailKey(m.Email))
}

// UpdateMember stores the fields of a member that can change. The caller has
// checked that no other member has the e-mail address.
func (tx *Tx) UpdateMember(ws parley.WorkspaceID, m *parley.Member) error {
	return tx.exec(`UPDATE members SET email = $3, name = $4, image = $5, role = $6, password_hash = $7, updated_at = $8,
		removed_at = $9 WHERE workspace_id = $1 AND member_id = $2`,
		ws, m.ID, m.Email, m.Name, m.Image, string(m.Role), m.PasswordHash, m.UpdatedAt, m.RemovedAt)
}

// Member returns a member who has not been removed.
func (v *View) Member(ws parley.WorkspaceID, id parley.UserID) (parley.Member, error) {
	return one(v, "member", scanMember,
		"SELECT "+MemberColumns+" FROM members WHERE workspace_id = $1 AND member_id = $2 AND removed_at = 0", ws, id)
}

// Members returns the current members, oldest first. The position is an offset.
func (v *View) Members(ws parley.WorkspaceID, after parley.Position, limit int) (parley.Page[parley.Member], error) {
	sql := "SELECT " + MemberColumns + ` FROM members WHERE workspace_id = $1 AND removed_at = 0
		ORDER BY created_at, member_id LIMIT $2 OFFSET $3`
	return page(v, pageQuery{sql, []any{ws, limit + 1, after.Offset}, limit}, scanMember, byOffset[parley.Member](after))
}

// FormerMembers returns the removed members, oldest first.
func (v *View) FormerMembers(ws parley.WorkspaceID) ([]parley.Member, error) {
	return many(v, scanMember, "SELECT "+MemberColumns+` FROM members WHERE workspace_id = $1 AND removed_at > 0
		ORDER BY created_at, member_id`, ws)
}
