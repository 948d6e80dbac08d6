package store

import (
	"time"

	"parley"
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

func scanNumberCall(r row, c *NumberCall) error {
	return r.scan(&c.ID, &c.NumberID, &c.Request, &c.BegunBy, &c.Answer, &c.CreatedAt)
}

// InsertNumberCall stores a call that has not started.
func (tx *Tx) InsertNumberCall(ws parley.WorkspaceID, c *NumberCall) error {
	return tx.exec("INSERT INTO number_calls (workspace_id, "+callColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7)",
		ws, c.ID, c.NumberID, c.Request, c.BegunBy, c.Answer, c.CreatedAt)
}

// UpdateNumberCall stores the progress of a call, if the call still exists.
func (tx *Tx) UpdateNumberCall(ws parley.WorkspaceID, c *NumberCall) error {
	return tx.exec("UPDATE number_calls SET begun_by = $3, answer = $4 WHERE workspace_id = $1 AND call_id = $2",
		ws, c.ID, c.BegunBy, c.Answer)
}

// DeleteNumberCall deletes a call.
func (tx *Tx) DeleteNumberCall(ws parley.WorkspaceID, id parley.ID) error {
	return tx.exec("DELETE FROM number_calls WHERE workspace_id = $1 AND call_id = $2", ws, id)
}

// NumberCall returns a call.
func (v *View) NumberCall(ws parley.WorkspaceID, id parley.ID) (NumberCall, error) {
	return one(v, "call", scanNumberCall, "SELECT "+callColumns+" FROM number_calls WHERE workspace_id = $1 AND call_id = $2", ws, id)
}

// WaitingCalls returns the calls of a number that have not started, oldest
// first.
func (v *View) WaitingCalls(ws parley.WorkspaceID, number parley.ID, limit int) ([]NumberCall, error) {
	return many(v, scanNumberCall, "SELECT "+callColumns+` FROM number_calls
		WHERE workspace_id = $1 AND number_id = $2 AND begun_by = '' ORDER BY call_id LIMIT $3`, ws, number, limit)
}
