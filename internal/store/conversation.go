package store

import (
	"encoding/json"
	"time"

	"parley"
)

const conversationColumns = `c.conversation_id, c.status, c.priority, c.labels, c.unread_count, c.custom_attributes,
	c.last_activity_at, c.created_at, c.opened_at, c.first_response_at, k.contact_id, k.name, k.email, k.phone_number, k.shop_name, k.avatar_url,
	i.inbox_id, i.name, i.channel, p.product_id, p.name, m.member_id, m.name, m.image`

// The joins are left joins, though a contact and an inbox are always there:
// that keeps SQLite from starting with another table than the conversations.
const conversationJoins = `
	LEFT JOIN contacts k ON k.workspace_id = c.workspace_id AND k.contact_id = c.contact_id
	LEFT JOIN inboxes i ON i.workspace_id = c.workspace_id AND i.inbox_id = c.inbox_id
	LEFT JOIN products p ON p.workspace_id = c.workspace_id AND p.product_id = c.product_id
	LEFT JOIN members m ON m.workspace_id = c.workspace_id AND m.member_id = c.assignee_id`

func scanConversation(r row, c *parley.Conversation) error {
	var labels string
	err := r.scan(&c.ID, (*string)(&c.Status), (*string)(&c.Priority), &labels, &c.UnreadCount, (*string)(&c.CustomAttributes),
		&c.LastActivityAt, &c.CreatedAt, &c.OpenedAt, &c.FirstResponseAt, &c.Contact.ID, &c.Contact.Name, &c.Contact.Email, &c.Contact.PhoneNumber, &c.Contact.ShopName, &c.Contact.AvatarURL,
		&c.Inbox.ID, &c.Inbox.Name, (*string)(&c.Inbox.Channel), &c.Product.ID, &c.Product.Name,
		(*string)(&c.Assignee.ID), &c.Assignee.Name, &c.Assignee.Image)
	if err != nil || labels == "" {
		return err
	}
	return json.Unmarshal([]byte(labels), &c.Labels)
}

// labelsText is how labels are stored in the conversation's row: "" or a JSON
// array. The table conversation_labels has them once more, to look for.
func labelsText(labels []string) (string, error) {
	if len(labels) == 0 {
		return "", nil
	}
	text, err := json.Marshal(labels)
	return string(text), err
}

// InsertConversation stores a new conversation without labels.
func (tx *Tx) InsertConversation(ws parley.WorkspaceID, c *parley.Conversation) error {
	return tx.exec(`INSERT INTO conversations (workspace_id, conversation_id, contact_id, inbox_id, product_id, assignee_id,
		status, priority, labels, unread_count, custom_attributes, last_activity_at, changed_at, created_at, opened_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '', $9, $10, $11, $12, $12, $13)`,
		ws, c.ID, c.Contact.ID, c.Inbox.ID, c.Product.ID, c.Assignee.ID, string(c.Status), string(c.Priority),
		c.UnreadCount, string(c.CustomAttributes), c.LastActivityAt, c.CreatedAt, c.OpenedAt)
}

// UpdateConversation stores the settings of a conversation but for its
// labels; at is the time of the change.
func (tx *Tx) UpdateConversation(ws parley.WorkspaceID, c *parley.Conversation, at time.Time) error {
	return tx.exec(`UPDATE conversations SET product_id = $3, assignee_id = $4, status = $5, priority = $6,
		custom_attributes = $7, changed_at = $8, opened_at = $9 WHERE workspace_id = $1 AND conversation_id = $2`,
		ws, c.ID, c.Product.ID, c.Assignee.ID, string(c.Status), string(c.Priority), string(c.CustomAttributes), at, c.OpenedAt)
}

// UpdateConversationLabels replaces the labels of a conversation.
func (tx *Tx) UpdateConversationLabels(ws parley.WorkspaceID, id parley.ID, before, after []string) error {
	text, err := labelsText(after)
	if err != nil {
		return err
	}
	if err := tx.exec("UPDATE conversations SET labels = $3 WHERE workspace_id = $1 AND conversation_id = $2", ws, id, text); err != nil {
		return err
	}
	for _, label := range before {
		err := tx.exec("DELETE FROM conversation_labels WHERE workspace_id = $1 AND label = $2 AND conversation_id = $3", ws, label, id)
		if err != nil {
			return err
		}
	}
	for _, label := range after {
		err := tx.exec("INSERT INTO conversation_labels (workspace_id, label, conversation_id) VALUES ($1, $2, $3)", ws, label, id)
		if err != nil {
			return err
		}
	}
	return nil
}

// UpdateConversationActivity stores what a message moves: the last activity,
// the count of unread messages, and when a member first answered.
func (tx *Tx) UpdateConversationActivity(ws parley.WorkspaceID, c *parley.Conversation) error {
	return tx.exec(`UPDATE conversations SET last_activity_at = $3, unread_count = $4, first_response_at = $5
		WHERE workspace_id = $1 AND conversation_id = $2`, ws, c.ID, c.LastActivityAt, c.UnreadCount, c.FirstResponseAt)
}

