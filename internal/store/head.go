package store

import (
	"slices"
	"time"

	"parley"
)

// A head is the end of a workspace's log and the time of its latest change. It
// is read from the row of the workspace, which stays locked until the group
// commits.
type head struct {
	seq     int64     // of the newest event
	before  time.Time // of the newest change that is committed
	changed time.Time // of the newest change in this group; zero for none
	touched bool      // the row must be updated
}

// at returns the time of a change made now. It is later than every committed
// change, even if the clock jumped back or the clock of another node is ahead.
// A reader who continues after the time of a change therefore misses none that
// commits later. Changes in one group may share a time, since they become
// visible together.
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

// head returns the head of a workspace; a new workspace starts with an empty
// one.
func (tx *Tx) head(ws parley.WorkspaceID) *head {
	h := tx.heads[ws]
	if h == nil {
		h = &head{}
		tx.heads[ws] = h
	}
	return h
}

// changedAt returns the UpdatedAt for a conversation that the closure is
// storing.
func (tx *Tx) changedAt(ws parley.WorkspaceID, conversation parley.ID, now time.Time) time.Time {
	tx.moved = append(tx.moved, conversation)
	return tx.head(ws).at(now)
}

// moveConversations updates UpdatedAt of each conversation that has an event
// but that the closure did not store itself, for example when a message
// changed.
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
