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
		if err == nil && by.Member != "" {
			err = t.markRead(by.Member, c.ID)
		}
		if err != nil || c.UnreadCount == 0 {
			return c, err
		}
		c.UnreadCount = 0
		if err := t.UpdateConversationActivity(t.WS, &c, t.Now); err != nil {
			return c, err
		}
		t.AnnounceChange(&c, c.Place(), "unreadCount")
		return c, nil
	})
}

// markRead marks everything in the conversation as read by a member.
func (t *Tx) markRead(member parley.UserID, conversation parley.ID) error {
	last, err := t.LastMessage(t.Visibility, conversation)
	if err != nil && parley.KindOf(err) != parley.NotFound {
		return err
	}
	if err := MarkRead(t, t.WS, member, conversation, last); err != nil {
		return err
	}
	return ReadNotices(t, t.WS, member, conversation, t.Now)
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
