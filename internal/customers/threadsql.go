package customers

import (
	"parley"
	"parley/internal/store"
)

// customerConversation and customerTables stand around the condition that
// selects among the conversations c, and query them as their customers see them.
// Private messages do not affect the unread count, the last message or the time
// of the last activity.
const customerConversation = `SELECT c.conversation_id, c.contact_id, c.inbox_id, c.status, c.agent_state, COALESCE(g.created_at, c.created_at), c.created_at,
		(SELECT count(*) FROM (SELECT 1 FROM messages u WHERE u.workspace_id = c.workspace_id AND u.conversation_id = c.conversation_id
			AND (c.customer_seen_id IS NULL OR u.message_id > c.customer_seen_id) AND u.direction = 'outgoing' AND NOT u.private LIMIT 100) n)
		+ (SELECT count(*) FROM (SELECT 1 FROM conversations p JOIN messages u ON u.workspace_id = p.workspace_id AND u.conversation_id = p.conversation_id
			AND (p.customer_seen_id IS NULL OR u.message_id > p.customer_seen_id) AND u.direction = 'outgoing' AND NOT u.private
			WHERE p.workspace_id = c.workspace_id AND p.merged_into = c.conversation_id LIMIT 100) n),
		` + store.MessageColumns + ` FROM (SELECT c.*, (SELECT newest.message_id FROM (SELECT * FROM (SELECT l.message_id FROM messages l
				WHERE l.workspace_id = c.workspace_id AND l.conversation_id = c.conversation_id AND NOT l.private ORDER BY l.message_id DESC LIMIT 1) AS own
			UNION ALL SELECT (SELECT l.message_id FROM messages l WHERE l.workspace_id = p.workspace_id AND l.conversation_id = p.conversation_id
				AND NOT l.private ORDER BY l.message_id DESC LIMIT 1) FROM conversations p
				WHERE p.workspace_id = c.workspace_id AND p.merged_into = c.conversation_id) AS newest
			WHERE newest.message_id IS NOT NULL ORDER BY newest.message_id DESC LIMIT 1) AS last_id FROM conversations c WHERE `

const customerTables = `) c
		LEFT JOIN messages g ON g.workspace_id = c.workspace_id AND g.message_id = c.last_id
		LEFT JOIN members m ON m.workspace_id = g.workspace_id AND m.member_id = g.sender_member_id
		LEFT JOIN contacts k ON k.workspace_id = g.workspace_id AND k.contact_id = g.sender_contact_id`

// customerOrder lists conversations by their last message, the latest first.
const customerOrder = " ORDER BY COALESCE(g.created_at, c.created_at) DESC, c.conversation_id DESC LIMIT "

func scanCustomerConversation(r store.Row, c *parley.CustomerConversation) error {
	err := store.ScanMessage(r.Behind(&c.ID, &c.ContactID, &c.InboxID, (*string)(&c.Status), (*string)(&c.Agent), &c.LastActivityAt, &c.CreatedAt, &c.UnreadCount),
		&c.LastMessage)
	c.UnreadCount = min(c.UnreadCount, 100)
	if !c.LastMessage.ID.IsZero() {
		c.LastMessage.ConversationID = c.ID
	}
	return err
}

// SelectCustomerConversation returns a conversation, or the one that it was merged into,
// as its customer sees it.
func SelectCustomerConversation(v store.Reader, vis parley.Visibility, id parley.ID) (parley.CustomerConversation, error) {
	return store.One(v, vis, "conversation", scanCustomerConversation,
		customerConversation+`VISIBLE(c) AND c.conversation_id = (
			SELECT COALESCE(o.merged_into, o.conversation_id) FROM conversations o WHERE VISIBLE(o) AND o.conversation_id = $2)`+customerTables, id)
}

// SelectCustomerConversations returns the conversations of a customer, latest
// message first.
func SelectCustomerConversations(v store.Reader, vis parley.Visibility, after parley.Position, limit int) (parley.Page[parley.CustomerConversation], error) {
	p := store.ListPage[parley.CustomerConversation]{Limit: limit, Scan: scanCustomerConversation, Next: func(last *parley.CustomerConversation) parley.Position {
		return parley.Position{At: last.LastActivityAt, ID: last.ID}
	}}
	if after.IsZero() {
		return store.Page(v, vis, p, customerConversation+"VISIBLE(c) AND c.merged_into IS NULL"+customerTables+customerOrder+"$2")
	}
	return store.Page(v, vis, p, customerConversation+"VISIBLE(c) AND c.merged_into IS NULL"+customerTables+
		" WHERE (COALESCE(g.created_at, c.created_at), c.conversation_id) < ($2, $3)"+customerOrder+"$4", after.At, after.ID)
}

// SelectCustomerConversationsByID returns conversations as their customers see them,
// in no order.
func SelectCustomerConversationsByID(v store.Reader, ws parley.WorkspaceID, ids []parley.ID) ([]parley.CustomerConversation, error) {
	return store.Many(v, ws, scanCustomerConversation,
		customerConversation+"c.workspace_id = $1 AND c.conversation_id IN ($2...)"+customerTables, store.ListOf(ids))
}

// SelectConversationOwners returns the contact and inbox of conversations, and what they
// were merged into. Only ID, ContactID, InboxID and MergedInto are set.
func SelectConversationOwners(v store.Reader, ws parley.WorkspaceID, ids []parley.ID) ([]parley.CustomerConversation, error) {
	return store.Many(v, ws, func(r store.Row, o *parley.CustomerConversation) error {
		return r.Scan(&o.ID, &o.ContactID, &o.InboxID, &o.MergedInto)
	},
		`SELECT conversation_id, contact_id, inbox_id, merged_into FROM conversations
		WHERE workspace_id = $1 AND conversation_id IN ($2...)`, store.ListOf(ids))
}

// SelectUnseenMessages returns the team's messages that a customer has not seen,
// newest first.
func SelectUnseenMessages(v store.Reader, vis parley.Visibility, conversation parley.ID, limit int) ([]parley.Message, error) {
	return store.Many(v, vis, store.ScanMessage, "SELECT "+store.MessageColumns+store.MessageTables+`
		JOIN conversations c ON c.workspace_id = g.workspace_id AND c.conversation_id = g.conversation_id
		WHERE OF_VISIBLE(g) AND (c.conversation_id = $2 OR c.merged_into = $2) AND (c.customer_seen_id IS NULL OR g.message_id > c.customer_seen_id)
			AND g.direction = 'outgoing' AND NOT g.private
		ORDER BY g.message_id DESC LIMIT $3`, conversation, limit)
}
