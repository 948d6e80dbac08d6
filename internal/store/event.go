package store

import (
	"strings"
	"time"

	"parley"
)

const eventColumns = "seq, type, created_at, conversation_id, changed, data, moved"

func scanEvent(r row, e *parley.Event) error {
	var changed, moved string
	err := r.scan(&e.Seq, (*string)(&e.Type), &e.CreatedAt, &e.ConversationID, &changed, &e.Data, &moved)
	if moved != "" {
		e.Moved = []byte(moved)
	}
	if changed != "" {
		e.Changed = strings.Split(changed, ",")
	}
	return err
}

func (tx *Tx) insertEvent(ws parley.WorkspaceID, e *parley.Event) error {
	return tx.exec("INSERT INTO events (workspace_id, "+eventColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
		ws, e.Seq, string(e.Type), e.CreatedAt, e.ConversationID, strings.Join(e.Changed, ","), string(e.Data), string(e.Moved))
}

func (tx *Tx) updateSeq(ws parley.WorkspaceID, seq int64) error {
	return tx.exec("UPDATE workspaces SET seq = $2 WHERE workspace_id = $1", ws, seq)
}

// Events returns the events behind the number after, in their order.
func (v *View) Events(ws parley.WorkspaceID, after int64, limit int) ([]parley.Event, error) {
	return many(v, scanEvent, "SELECT "+eventColumns+` FROM events
		WHERE workspace_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`, ws, after, limit)
}

// LogHeads returns where the logs of some workspaces end, in no order.
func (v *View) LogHeads(workspaces []parley.WorkspaceID) ([]parley.LogHead, error) {
	var c clause
	list := make([]any, len(workspaces))
	for i, ws := range workspaces {
		list[i] = ws
	}
	return many(v, func(r row, h *parley.LogHead) error {
		return r.scan(&h.Workspace, &h.Epoch, &h.Seq, &h.Access)
	}, "SELECT workspace_id, epoch, seq, access FROM workspaces WHERE workspace_id IN ("+c.list(list)+")", c.args...)
}

// OldestEvent returns the number of the oldest event kept, 0 without any.
func (v *View) OldestEvent(ws parley.WorkspaceID) (int64, error) {
	return one(v, "workspace", func(r row, seq *int64) error { return r.scan(seq) },
		"SELECT COALESCE(min(seq), 0) FROM events WHERE workspace_id = $1", ws)
}

// DeleteEvents deletes at most limit events from before a time, oldest first,
// and returns how many. The newest event always stays, so that the log's
// position remains known.
func (tx *Tx) DeleteEvents(ws parley.WorkspaceID, before time.Time, limit int) (int, error) {
	type old struct {
		seq int64
		at  time.Time
	}
	rows, err := many(&tx.View, func(r row, o *old) error { return r.scan(&o.seq, &o.at) },
		`SELECT e.seq, e.created_at FROM events e, workspaces w WHERE e.workspace_id = $1 AND w.workspace_id = $1 AND e.seq < w.seq
		ORDER BY e.seq LIMIT $2`, ws, limit)
	last, count := int64(0), 0
	for _, o := range rows {
		if !o.at.Before(before) {
			break
		}
		last = o.seq
		count++
	}
	if err != nil || count == 0 {
		return 0, err
	}
	return count, tx.exec("DELETE FROM events WHERE workspace_id = $1 AND seq <= $2", ws, last)
}
