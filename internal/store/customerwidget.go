package store

import (
	"strings"
	"time"

	"parley"
)

const widgetColumns = "inbox_id, origins, identity, title, greeting, reply_time, color, position, show_team"

func scanWidgetSettings(r row, s *parley.WidgetSettings) error {
	var origins string
	err := r.scan(&s.InboxID, &origins, (*string)(&s.Identity), &s.Title, &s.Greeting, &s.ReplyTime, &s.Color, (*string)(&s.Position),
		&s.ShowTeam)
	if origins != "" {
		s.Origins = strings.Split(origins, "\n")
	}
	return err
}

// PutWidgetSettings inserts or replaces the settings of an inbox's widget.
func (tx *Tx) PutWidgetSettings(ws parley.WorkspaceID, s *parley.WidgetSettings, at time.Time) error {
	return tx.exec("INSERT INTO widget_settings (workspace_id, "+widgetColumns+`, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
		ON CONFLICT (workspace_id, inbox_id) DO UPDATE SET origins = $3, identity = $4, title = $5, greeting = $6, reply_time = $7,
			color = $8, position = $9, show_team = $10, updated_at = $11`,
		ws, s.InboxID, strings.Join(s.Origins, "\n"), string(s.Identity), s.Title, s.Greeting, s.ReplyTime, s.Color, string(s.Position), s.ShowTeam, at)
}

// WidgetSettings returns the settings of an inbox's widget, or NotFound if none
// were ever stored.
func (v *View) WidgetSettings(ws parley.WorkspaceID, inbox parley.ID) (parley.WidgetSettings, error) {
	return one(v, "widget", scanWidgetSettings,
		"SELECT "+widgetColumns+" FROM widget_settings WHERE workspace_id = $1 AND inbox_id = $2", ws, inbox)
}

const duplicateColumns = `d.duplicate_id, d.email, d.phone_number, d.created_at,
	k.contact_id, k.name, k.email, o.contact_id, o.name, o.email`

const duplicateTables = ` FROM contact_duplicates d
	JOIN contacts k ON k.workspace_id = d.workspace_id AND k.contact_id = d.contact_id
	JOIN contacts o ON o.workspace_id = d.workspace_id AND o.contact_id = d.other_id `

func scanDuplicate(r row, d *parley.ContactDuplicate) error {
	return r.scan(&d.ID, &d.Email, &d.PhoneNumber, &d.CreatedAt, &d.Contact.ID, &d.Contact.Name, &d.Contact.Email, &d.Other.ID, &d.Other.Name, &d.Other.Email)
}

// PairKnown reports whether a pair of contacts is recorded as a possible
// duplicate, in either order. Dismissed pairs count.
func (v *View) PairKnown(ws parley.WorkspaceID, a, b parley.ID) (bool, error) {
	n, err := one(v, "count", func(r row, n *int64) error { return r.scan(n) },
		`SELECT COUNT(*) FROM contact_duplicates WHERE workspace_id = $1
			AND (contact_id = $2 AND other_id = $3 OR contact_id = $3 AND other_id = $2)`, ws, a, b)
	return n > 0, err
}

// InsertDuplicate records that two contacts may be the same person. The caller
// has checked that the pair is new.
func (tx *Tx) InsertDuplicate(ws parley.WorkspaceID, d *parley.ContactDuplicate) error {
	return tx.exec(`INSERT INTO contact_duplicates (workspace_id, duplicate_id, contact_id, other_id, email, phone_number, dismissed, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, false, $7)`,
		ws, d.ID, d.Contact.ID, d.Other.ID, d.Email, d.PhoneNumber, d.CreatedAt)
}

// DismissDuplicate records that two contacts are different people.
func (tx *Tx) DismissDuplicate(ws parley.WorkspaceID, id parley.ID) error {
	return tx.exec("UPDATE contact_duplicates SET dismissed = true WHERE workspace_id = $1 AND duplicate_id = $2", ws, id)
}

// DeleteDuplicatesOf deletes the possible duplicates of a contact, including
// dismissed ones, and returns their ids.
func (tx *Tx) DeleteDuplicatesOf(ws parley.WorkspaceID, contact parley.ID) ([]parley.ID, error) {
	return many(&tx.View, func(r row, id *parley.ID) error { return r.scan(id) },
		"DELETE FROM contact_duplicates WHERE workspace_id = $1 AND (contact_id = $2 OR other_id = $2) RETURNING duplicate_id", ws, contact)
}