// Conversation returns a conversation.
func (v *View) Conversation(ws parley.WorkspaceID, id parley.ID) (parley.Conversation, error) {
	return one(v, "conversation", scanConversation, "SELECT "+conversationColumns+" FROM conversations c"+conversationJoins+
		" WHERE c.workspace_id = $1 AND c.conversation_id = $2", ws, id)
}

// A ConversationFilter narrows a list of conversations. The zero value of each
// member does not.
type ConversationFilter struct {
	Status       parley.Status
	InboxID      parley.ID
	ContactID    parley.ID // also the id of a contact that was merged into another
	CompanyID    parley.ID
	ProductID    parley.Optional[parley.ID]     // null: those without a product
	AssigneeID   parley.Optional[parley.UserID] // null: those that nobody is assigned to
	Label        string
	UpdatedSince time.Time // by a message or by a change of the settings
}

// Conversations returns conversations, most recently active first.
func (v *View) Conversations(ws parley.WorkspaceID, f ConversationFilter, after parley.Position, limit int) (parley.Page[parley.Conversation], error) {
	var c clause
	rows := f.rows(&c, ws, after, limit+1)
	// First the page, then its joins: so no more rows are joined than shown.
	sql := "SELECT " + conversationColumns + " FROM (" + rows + ") c" + conversationJoins +
		" ORDER BY c.last_activity_at DESC, c.conversation_id DESC"
	return page(v, pageQuery{sql, c.args, limit}, scanConversation, behind(func(last *parley.Conversation) parley.Position {
		return parley.Position{At: last.LastActivityAt, ID: last.ID}
	}))
}

// rows is the query of the first limit rows behind a position.
func (f *ConversationFilter) rows(c *clause, ws parley.WorkspaceID, after parley.Position, limit int) string {
	if f.UpdatedSince.IsZero() {
		return f.part(c, ws, after, limit, "c.last_activity_at")
	}
	// Those that were active since are all before those that were only changed
	// since. Apart, each part is a range of an index; together, with OR, all
	// conversations would be looked at.
	active := f.part(c, ws, after, limit, "c.last_activity_at", "c.last_activity_at >= "+c.arg(f.UpdatedSince))
	// The plus keeps the engines from walking through all conversations for the
	// sake of the order: they shall sort those that were changed.
	changed := f.part(c, ws, after, limit, "+c.last_activity_at",
		"c.changed_at >= "+c.arg(f.UpdatedSince), "+c.last_activity_at < "+c.arg(f.UpdatedSince))
	return "SELECT * FROM (SELECT * FROM (" + active + ") a UNION ALL SELECT * FROM (" + changed + ") b) c" +
		" ORDER BY c.last_activity_at DESC, c.conversation_id DESC LIMIT " + c.arg(limit)
}

// part is the query of those rows that fulfil some more conditions; activity
// is the expression of the time by which they are sorted.
func (f *ConversationFilter) part(c *clause, ws parley.WorkspaceID, after parley.Position, limit int, activity string, more ...string) string {
	own := clause{args: c.args}
	own.and("c.workspace_id = ?", ws)
	f.narrow(&own, ws)
	own.conditions = append(own.conditions, more...)
	if !after.IsZero() {
		own.conditions = append(own.conditions, "("+activity+", c.conversation_id) < ("+own.arg(after.At)+", "+own.arg(after.ID)+")")
	}
	sql := "SELECT * FROM conversations c" + own.where() + " ORDER BY " + activity + " DESC, c.conversation_id DESC LIMIT " + own.arg(limit)
	c.args = own.args
	return sql
}

func (f *ConversationFilter) narrow(c *clause, ws parley.WorkspaceID) {
	if f.Status != "" {
		c.and("c.status = ?", string(f.Status))
		if f.Status != parley.Resolved {
			c.conditions = append(c.conditions, "c.status <> 'resolved'") // opens the way to conversations_unresolved
		}
	}
	if !f.InboxID.IsZero() {
		c.and("c.inbox_id = ?", f.InboxID)
	}
	if !f.ContactID.IsZero() {
		c.and("c.contact_id = COALESCE((SELECT into_id FROM merged_contacts WHERE workspace_id = "+c.arg(ws)+
			" AND contact_id = ?), ?)", f.ContactID)
	}
	if !f.CompanyID.IsZero() {
		c.and("c.contact_id IN (SELECT contact_id FROM contacts WHERE workspace_id = "+c.arg(ws)+" AND company_id = ?)", f.CompanyID)
	}
	switch {
	case f.ProductID.Null:
		c.conditions = append(c.conditions, "c.product_id IS NULL")
	case f.ProductID.Set:
		c.and("c.product_id = ?", f.ProductID.Value)
	}
	switch {
	case f.AssigneeID.Null:
		c.conditions = append(c.conditions, "c.assignee_id IS NULL")
	case f.AssigneeID.Set:
		c.and("c.assignee_id = ?", f.AssigneeID.Value)
	}
	if f.Label != "" {
		c.and("c.conversation_id IN (SELECT conversation_id FROM conversation_labels WHERE workspace_id = "+c.arg(ws)+" AND label = ?)", f.Label)
	}
}
