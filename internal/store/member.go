package store

import (
	"cmp"
	"fmt"
	"strings"

	"parley"
)

// MemberColumns are the columns of a member.
const MemberColumns = "member_id, email, name, image, role, access, inbox_ids, sight_since, password_hash, created_at, updated_at, removed_at"

func scanMember(r row, m *parley.Member) error {
	var inboxes string
	err := r.scan((*string)(&m.ID), &m.Email, &m.Name, &m.Image, (*string)(&m.Role), (*string)(&m.Access), &inboxes, &m.SightSince, &m.PasswordHash,
		&m.CreatedAt, &m.UpdatedAt, &m.RemovedAt)
	if err == nil {
		m.InboxIDs, err = ParseIDs(inboxes)
	}
	return err
}

// IDsText returns ids as a text for a column.
func IDsText(ids []parley.ID) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	return strings.Join(texts, " ")
}

// ParseIDs parses the text of [IDsText].
func ParseIDs(text string) ([]parley.ID, error) {
	var ids []parley.ID
	for one := range strings.FieldsSeq(text) {
		id, ok := parley.ParseID(one)
		if !ok {
			return nil, fmt.Errorf("store: a list of ids contains %q", one)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// InsertMember stores a new member and reports whether the e-mail address was
// free. The address of a removed member is not.
func (tx *Tx) InsertMember(ws parley.WorkspaceID, m *parley.Member) (bool, error) {
	return tx.inserted(`INSERT INTO members (workspace_id, `+MemberColumns+`, email_key)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
		ON CONFLICT (workspace_id, email_key) DO NOTHING RETURNING 1`,
		ws, m.ID, m.Email, m.Name, m.Image, string(m.Role), string(cmp.Or(m.Access, parley.AccessAll)), IDsText(m.InboxIDs), m.SightSince, m.PasswordHash, m.CreatedAt, m.UpdatedAt, m.RemovedAt,
		parley.EmailKey(m.Email))
}

// UpdateMember stores the fields of a member that can change. The caller has
// checked that no other member has the e-mail address.
func (tx *Tx) UpdateMember(ws parley.WorkspaceID, m *parley.Member) error {
	return tx.exec(`UPDATE members SET email = $3, name = $4, image = $5, role = $6, password_hash = $7, updated_at = $8,
		removed_at = $9, access = $10, inbox_ids = $11, sight_since = $12 WHERE workspace_id = $1 AND member_id = $2`,
		ws, m.ID, m.Email, m.Name, m.Image, string(m.Role), m.PasswordHash, m.UpdatedAt, m.RemovedAt, string(cmp.Or(m.Access, parley.AccessAll)), IDsText(m.InboxIDs), m.SightSince)
}

// ChangeSights records that members who do not see everything see other conversations
// from now on: their streams end, and their pages must load their state again. The
// transaction must emit an event.
func (tx *Tx) ChangeSights(ws parley.WorkspaceID, members []parley.UserID) error {
	if len(members) == 0 {
		return nil
	}
	var c clause
	c.and("workspace_id = ?", ws)
	since := c.arg(tx.NextSeq(ws))
	c.and("access = ?", string(parley.AccessOwn))
	c.conditions = append(c.conditions, "member_id IN ("+c.list(padded(ListOf(members)))+")")
	if err := tx.exec("UPDATE members SET sight_since = "+since+c.where(), c.args...); err != nil {
		return err
	}
	return tx.UpdateAccess(ws)
}

// NextSeq returns the least number that an event of this transaction can have. Whoever
// has read the events before it knows nothing of this transaction.
func (tx *Tx) NextSeq(ws parley.WorkspaceID) int64 { return tx.head(ws).seq + 1 }

// CheckSight returns parley.ErrSightChanged unless a member sees what the member saw with a Since
// of [parley.Sight].
func CheckSight(v *View, ws parley.WorkspaceID, id parley.UserID, since int64) error {
	now, err := one(v, "member", func(r row, now *int64) error { return r.scan(now) },
		"SELECT sight_since FROM members WHERE workspace_id = $1 AND member_id = $2 AND removed_at = 0", ws, id)
	if err == nil && now != since {
		err = parley.ErrSightChanged
	}
	return err
}

// SightOf returns what a member may see.
func (v *View) SightOf(ws parley.WorkspaceID, m *parley.Member) (parley.Sight, error) {
	if !m.Restricted() {
		return m.Sight(nil), nil
	}
	teams, err := teamsOf(v, ws, m.ID)
	return m.Sight(teams), err
}

// teamsOf returns the ids of the teams that a member is in.
func teamsOf(v *View, ws parley.WorkspaceID, member parley.UserID) ([]parley.ID, error) {
	return many(v, func(r row, id *parley.ID) error { return r.scan(id) },
		"SELECT team_id FROM team_members WHERE workspace_id = $1 AND member_id = $2 ORDER BY team_id", ws, member)
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
