package store

import (
	"slices"
	"time"

	"parley"
)

// A head is where a workspace's log and the times of its changes end. It is
// read from the workspace's row, which is locked until the group is committed.
type head struct {
	seq     int64     // of the newest event
	before  time.Time // of the newest change that is committed
	changed time.Time // of the newest change in this group; zero for none
	touched bool      // the row must be stored
}

// at returns the time of a change that is made now: now itself, unless that is
// not after what is committed, because the clock jumped or another node's is
// ahead. So whoever has seen a change, and reads on behind its time, finds all
// that are committed later. Changes of one group may share a time: they are
// seen together.
func (h *head) at(now time.Time) time.Time {
	now = now.UTC().Truncate(time.Millisecond)
	if next := h.before.Add(time.Millisecond); now.Before(next) {
		now = next
	}
	if now.Before(h.changed) {
		now = h.changed
	}
	h.changed, h.touched = now, true
	return now
}

func (h *head) newest() time.Time {
	if h.changed.IsZero() {
		return h.before
	}
	return h.changed
}

// head returns the head of a workspace; that of a new one is empty.
func (tx *Tx) head(ws parley.WorkspaceID) *head {
	h := tx.heads[ws]
	if h == nil {
		h = &head{}
		tx.heads[ws] = h
	}
	return h
}

// changedAt returns the UpdatedAt of a conversation that the closure stores
// now.
func (tx *Tx) changedAt(ws parley.WorkspaceID, conversation parley.ID, now time.Time) time.Time {
	tx.moved = append(tx.moved, conversation)
	return tx.head(ws).at(now)
}

// moveConversations moves UpdatedAt of each conversation of which an event
// tells and which the closure did not store: a change of one of its messages,
// for example.
func (tx *Tx) moveConversations(events []workspaceEvent) error {
	for i := range events {
		e := &events[i]
		if e.ConversationID.IsZero() || slices.Contains(tx.moved, e.ConversationID) {
			continue
		}
		err := tx.exec("UPDATE conversations SET changed_at = $3 WHERE workspace_id = $1 AND conversation_id = $2",
			e.ws, e.ConversationID, tx.changedAt(e.ws, e.ConversationID, e.CreatedAt))
		if err != nil {
			return err
		}
	}
	return nil
}
