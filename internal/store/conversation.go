package store

import (
	"encoding/json"
	"time"

	"parley"
)

const conversationColumns = `c.conversation_id, c.status, c.priority, c.spam, c.labels, c.unread_count, c.custom_attributes,
	c.last_activity_at, c.changed_at, c.waiting_since, c.created_at, c.opened_at, c.first_response_at, c.agent_state, c.agent_reason,
	c.snoozed_until, c.woke_at, c.merged_into, c.merged_at, c.split_from, k.contact_id, k.name, k.email, k.phone_number, k.shop_name, k.avatar_url,
	i.inbox_id, i.name, i.channel, p.product_id, p.name, p.agent_mode, m.member_id, m.name, m.image, n.team_id, n.name`

// Left joins keep SQLite from starting with a table other than the
// conversations, although every conversation has a contact and an inbox.
const conversationJoins = `
	LEFT JOIN contacts k ON k.workspace_id = c.workspace_id AND k.contact_id = c.contact_id
	LEFT JOIN inboxes i ON i.workspace_id = c.workspace_id AND i.inbox_id = c.inbox_id
	LEFT JOIN products p ON p.workspace_id = c.workspace_id AND p.product_id = c.product_id
	LEFT JOIN members m ON m.workspace_id = c.workspace_id AND m.member_id = c.assignee_id
	LEFT JOIN teams n ON n.workspace_id = c.workspace_id AND n.team_id = c.team_id AND n.deleted_at = 0`

func scanConversation(r row, c *parley.Conversation) error {
	var labels string
	err := r.scan(&c.ID, (*string)(&c.Status), (*string)(&c.Priority), &c.Spam, &labels, &c.UnreadCount, (*string)(&c.CustomAttributes),
		&c.LastActivityAt, &c.UpdatedAt, &c.WaitingSince, &c.CreatedAt, &c.OpenedAt, &c.FirstResponseAt, (*string)(&c.Agent.State), (*string)(&c.Agent.Reason),
		&c.SnoozedUntil, &c.WokeAt, &c.MergedInto, &c.MergedAt, &c.SplitFrom, &c.Contact.ID, &c.Contact.Name, &c.Contact.Email, &c.Contact.PhoneNumber, &c.Contact.ShopName, &c.Contact.AvatarURL,
		&c.Inbox.ID, &c.Inbox.Name, (*string)(&c.Inbox.Channel), &c.Product.ID, &c.Product.Name, (*string)(&c.Product.Agent),
		(*string)(&c.Assignee.ID), &c.Assignee.Name, &c.Assignee.Image, &c.Team.ID, &c.Team.Name)
	if err != nil || labels == "" {
		return err
	}
	return json.Unmarshal([]byte(labels), &c.Labels)
}

// textsOf encodes texts for a column: "" or a JSON array. So are the labels in the row
// of a conversation; the table conversation_labels holds the same for lookups.
func textsOf(texts []string) (string, error) {
	if len(texts) == 0 {
		return "", nil
	}
	text, err := json.Marshal(texts)
	return string(text), err
}

// InsertConversation stores a new conversation without labels and sets its
// UpdatedAt.
func (tx *Tx) InsertConversation(ws parley.WorkspaceID, c *parley.Conversation, now time.Time) error {
	c.UpdatedAt = tx.changedAt(ws, c.ID, now)
	return tx.exec(`INSERT INTO conversations (workspace_id, conversation_id, contact_id, inbox_id, product_id, assignee_id,
		status, priority, labels, unread_count, custom_attributes, last_activity_at, changed_at, created_at, opened_at,
		first_response_at, waiting_since, spam, agent_state, agent_reason, snoozed_until, woke_at, team_id, merged_into, merged_at, split_from)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '', $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25)`,
		ws, c.ID, c.Contact.ID, c.Inbox.ID, c.Product.ID, c.Assignee.ID, string(c.Status), string(c.Priority),
		c.UnreadCount, string(c.CustomAttributes), c.LastActivityAt, c.UpdatedAt, c.CreatedAt, c.OpenedAt, c.FirstResponseAt, c.WaitingSince, c.Spam,
		string(c.Agent.State), string(c.Agent.Reason), c.Snoozed(), c.WokeAt, c.Team.ID, c.MergedInto, c.MergedAt, c.SplitFrom)
}

