package desk

import "parley"

// What packages over the desk do in conversations, by the rules of its verbs.

// PostAs adds a message as PostMessage does.
func (t *Tx) PostAs(c *parley.Conversation, in NewMessage) (parley.Message, error) {
	if err := in.Check(t.Now); err != nil {
		return parley.Message{}, err
	}
	if err := t.mustBeLast(c.ID, in.IfLast); err != nil {
		return parley.Message{}, err
	}
	m, err := t.NewMessage(c, in)
	if err != nil {
		return m, err
	}
	return m, t.Post(c, &m, in.backfill())
}

// Change changes a conversation as UpdateConversation does.
func (t *Tx) Change(c *parley.Conversation, in ConversationChange) error {
	return t.changeConversation(c, in)
}

// ChangeWith is [Tx.Change] together with a change of members that a ConversationChange does
// not have: also makes it, and returns their names.
func ChangeWith(t *Tx, c *parley.Conversation, in ConversationChange, also func() []string) error {
	u, err := t.newUpdate(c, in)
	if err != nil {
		return err
	}
	assignee := c.Assignee.ID
	u.changed = Unique(append(u.changed, also()...))
	if c.Assignee.ID != assignee {
		u.assignee = c.Assignee.ID // which takes nothing from the automated agent
	}
	if len(u.changed) == 0 {
		return nil
	}
	return t.storeChanges([]*conversationUpdate{u})
}
