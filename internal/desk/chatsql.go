package desk

import (
	"parley"
	"parley/internal/store"
)

// A Chat is the conversation with one person on the network.
type Chat struct {
	NumberID       parley.ID
	JID            string       // its name on the network
	Phone          parley.Phone // the person's number as the network spells it; "" if hidden
	ConversationID parley.ID
}

const chatColumns = "number_id, jid, phone, conversation_id"

func scanChat(r store.Row, c *Chat) error {
	return r.Scan(&c.NumberID, &c.JID, (*string)(&c.Phone), &c.ConversationID)
}

// UpsertChat stores the conversation that a chat belongs to.
func UpsertChat(tx store.Writer, ws parley.WorkspaceID, c *Chat) error {
	return store.Exec(tx, ws, "INSERT INTO chatapp_chats (workspace_id, "+chatColumns+`) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (workspace_id, number_id, jid) DO UPDATE SET phone = excluded.phone, conversation_id = excluded.conversation_id`,
		c.NumberID, c.JID, string(c.Phone), c.ConversationID)
}

// UpdateChatsOf points all chats of a number with a contact at one
// conversation.
func UpdateChatsOf(tx store.Writer, ws parley.WorkspaceID, number, contact, conversation parley.ID) error {
	return store.Exec(tx, ws, `UPDATE chatapp_chats SET conversation_id = $4 WHERE workspace_id = $1 AND number_id = $2 AND conversation_id <> $4
		AND conversation_id IN (SELECT c.conversation_id FROM conversations c WHERE c.workspace_id = $1 AND c.contact_id = $3)`,
		number, contact, conversation)
}

// SelectChat returns a chat of a number by its name on the network.
func SelectChat(v store.Reader, ws parley.WorkspaceID, number parley.ID, jid string) (Chat, error) {
	return store.One(v, ws, "chat", scanChat,
		"SELECT "+chatColumns+" FROM chatapp_chats WHERE workspace_id = $1 AND number_id = $2 AND jid = $3", number, jid)
}

// SelectChatsOf returns the chats of a number that belong to a conversation.
func SelectChatsOf(v store.Reader, ws parley.WorkspaceID, number, conversation parley.ID) ([]Chat, error) {
	return store.Many(v, ws, scanChat, "SELECT "+chatColumns+` FROM chatapp_chats
		WHERE workspace_id = $1 AND conversation_id = $3 AND number_id = $2 ORDER BY jid`, number, conversation)
}

// SelectChatsWith returns the chats with a contact, across all numbers.
func SelectChatsWith(v store.Reader, ws parley.WorkspaceID, contact parley.ID) ([]Chat, error) {
	return store.Many(v, ws, scanChat, "SELECT "+chatColumns+` FROM chatapp_chats WHERE workspace_id = $1
		AND conversation_id IN (SELECT c.conversation_id FROM conversations c WHERE c.workspace_id = $1 AND c.contact_id = $2)
		ORDER BY number_id, jid`, contact)
}

// DeleteChat deletes the link between a chat and its conversation.
func DeleteChat(tx store.Writer, ws parley.WorkspaceID, number parley.ID, jid string) error {
	return store.Exec(tx, ws, "DELETE FROM chatapp_chats WHERE workspace_id = $1 AND number_id = $2 AND jid = $3", number, jid)
}
