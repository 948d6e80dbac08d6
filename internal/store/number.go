package store

import (
	"context"
	"time"

	"parley"
)

const numberColumns = `number_id, phone, driver, status, banned_until, restricted_until, reason, enabled, device, network_phone,
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
	return tx.inserted("INSERT INTO numbers (workspace_id, "+numberColumns+`)
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
		"SELECT "+numberColumns+" FROM numbers WHERE workspace_id = $1 AND number_id = $2", ws, id)
}

// NumberByPhone returns the number with a phone number.
func (v *View) NumberByPhone(ws parley.WorkspaceID, phone parley.Phone) (parley.Number, error) {
	return one(v, "number", scanNumber,
		"SELECT "+numberColumns+" FROM numbers WHERE workspace_id = $1 AND phone = $2", ws, string(phone))
}

// NumberByInbox returns the number that delivers to an inbox.
func (v *View) NumberByInbox(ws parley.WorkspaceID, inbox parley.ID) (parley.Number, error) {
	return one(v, "number", scanNumber,
		"SELECT "+numberColumns+" FROM numbers WHERE workspace_id = $1 AND inbox_id = $2 ORDER BY number_id LIMIT 1", ws, inbox)
}

// Numbers returns numbers, oldest first.
func (v *View) Numbers(ws parley.WorkspaceID, after parley.Position, limit int) (parley.Page[parley.Number], error) {
	sql := "SELECT " + numberColumns + ` FROM numbers
		WHERE workspace_id = $1 AND number_id > $2 ORDER BY number_id LIMIT $3`
	return page(v, pageQuery{sql, []any{ws, afterID(after), limit + 1}, limit}, scanNumber, afterLast(func(last *parley.Number) parley.Position {
		return parley.Position{ID: last.ID}
	}))
}

// ConnectedNumbers returns at most limit numbers that are connected.
func (v *View) ConnectedNumbers(ws parley.WorkspaceID, limit int) ([]parley.Number, error) {
	return many(v, scanNumber, "SELECT "+numberColumns+` FROM numbers
		WHERE workspace_id = $1 AND status = $2 ORDER BY number_id LIMIT $3`, ws, string(parley.NumberConnected), limit)
}

// ConnectedInboxes returns the inboxes of the numbers that
// [View.ConnectedNumbers] returns.
func (v *View) ConnectedInboxes(ws parley.WorkspaceID, limit int) ([]parley.InboxRef, error) {
	return many(v, func(r row, i *parley.InboxRef) error { return r.scan(&i.ID, &i.Name, (*string)(&i.Channel)) },
		`SELECT i.inbox_id, i.name, i.channel FROM (SELECT number_id, inbox_id FROM numbers
			WHERE workspace_id = $1 AND status = $2 ORDER BY number_id LIMIT $3) n
		JOIN inboxes i ON i.workspace_id = $1 AND i.inbox_id = n.inbox_id ORDER BY n.number_id`, ws, string(parley.NumberConnected), limit)
}

// A NumberLease says which process holds a number, and until when. Each new
// holder gets a new generation.
type NumberLease struct {
	Owner      string
	Generation int64
	Until      time.Time
}

// NumberLease returns the lease of a number, which may have expired.
func (v *View) NumberLease(ws parley.WorkspaceID, number parley.ID) (NumberLease, error) {
	return one(v, "number", func(r row, l *NumberLease) error { return r.scan(&l.Owner, &l.Generation, &l.Until) },
		"SELECT lease_owner, lease_generation, lease_until FROM numbers WHERE workspace_id = $1 AND number_id = $2", ws, number)
}

// UpdateNumberLease stores the lease of a number.
func (tx *Tx) UpdateNumberLease(ws parley.WorkspaceID, number parley.ID, l NumberLease) error {
	return tx.exec(`UPDATE numbers SET lease_owner = $3, lease_generation = $4, lease_until = $5
		WHERE workspace_id = $1 AND number_id = $2`, ws, number, l.Owner, l.Generation, l.Until)
}

