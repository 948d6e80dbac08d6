package numbers

import (
	"time"

	"parley"
	"parley/internal/store"
)

// A NumberCall is a request from one node for a number that another node holds.
type NumberCall struct {
	ID        parley.ID
	NumberID  parley.ID
	Request   string
	BegunBy   string // the lease that started it; "" while it waits
	Answer    string // "" until there is one
	CreatedAt time.Time
}

const callColumns = "call_id, number_id, request, begun_by, answer, created_at"

func scanNumberCall(r store.Row, c *NumberCall) error {
	return r.Scan(&c.ID, &c.NumberID, &c.Request, &c.BegunBy, &c.Answer, &c.CreatedAt)
}

// InsertNumberCall stores a call that has not started.
func InsertNumberCall(tx store.Writer, ws parley.WorkspaceID, c *NumberCall) error {
	return store.Exec(tx, ws, "INSERT INTO number_calls (workspace_id, "+callColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7)",
		c.ID, c.NumberID, c.Request, c.BegunBy, c.Answer, c.CreatedAt)
}

// UpdateNumberCall stores the progress of a call, if the call still exists.
func UpdateNumberCall(tx store.Writer, ws parley.WorkspaceID, c *NumberCall) error {
	return store.Exec(tx, ws, "UPDATE number_calls SET begun_by = $3, answer = $4 WHERE workspace_id = $1 AND call_id = $2",
		c.ID, c.BegunBy, c.Answer)
}

// DeleteNumberCall deletes a call.
func DeleteNumberCall(tx store.Writer, ws parley.WorkspaceID, id parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM number_calls WHERE workspace_id = $1 AND call_id = $2", id)
}

// SelectNumberCall returns a call.
func SelectNumberCall(v store.Reader, ws parley.WorkspaceID, id parley.ID) (NumberCall, error) {
	return store.One(v, ws, "call", scanNumberCall, "SELECT "+callColumns+" FROM number_calls WHERE workspace_id = $1 AND call_id = $2", id)
}

// SelectWaitingCalls returns the calls of a number that have not started, oldest
// first.
func SelectWaitingCalls(v store.Reader, ws parley.WorkspaceID, number parley.ID, limit int) ([]NumberCall, error) {
	return store.Many(v, ws, scanNumberCall, "SELECT "+callColumns+` FROM number_calls
		WHERE workspace_id = $1 AND number_id = $2 AND begun_by = '' ORDER BY call_id LIMIT $3`, number, limit)
}

// A CalledNumber is a number with waiting calls.
type CalledNumber struct {
	Workspace parley.WorkspaceID
	NumberID  parley.ID
}

// SelectCalledNumbers returns the numbers that a process holds and that have waiting
// calls.
func SelectCalledNumbers(v store.Reader, owner string) ([]CalledNumber, error) {
	return store.ManyAcross(v, func(r store.Row, n *CalledNumber) error { return r.Scan(&n.Workspace, &n.NumberID) },
		`SELECT DISTINCT c.workspace_id, c.number_id FROM number_calls c
		JOIN numbers n ON n.workspace_id = c.workspace_id AND n.number_id = c.number_id
		WHERE c.begun_by = '' AND n.lease_owner = $1`, owner)
}

// DeleteNumberCalls deletes calls made before a time. Their callers have timed
// out.
func DeleteNumberCalls(tx store.Writer, before time.Time) error {
	return store.ExecAcross(tx, "DELETE FROM number_calls WHERE created_at < $1", before)
}
