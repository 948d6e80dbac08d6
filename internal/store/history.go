package store

import "parley"

const historyColumns = `entry_id, conversation_id, type, created_at, changes,
	actor_type, actor_id, actor_name, cause_type, cause_id, imported`

func scanHistoryEntry(r row, e *parley.HistoryEntry) error {
	o := &e.Origin
	return r.scan(&e.ID, &e.ConversationID, (*string)(&e.Type), &e.CreatedAt, &e.Changes,
		(*string)(&o.Actor.Type), &o.Actor.ID, &o.Actor.Name, (*string)(&o.Cause.Type), &o.Cause.ID, &o.Imported)
}

// InsertHistoryEntry stores an entry in the history of a conversation.
func (tx *Tx) InsertHistoryEntry(ws parley.WorkspaceID, e *parley.HistoryEntry) error {
	o := &e.Origin
	return tx.exec("INSERT INTO conversation_history (workspace_id, "+historyColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
		ws, e.ID, e.ConversationID, string(e.Type), e.CreatedAt, string(e.Changes),
		string(o.Actor.Type), o.Actor.ID, o.Actor.Name, string(o.Cause.Type), o.Cause.ID, o.Imported)
}

// ConversationHistory returns the history of a conversation, oldest entry
// first.
func (v *View) ConversationHistory(vis parley.Visibility, conversation parley.ID, after parley.Position, limit int) (parley.Page[parley.HistoryEntry], error) {
	var c clause
	c.conditions = append(c.conditions, c.visibleOf(vis, "h"))
	c.and("h.conversation_id = ?", conversation)
	if !after.IsZero() {
		c.and("entry_id > ?", after.ID)
	}
	sql := "SELECT " + historyColumns + " FROM conversation_history h" + c.where() + " ORDER BY entry_id LIMIT " + c.arg(limit+1)
	return page(v, pageQuery{sql, c.args, limit}, scanHistoryEntry, afterLast(func(last *parley.HistoryEntry) parley.Position {
		return parley.Position{ID: last.ID}
	}))
}