// Duplicate returns a possible duplicate that was not dismissed.
func (v *View) Duplicate(ws parley.WorkspaceID, id parley.ID) (parley.ContactDuplicate, error) {
	return one(v, "possible duplicate", scanDuplicate,
		"SELECT "+duplicateColumns+duplicateTables+"WHERE d.workspace_id = $1 AND d.duplicate_id = $2 AND NOT d.dismissed", ws, id)
}

// Duplicates returns possible duplicates, newest first. A non-zero contact
// selects the pairs that include it.
func (v *View) Duplicates(ws parley.WorkspaceID, contact parley.ID, limit int) ([]parley.ContactDuplicate, error) {
	var c clause
	c.and("d.workspace_id = ?", ws)
	c.conditions = append(c.conditions, "NOT d.dismissed")
	if !contact.IsZero() {
		c.and("(d.contact_id = ? OR d.other_id = ?)", contact)
	}
	return many(v, scanDuplicate, "SELECT "+duplicateColumns+duplicateTables+c.where()+
		" ORDER BY d.duplicate_id DESC LIMIT "+c.arg(limit), c.args...)
}

// InsertCompanyMove records that a signed identity moved a contact from one
// company to another.
func (tx *Tx) InsertCompanyMove(ws parley.WorkspaceID, m *parley.CompanyMove) error {
	return tx.exec(`INSERT INTO company_moves (workspace_id, move_id, contact_id, from_id, to_id, moved_at)
		VALUES ($1, $2, $3, $4, $5, $6)`, ws, m.ID, m.ContactID, m.From.ID, m.To.ID, m.MovedAt)
}

// UpdateCompanyMovesContact moves the company moves of a contact to another
// contact.
func (tx *Tx) UpdateCompanyMovesContact(ws parley.WorkspaceID, from, to parley.ID) error {
	return tx.exec("UPDATE company_moves SET contact_id = $3 WHERE workspace_id = $1 AND contact_id = $2", ws, from, to)
}

// CompanyMoves returns the moves of a contact between companies, newest first.
func (v *View) CompanyMoves(ws parley.WorkspaceID, contact parley.ID, limit int) ([]parley.CompanyMove, error) {
	return many(v, func(r row, m *parley.CompanyMove) error {
		return r.scan(&m.ID, &m.ContactID, &m.From.ID, &m.From.Name, &m.To.ID, &m.To.Name, &m.MovedAt)
	}, `SELECT m.move_id, m.contact_id, m.from_id, COALESCE(f.name, ''), m.to_id, COALESCE(t.name, ''), m.moved_at FROM company_moves m
		LEFT JOIN companies f ON f.workspace_id = m.workspace_id AND f.company_id = m.from_id
		LEFT JOIN companies t ON t.workspace_id = m.workspace_id AND t.company_id = m.to_id
		WHERE m.workspace_id = $1 AND m.contact_id = $2 ORDER BY m.move_id DESC LIMIT $3`, ws, contact, limit)
}

// InboxesReaching returns the inboxes that can reach a contact, oldest first:
// web inboxes in which the contact has a session that is valid at a time, and
// API inboxes that have received a message from the contact.
func (v *View) InboxesReaching(ws parley.WorkspaceID, contact parley.ID, now time.Time, limit int) ([]parley.InboxRef, error) {
	return many(v, func(r row, i *parley.InboxRef) error { return r.scan(&i.ID, &i.Name, (*string)(&i.Channel)) },
		`SELECT i.inbox_id, i.name, i.channel FROM inboxes i WHERE i.workspace_id = $1 AND (
			i.channel = 'web' AND EXISTS (SELECT 1 FROM customer_sessions s WHERE s.workspace_id = i.workspace_id
				AND s.contact_id = $2 AND s.inbox_id = i.inbox_id AND s.expires_at > $3`+vouchedFor+`)
			OR i.channel = 'api' AND EXISTS (SELECT 1 FROM conversations c WHERE c.workspace_id = i.workspace_id
				AND c.contact_id = $2 AND c.inbox_id = i.inbox_id AND EXISTS (SELECT 1 FROM messages m
					WHERE m.workspace_id = c.workspace_id AND m.conversation_id = c.conversation_id AND m.direction = 'incoming')))
		ORDER BY i.inbox_id LIMIT $4`, ws, contact, now, limit)
}
