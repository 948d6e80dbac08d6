package desk

import (
	"context"

	"parley"
	"parley/internal/store"
)

// Counts returns the numbers of conversations that a dashboard shows next to
// its views, including those of the member.
func (d *Desk) Counts(vis parley.Visibility, member parley.UserID) Read[parley.Counts] {
	return View(d, func(v *store.View) (parley.Counts, error) { return SelectCounts(v, vis, member) })
}

// Unread returns the conversations that a member has not read.
func (d *Desk) Unread(vis parley.Visibility, member parley.UserID) Read[parley.Unread] {
	return Snapshot(d, func(v *store.View) (parley.Unread, error) { return SelectUnread(v, vis, member) })
}

// ReadConversation marks all messages of a conversation as read: by the team
// and, if the caller is a member, by that member.
func (d *Desk) ReadConversation(ctx context.Context, by Caller, id parley.ID) (parley.Conversation, error) {
	return Write(ctx, d, by, func(t *Tx) (parley.Conversation, error) {
		c, err := ConversationNow(&t.View, t.Visibility, id)
		if err != nil {
			return c, err
		}
		var last parley.ID
		if t.MemberID != "" {
			if last, err = t.LastMessage(t.Visibility, c.ID); err != nil && parley.KindOf(err) != parley.NotFound {
				return c, err
			}
		}
		return c, t.ReadUpTo(&c, last)
	})
}

// ReadUpTo marks the messages of a conversation up to its last one as read: by the team
// and, if the transaction is a member's, by that member, with the notices of it.
func (t *Tx) ReadUpTo(c *parley.Conversation, last parley.ID) error {
	if t.MemberID != "" {
		if err := MarkRead(t, t.WS, t.MemberID, c.ID, last); err != nil {
			return err
		}
		if err := ReadNotices(t, t.WS, t.MemberID, c.ID, t.Now); err != nil {
			return err
		}
	}
	if c.UnreadCount == 0 {
		return nil
	}
	c.UnreadCount = 0
	if err := t.UpdateConversationActivity(t.WS, c, t.Now); err != nil {
		return err
	}
	t.AnnounceChange(c, c.Place(), "unreadCount")
	return nil
}

// UnreadConversation marks a conversation as unread for the caller alone.
func (d *Desk) UnreadConversation(ctx context.Context, by Caller, id parley.ID) (parley.Conversation, error) {
	return Write(ctx, d, by, func(t *Tx) (parley.Conversation, error) {
		c, err := ConversationNow(&t.View, t.Visibility, id)
		if err != nil {
			return c, err
		}
		return c, MarkUnread(t, t.WS, by.Member, c.ID)
	})
}
