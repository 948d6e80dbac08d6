package store

import (
	"time"

	"parley"
)

const memberColumns = "member_id, email, name, image, role, password_hash, created_at, updated_at, removed_at"

func scanMember(r row, m *parley.Member) error {
	return r.scan(memberDest(m)...)
}

// memberDest returns the destinations of memberColumns.
func memberDest(m *parley.Member) []any {
	return []any{
		(*string)(&m.ID), &m.Email, &m.Name, &m.Image, (*string)(&m.Role), &m.PasswordHash,
		&m.CreatedAt, &m.UpdatedAt, &m.RemovedAt,
	}
}

// InsertMember stores a new member and reports whether the e-mail address was
// free. The address of a removed member is not; see [View.MemberByEmail].
func (tx *Tx) InsertMember(ws parley.WorkspaceID, m *parley.Member) (bool, error) {
	return tx.inserted(`INSERT INTO members (workspace_id, `+memberColumns+`, email_key)
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

// UpdatePasswordReset stores when, and by whom, a password reset for a member
// was issued.
func (tx *Tx) UpdatePasswordReset(ws parley.WorkspaceID, member parley.UserID, at time.Time, by parley.UserID) error {
	return tx.exec("UPDATE members SET reset_at = $3, reset_by = $4 WHERE workspace_id = $1 AND member_id = $2", ws, member, at, string(by))
}

// PasswordReset returns when, and by whom, the last password reset for a member
// was issued.
func (v *View) PasswordReset(ws parley.WorkspaceID, member parley.UserID) (parley.PasswordReset, error) {
	return one(v, "member", func(r row, p *parley.PasswordReset) error {
		err := r.scan(&p.At, &p.By.ID, &p.By.Name)
		p.By.Type = memberOrSystem(p.By.ID)
		return err
	}, `SELECT m.reset_at, m.reset_by, COALESCE(b.name, '') FROM members m
		LEFT JOIN members b ON b.workspace_id = m.workspace_id AND b.member_id = m.reset_by
		WHERE m.workspace_id = $1 AND m.member_id = $2`, ws, member)
}

// Member returns a member who has not been removed.
func (v *View) Member(ws parley.WorkspaceID, id parley.UserID) (parley.Member, error) {
	return one(v, "member", scanMember,
		"SELECT "+memberColumns+" FROM members WHERE workspace_id = $1 AND member_id = $2 AND removed_at = 0", ws, id)
}

// MemberByEmail returns the member with an e-mail address, even if removed.
func (v *View) MemberByEmail(ws parley.WorkspaceID, email string) (parley.Member, error) {
	return one(v, "member", scanMember,
		"SELECT "+memberColumns+" FROM members WHERE workspace_id = $1 AND email_key = $2", ws, parley.EmailKey(email))
}

// Members returns the current members, oldest first. The position is an offset.
func (v *View) Members(ws parley.WorkspaceID, after parley.Position, limit int) (parley.Page[parley.Member], error) {
	sql := "SELECT " + memberColumns + ` FROM members WHERE workspace_id = $1 AND removed_at = 0
		ORDER BY created_at, member_id LIMIT $2 OFFSET $3`
	return page(v, pageQuery{sql, []any{ws, limit + 1, after.Offset}, limit}, scanMember, byOffset[parley.Member](after))
}

// FormerMembers returns the removed members, oldest first.
func (v *View) FormerMembers(ws parley.WorkspaceID) ([]parley.Member, error) {
	return many(v, scanMember, "SELECT "+memberColumns+` FROM members WHERE workspace_id = $1 AND removed_at > 0
		ORDER BY created_at, member_id`, ws)
}

// CountOwners returns the number of owners.
func (v *View) CountOwners(ws parley.WorkspaceID) (int, error) {
	return one(v, "workspace", func(r row, n *int) error { return r.scan(n) },
		"SELECT count(*) FROM members WHERE workspace_id = $1 AND role = $2 AND removed_at = 0", ws, string(parley.Owner))
}
