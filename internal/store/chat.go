package store

import (
	"time"

	"parley"
)

// A Chat is the conversation with one person on the network.
type Chat struct {
	NumberID       parley.ID
	JID            string       // its name on the network
	Phone          parley.Phone // the person's number as the network spells it; "" if hidden
	ConversationID parley.ID
}

const chatColumns = "number_id, jid, phone, conversation_id"

func scanChat(r row, c *Chat) error {
	return r.scan(&c.NumberID, &c.JID, (*string)(&c.Phone), &c.ConversationID)
}

// UpsertChat stores the conversation that a chat belongs to.
func (tx *Tx) UpsertChat(ws parley.WorkspaceID, c *Chat) error {
	return tx.exec("INSERT INTO chatapp_chats (workspace_id, "+chatColumns+`) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (workspace_id, number_id, jid) DO UPDATE SET phone = excluded.phone, conversation_id = excluded.conversation_id`,
		ws, c.NumberID, c.JID, string(c.Phone), c.ConversationID)
}

// UpdateChatsOf points all chats of a number with a contact at one
// conversation.
func (tx *Tx) UpdateChatsOf(ws parley.WorkspaceID, number, contact, conversation parley.ID) error {
	return tx.exec(`UPDATE chatapp_chats SET conversation_id = $4 WHERE workspace_id = $1 AND number_id = $2 AND conversation_id <> $4
		AND conversation_id IN (SELECT c.conversation_id FROM conversations c WHERE c.workspace_id = $1 AND c.contact_id = $3)`,
		ws, number, contact, conversation)
}

// Chat returns a chat of a number by its name on the network.
func (v *View) Chat(ws parley.WorkspaceID, number parley.ID, jid string) (Chat, error) {
	return one(v, "chat", scanChat,
		"SELECT "+chatColumns+" FROM chatapp_chats WHERE workspace_id = $1 AND number_id = $2 AND jid = $3", ws, number, jid)
}

// ChatsOf returns the chats of a number that belong to a conversation.
func (v *View) ChatsOf(ws parley.WorkspaceID, number, conversation parley.ID) ([]Chat, error) {
	return many(v, scanChat, "SELECT "+chatColumns+` FROM chatapp_chats
		WHERE workspace_id = $1 AND conversation_id = $3 AND number_id = $2 ORDER BY jid`, ws, number, conversation)
}

// ChatsWith returns the chats with a contact, across all numbers.
func (v *View) ChatsWith(ws parley.WorkspaceID, contact parley.ID) ([]Chat, error) {
	return many(v, scanChat, "SELECT "+chatColumns+` FROM chatapp_chats WHERE workspace_id = $1
		AND conversation_id IN (SELECT c.conversation_id FROM conversations c WHERE c.workspace_id = $1 AND c.contact_id = $2)
		ORDER BY number_id, jid`, ws, contact)
}

// DeleteChat deletes the link between a chat and its conversation.
func (tx *Tx) DeleteChat(ws parley.WorkspaceID, number parley.ID, jid string) error {
	return tx.exec("DELETE FROM chatapp_chats WHERE workspace_id = $1 AND number_id = $2 AND jid = $3", ws, number, jid)
}

// NewestConversation returns the id of the newest conversation with a contact
// in an inbox.
func (v *View) NewestConversation(ws parley.WorkspaceID, contact, inbox parley.ID) (parley.ID, error) {
	return one(v, "conversation", func(r row, id *parley.ID) error { return r.scan(id) },
		`SELECT conversation_id FROM conversations WHERE workspace_id = $1 AND contact_id = $2 AND inbox_id = $3
		ORDER BY conversation_id DESC LIMIT 1`, ws, contact, inbox)
}

// HasIncoming reports whether the customer has ever written in a conversation.
func (v *View) HasIncoming(ws parley.WorkspaceID, conversation parley.ID) (bool, error) {
	n, err := many(v, scanCount, `SELECT 1 FROM messages WHERE workspace_id = $1 AND conversation_id = $2 AND direction = $3 LIMIT 1`,
		ws, conversation, string(parley.Incoming))
	return len(n) > 0, err
}

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

// DeleteNetworkMessages deletes at most limit links of messages written before
// a time, and returns how many it deleted.
func (tx *Tx) DeleteNetworkMessages(ws parley.WorkspaceID, before time.Time, limit int) (int, error) {
	deleted, err := many(&tx.View, scanCount, `DELETE FROM chatapp_messages WHERE workspace_id = $1 AND message_id IN
		(SELECT message_id FROM chatapp_messages WHERE workspace_id = $1 AND message_id < $2 ORDER BY message_id LIMIT $3)
		RETURNING 1`, ws, parley.FirstID(before), limit)
	return len(deleted), err
}

// NetworkMessage returns the link with the given Chat, Sender and ID. Empty
// values match only empty columns.
func (v *View) NetworkMessage(ws parley.WorkspaceID, m NetworkMessage) (NetworkMessage, error) {
	return one(v, "message", scanNetworkMessage, "SELECT "+networkMessageColumns+` FROM chatapp_messages
		WHERE workspace_id = $1 AND number_id = $2 AND chat = $3 AND sender = $4 AND network_id = $5`,
		ws, m.NumberID, m.Chat, m.Sender, m.ID)
}