// UpdateConversation stores the settings of a conversation, except for its
// labels, and sets its UpdatedAt.
func (tx *Tx) UpdateConversation(ws parley.WorkspaceID, c *parley.Conversation, now time.Time) error {
	c.UpdatedAt = tx.changedAt(ws, c.ID, now)
	return tx.exec(`UPDATE conversations SET product_id = $3, assignee_id = $4, status = $5, priority = $6,
		custom_attributes = $7, changed_at = $8, opened_at = $9, waiting_since = $10, spam = $11, agent_state = $12, agent_reason = $13,
		snoozed_until = $14, woke_at = $15, team_id = $16, merged_into = $17, merged_at = $18, split_from = $19 WHERE workspace_id = $1 AND conversation_id = $2`,
		ws, c.ID, c.Product.ID, c.Assignee.ID, string(c.Status), string(c.Priority), string(c.CustomAttributes), c.UpdatedAt, c.OpenedAt, c.WaitingSince, c.Spam,
		string(c.Agent.State), string(c.Agent.Reason), c.Snoozed(), c.WokeAt, c.Team.ID, c.MergedInto, c.MergedAt, c.SplitFrom)
}

// WakeConversations stores that conversations have woken: their status and the times of
// their sleep. It sets their UpdatedAt.
func (tx *Tx) WakeConversations(ws parley.WorkspaceID, woken []*parley.Conversation, now time.Time) error {
	if len(woken) == 0 {
		return nil
	}
	ids := make([]parley.ID, len(woken))
	for i, c := range woken {
		c.UpdatedAt = tx.changedAt(ws, c.ID, now)
		ids[i] = c.ID
	}
	return Exec(tx, ws, `UPDATE conversations SET status = 'open', snoozed_until = $2, woke_at = $3, changed_at = $4
		WHERE workspace_id = $1 AND conversation_id IN ($5...)`, time.Time{}, now, woken[0].UpdatedAt, ListOf(ids))
}

// UpdateConversationLabels replaces the labels of a conversation.
func (tx *Tx) UpdateConversationLabels(ws parley.WorkspaceID, id parley.ID, before, after []string) error {
	text, err := textsOf(after)
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

// UpdateConversationActivity stores what a new message changes: last activity,
// unread count, first response, the time since when the customer waits, when it
// woke, and the part of the automated agent. It sets UpdatedAt.
func (tx *Tx) UpdateConversationActivity(ws parley.WorkspaceID, c *parley.Conversation, now time.Time) error {
	c.UpdatedAt = tx.changedAt(ws, c.ID, now)
	return tx.exec(`UPDATE conversations SET last_activity_at = $3, unread_count = $4, first_response_at = $5, changed_at = $6,
		waiting_since = $7, agent_state = $8, agent_reason = $9, woke_at = $10 WHERE workspace_id = $1 AND conversation_id = $2`,
		ws, c.ID, c.LastActivityAt, c.UnreadCount, c.FirstResponseAt, c.UpdatedAt, c.WaitingSince, string(c.Agent.State), string(c.Agent.Reason), c.WokeAt)
}

// Conversation returns a conversation.
func (v *View) Conversation(vis parley.Visibility, id parley.ID) (parley.Conversation, error) {
	var c clause
	return one(v, "conversation", scanConversation, "SELECT "+conversationColumns+" FROM conversations c"+conversationJoins+
		" WHERE "+c.visible(vis, "c")+" AND c.conversation_id = "+c.arg(id), c.args...)
}

// ConversationsOf returns those of some conversations that a reader may see, in no order.
// There must be at least one id.
func (v *View) ConversationsOf(vis parley.Visibility, ids []parley.ID) ([]parley.Conversation, error) {
	var c clause
	return many(v, scanConversation, "SELECT "+conversationColumns+" FROM conversations c"+conversationJoins+
		" WHERE "+c.visible(vis, "c")+" AND c.conversation_id IN ("+c.list(padded(ListOf(ids)))+")", c.args...)
}

// UpdateConversationsContact moves the conversations of a contact to another
// contact and sets their UpdatedAt.
func (tx *Tx) UpdateConversationsContact(ws parley.WorkspaceID, from, to parley.ID, now time.Time) error {
	return tx.exec("UPDATE conversations SET contact_id = $3, changed_at = $4 WHERE workspace_id = $1 AND contact_id = $2",
		ws, from, to, tx.head(ws).at(now))
}
