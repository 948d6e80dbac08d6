package numbers

import (
	"time"

	"parley"
	"parley/internal/store"
)

// A NumberLease says which process holds a number, and until when. Each new
// holder gets a new generation.
type NumberLease struct {
	Owner      string
	Generation int64
	Until      time.Time
}

// SelectNumberLease returns the lease of a number, which may have expired.
func SelectNumberLease(v store.Reader, ws parley.WorkspaceID, number parley.ID) (NumberLease, error) {
	return store.One(v, ws, "number", func(r store.Row, l *NumberLease) error { return r.Scan(&l.Owner, &l.Generation, &l.Until) },
		"SELECT lease_owner, lease_generation, lease_until FROM numbers WHERE workspace_id = $1 AND number_id = $2", number)
}

// UpdateNumberLease stores the lease of a number.
func UpdateNumberLease(tx store.Writer, ws parley.WorkspaceID, number parley.ID, l NumberLease) error {
	return store.Exec(tx, ws, `UPDATE numbers SET lease_owner = $3, lease_generation = $4, lease_until = $5
		WHERE workspace_id = $1 AND number_id = $2`, number, l.Owner, l.Generation, l.Until)
}

// A NumberOf is a number with its workspace and its lease.
type NumberOf struct {
	Workspace parley.WorkspaceID
	parley.Number
	Lease NumberLease
}

const numberOfColumns = "workspace_id, lease_owner, lease_generation, lease_until, " + store.NumberColumns

func scanNumberOf(r store.Row, n *NumberOf) error {
	return store.ScanNumber(r.Behind(&n.Workspace, &n.Lease.Owner, &n.Lease.Generation, &n.Lease.Until), &n.Number)
}

// SelectNumbersHeld returns the numbers whose current or last lease belongs to a
// process.
func SelectNumbersHeld(v store.Reader, owner string) ([]NumberOf, error) {
	return store.ManyAcross(v, scanNumberOf, "SELECT "+numberOfColumns+" FROM numbers WHERE lease_owner = $1 AND lease_owner <> ''", owner)
}

// SelectFreeNumbers returns numbers that have no lease and need one: they are enabled
// and either paired or left in the middle of a pairing. A lease that ends after
// farthest came from a clock that was ahead, so it does not count.
func SelectFreeNumbers(v store.Reader, now, farthest time.Time) ([]NumberOf, error) {
	return store.ManyAcross(v, scanNumberOf, "SELECT "+numberOfColumns+` FROM numbers
		WHERE enabled AND (lease_until <= $1 OR lease_until > $3) AND (device <> '' OR status = $2) ORDER BY lease_until, number_id`,
		now, string(parley.NumberPairing), farthest)
}

// SelectDueNumbers returns the numbers that have a delivery due. It stops at the
// first due delivery of each number, so its cost does not grow with the queue.
func SelectDueNumbers(v store.Reader, now time.Time) ([]NumberOf, error) {
	return store.ManyAcross(v, scanNumberOf, "SELECT "+numberOfColumns+` FROM numbers n WHERE (SELECT 1 FROM deliveries d
		WHERE d.workspace_id = n.workspace_id AND d.number_id = n.number_id AND d.due_at > 0 AND d.due_at <= $1
		ORDER BY d.due_at LIMIT 1) = 1`, now)
}