// UpsertPairing stores the latest step of a number's pairing; sealed is its
// encrypted code.
func (tx *Tx) UpsertPairing(ws parley.WorkspaceID, p *parley.Pairing, sealed []byte) error {
	return tx.exec(`INSERT INTO number_pairings (workspace_id, number_id, paired_by, kind, sealed, code_until, reason, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (workspace_id, number_id) DO UPDATE SET paired_by = excluded.paired_by, kind = excluded.kind,
		sealed = excluded.sealed, code_until = excluded.code_until, reason = excluded.reason, updated_at = excluded.updated_at`,
		ws, p.NumberID, p.By, p.Kind, sealed, p.Until, p.Reason, p.UpdatedAt)
}

// A StoredPairing is a pairing step with its encrypted code.
type StoredPairing struct {
	parley.Pairing
	Sealed []byte
}

// Pairing returns the latest step of a number's pairing. Its Code is empty; the
// encrypted code is in Sealed.
func (v *View) Pairing(ws parley.WorkspaceID, number parley.ID) (StoredPairing, error) {
	return one(v, "pairing", func(r row, p *StoredPairing) error {
		return r.scan(&p.NumberID, &p.By, &p.Kind, &p.Sealed, &p.Until, &p.Reason, &p.UpdatedAt)
	}, `SELECT number_id, paired_by, kind, sealed, code_until, reason, updated_at FROM number_pairings
		WHERE workspace_id = $1 AND number_id = $2`, ws, number)
}

// DeletePairing deletes the pairing of a number.
func (tx *Tx) DeletePairing(ws parley.WorkspaceID, number parley.ID) error {
	return tx.exec("DELETE FROM number_pairings WHERE workspace_id = $1 AND number_id = $2", ws, number)
}

// A Spend is how often a number did something in the slot of time that starts
// at Slot.
type Spend struct {
	Slot  time.Time
	Count int
}

// UpsertSpend adds to the count of a number in a slot; a negative count
// subtracts.
func (tx *Tx) UpsertSpend(ws parley.WorkspaceID, number parley.ID, kind string, s Spend) error {
	return tx.exec(`INSERT INTO number_spend (workspace_id, number_id, kind, slot, spent) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (workspace_id, number_id, kind, slot) DO UPDATE SET spent = number_spend.spent + excluded.spent`,
		ws, number, kind, s.Slot, s.Count)
}

// Spends returns the counts of a number for a kind, in slots that started after
// a time, oldest first.
func (v *View) Spends(ws parley.WorkspaceID, number parley.ID, kind string, after time.Time) ([]Spend, error) {
	return many(v, func(r row, s *Spend) error { return r.scan(&s.Slot, &s.Count) },
		`SELECT slot, spent FROM number_spend WHERE workspace_id = $1 AND number_id = $2 AND kind = $3 AND slot > $4 ORDER BY slot`,
		ws, number, kind, after)
}

// DeleteSpends deletes the counts of slots that started before a time.
func (tx *Tx) DeleteSpends(ws parley.WorkspaceID, before time.Time) error {
	return tx.exec("DELETE FROM number_spend WHERE workspace_id = $1 AND slot < $2", ws, before)
}

// NumberBudgets returns the limits that were set for a number. Budgets without
// an entry have the default limit.
func (v *View) NumberBudgets(ws parley.WorkspaceID, number parley.ID) (map[parley.Budget]int, error) {
	limits := map[parley.Budget]int{}
	err := v.session.query(v.ctx, "SELECT budget, allowed FROM number_budgets WHERE workspace_id = $1 AND number_id = $2",
		[]any{ws, number}, func(r row) error {
			var budget parley.Budget
			limit := 0
			err := r.scan((*string)(&budget), &limit)
			limits[budget] = limit
			return err
		})
	return limits, err
}

// UpsertNumberBudget stores a limit of a number.
func (tx *Tx) UpsertNumberBudget(ws parley.WorkspaceID, number parley.ID, budget parley.Budget, limit int) error {
	return tx.exec(`INSERT INTO number_budgets (workspace_id, number_id, budget, allowed) VALUES ($1, $2, $3, $4)
		ON CONFLICT (workspace_id, number_id, budget) DO UPDATE SET allowed = excluded.allowed`, ws, number, string(budget), limit)
}

// DeleteNumberBudget resets a budget of a number to the default limit.
func (tx *Tx) DeleteNumberBudget(ws parley.WorkspaceID, number parley.ID, budget parley.Budget) error {
	return tx.exec("DELETE FROM number_budgets WHERE workspace_id = $1 AND number_id = $2 AND budget = $3", ws, number, string(budget))
}
