package desk

import (
	"parley"
	"parley/internal/store"
	"parley/internal/wire"
)

// ConversationHistory returns the changes of a conversation with their actors,
// oldest first.
func (d *Desk) ConversationHistory(vis parley.Visibility, id parley.ID, after parley.Position, limit int) Read[parley.Page[parley.HistoryEntry]] {
	return Snapshot(d, func(v *store.View) (parley.Page[parley.HistoryEntry], error) {
		c, err := ConversationNow(v, vis, id)
		if err != nil {
			return parley.Page[parley.HistoryEntry]{}, err
		}
		return v.ConversationHistory(vis, c.ID, after, limit)
	})
}

// keepHistory stores what the transaction's events say about conversations. It
// uses the events, so that no verb can forget it. Changes by a message have no
// event of the conversation, so posting costs nothing more.
func (t *Tx) keepHistory() error {
	for _, e := range t.ofConversations {
		changes, err := wire.AppendChanges(nil, e)
		if err != nil {
			return err
		}
		if len(changes) == 0 {
			continue
		}
		if err := t.InsertHistoryEntry(t.WS, &parley.HistoryEntry{
			ID: t.IDs.New(t.Now), ConversationID: e.ConversationID, Type: e.Type, CreatedAt: t.Now, Origin: e.Origin, Changes: changes,
		}); err != nil {
			return err
		}
	}
	return nil
}
