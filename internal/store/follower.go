package store

import "parley"

// A FollowerPosition is the progress of a follower of the log in a workspace.
type FollowerPosition struct {
	Step    int // counts the moves; 0 before the first
	Version int // of the follower
	Log     parley.LogPosition
	// Place is the follower's own text for where it is in the tables; "" if it follows
	// the log.
	Place string
	// Missed counts the events that the follower never received.
	Missed int64
}

// FollowerPosition returns the progress of a follower in the workspace, or NotFound
// if it never started.
func (v *View) FollowerPosition(ws parley.WorkspaceID, name string) (FollowerPosition, error) {
	return one(v, "follower", func(r row, p *FollowerPosition) error {
		return r.scan(&p.Step, &p.Version, &p.Log.Epoch, &p.Log.Seq, &p.Log.Check, &p.Place, &p.Missed)
	}, "SELECT step, version, epoch, seq, mark, place, missed FROM followers WHERE workspace_id = $1 AND name = $2", ws, name)
}

// MoveFollower moves a follower to p, provided that the stored step is p.Step-1. It
// returns false, and changes nothing, if another process moved it first.
func (tx *Tx) MoveFollower(ws parley.WorkspaceID, name string, p FollowerPosition) (bool, error) {
	args := []any{ws, name, p.Step, p.Version, p.Log.Epoch, p.Log.Seq, p.Log.Check, p.Place, p.Missed}
	if p.Step == 1 {
		return tx.inserted(`INSERT INTO followers (workspace_id, name, step, version, epoch, seq, mark, place, missed)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (workspace_id, name) DO NOTHING RETURNING 1`, args...)
	}
	return tx.inserted(`UPDATE followers SET step = $3, version = $4, epoch = $5, seq = $6, mark = $7, place = $8, missed = $9
		WHERE workspace_id = $1 AND name = $2 AND step = $3 - 1 RETURNING 1`, args...)
}
