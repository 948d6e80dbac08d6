package store

import (
	"context"

	"parley"
)

// NumberColumns are the columns of a number.
const NumberColumns = `number_id, phone, driver, status, banned_until, restricted_until, reason, enabled, device, network_phone,
	inbox_id, created_at, updated_at`

func numberDest(n *parley.Number) []any {
	return []any{
		&n.ID, (*string)(&n.Phone), (*string)(&n.Driver), (*string)(&n.Status), &n.Until, &n.RestrictedUntil, &n.Reason, &n.Enabled,
		&n.Device, (*string)(&n.NetworkPhone), &n.InboxID, &n.CreatedAt, &n.UpdatedAt,
	}
}

func scanNumber(r row, n *parley.Number) error { return r.scan(numberDest(n)...) }

// InsertNumber stores a new number and reports whether it was new to the
// workspace.
func (tx *Tx) InsertNumber(ws parley.WorkspaceID, n *parley.Number) (bool, error) {
	return tx.inserted("INSERT INTO numbers (workspace_id, "+NumberColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
		ON CONFLICT (workspace_id, phone) DO NOTHING RETURNING 1`,
		ws, n.ID, string(n.Phone), string(n.Driver), string(n.Status), n.Until, n.RestrictedUntil, n.Reason, n.Enabled,
		n.Device, string(n.NetworkPhone), n.InboxID, n.CreatedAt, n.UpdatedAt)
}

// UpdateNumber stores the fields of a number that can change, except for its
// device, which the driver owns.
func (tx *Tx) UpdateNumber(ws parley.WorkspaceID, n *parley.Number) error {
	return tx.exec(`UPDATE numbers SET status = $3, banned_until = $4, restricted_until = $5, reason = $6, enabled = $7,
		network_phone = $8, updated_at = $9 WHERE workspace_id = $1 AND number_id = $2`,
		ws, n.ID, string(n.Status), n.Until, n.RestrictedUntil, n.Reason, n.Enabled, string(n.NetworkPhone), n.UpdatedAt)
}

// UpdateNumberDevice stores the paired device of a number; "" means none.
func (tx *Tx) UpdateNumberDevice(ws parley.WorkspaceID, number parley.ID, device string) error {
	return tx.exec("UPDATE numbers SET device = $3 WHERE workspace_id = $1 AND number_id = $2", ws, number, device)
}

// NumberDevice returns the device that a driver paired with a number, or "".
func (s *Store) NumberDevice(ctx context.Context, ws parley.WorkspaceID, number parley.ID) (string, error) {
	var n parley.Number
	err := s.View(ctx, func(v *View) (err error) {
		n, err = v.Number(ws, number)
		return err
	})
	return n.Device, err
}

// SetNumberDevice stores the device that a driver paired with a number; ""
// removes it. It uses its own transaction, because pairing happens outside of
// Parley.
func (s *Store) SetNumberDevice(ctx context.Context, ws parley.WorkspaceID, number parley.ID, device string) error {
	return s.Write(ctx, ws, func(tx *Tx) error { return tx.UpdateNumberDevice(ws, number, device) })
}

// Number returns a number.
func (v *View) Number(ws parley.WorkspaceID, id parley.ID) (parley.Number, error) {
	return one(v, "number", scanNumber,
		"SELECT "+NumberColumns+" FROM numbers WHERE workspace_id = $1 AND number_id = $2", ws, id)
}

// NumberByInbox returns the number that delivers to an inbox.
func (v *View) NumberByInbox(ws parley.WorkspaceID, inbox parley.ID) (parley.Number, error) {
	return one(v, "number", scanNumber,
		"SELECT "+NumberColumns+" FROM numbers WHERE workspace_id = $1 AND inbox_id = $2 ORDER BY number_id LIMIT 1", ws, inbox)
}

// Numbers returns numbers, oldest first.
func (v *View) Numbers(ws parley.WorkspaceID, after parley.Position, limit int) (parley.Page[parley.Number], error) {
	sql := "SELECT " + NumberColumns + ` FROM numbers
		WHERE workspace_id = $1 AND number_id > $2 ORDER BY number_id LIMIT $3`
	return page(v, pageQuery{sql, []any{ws, afterID(after), limit + 1}, limit}, scanNumber, afterLast(func(last *parley.Number) parley.Position {
		return parley.Position{ID: last.ID}
	}))
}

// ConnectedNumbers returns at most limit numbers that are connected.
func (v *View) ConnectedNumbers(ws parley.WorkspaceID, limit int) ([]parley.Number, error) {
	return many(v, scanNumber, "SELECT "+NumberColumns+` FROM numbers
		WHERE workspace_id = $1 AND status = $2 ORDER BY number_id LIMIT $3`, ws, string(parley.NumberConnected), limit)
}
