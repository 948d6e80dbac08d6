package customers

import (
	"parley"
	"parley/internal/store"
)

// InsertCompanyMove records that a signed identity moved a contact from one
// company to another.
func InsertCompanyMove(tx store.Writer, ws parley.WorkspaceID, m *parley.CompanyMove) error {
	return store.Exec(tx, ws, `INSERT INTO company_moves (workspace_id, move_id, contact_id, from_id, to_id, moved_at)
		VALUES ($1, $2, $3, $4, $5, $6)`, m.ID, m.ContactID, m.From.ID, m.To.ID, m.MovedAt)
}

// SelectCompanyMoves returns the moves of a contact between companies, newest first.
func SelectCompanyMoves(v store.Reader, ws parley.WorkspaceID, contact parley.ID, limit int) ([]parley.CompanyMove, error) {
	return store.Many(v, ws, func(r store.Row, m *parley.CompanyMove) error {
		return r.Scan(&m.ID, &m.ContactID, &m.From.ID, &m.From.Name, &m.To.ID, &m.To.Name, &m.MovedAt)
	}, `SELECT m.move_id, m.contact_id, m.from_id, COALESCE(f.name, ''), m.to_id, COALESCE(t.name, ''), m.moved_at FROM company_moves m
		LEFT JOIN companies f ON f.workspace_id = m.workspace_id AND f.company_id = m.from_id
		LEFT JOIN companies t ON t.workspace_id = m.workspace_id AND t.company_id = m.to_id
		WHERE m.workspace_id = $1 AND m.contact_id = $2 ORDER BY m.move_id DESC LIMIT $3`, contact, limit)
}
