package store

import (
	"parley"
)

// A NetworkMessage links a message of the network to one of ours. Messages that
// we sent have our own id and neither Chat nor Sender.
type NetworkMessage struct {
	NumberID       parley.ID
	Chat           string
	Sender         string
	ID             string
	ConversationID parley.ID
	MessageID      parley.ID
}

const networkMessageColumns = "number_id, chat, sender, network_id, conversation_id, message_id"

func scanNetworkMessage(r row, m *NetworkMessage) error {
	return r.scan(&m.NumberID, &m.Chat, &m.Sender, &m.ID, &m.ConversationID, &m.MessageID)
}

// InsertNetworkMessage stores the link between a message of the network and
// ours.
func (tx *Tx) InsertNetworkMessage(ws parley.WorkspaceID, m *NetworkMessage) error {
	return tx.exec("INSERT INTO chatapp_messages (workspace_id, "+networkMessageColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7)",
		ws, m.NumberID, m.Chat, m.Sender, m.ID, m.ConversationID, m.MessageID)
}

// NetworkMessage returns the link with the given Chat, Sender and ID. Empty
// values match only empty columns.
func (v *View) NetworkMessage(ws parley.WorkspaceID, m NetworkMessage) (NetworkMessage, error) {
	return one(v, "message", scanNetworkMessage, "SELECT "+networkMessageColumns+` FROM chatapp_messages
		WHERE workspace_id = $1 AND number_id = $2 AND chat = $3 AND sender = $4 AND network_id = $5`,
		ws, m.NumberID, m.Chat, m.Sender, m.ID)
}
