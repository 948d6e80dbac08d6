package later

import (
	"fmt"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/timer"
)

// Kinds returns the kind of timer that sends scheduled messages.
func Kinds() []timer.Kind {
	return []timer.Kind{{Name: Timer, Do: send, Farthest: parley.MaxSchedule}}
}

// send posts a scheduled message that is due, or holds it.
func send(t *desk.Tx, due desk.Timer) (time.Time, error) {
	id, ok := parley.ParseID(due.Name)
	if !ok {
		return time.Time{}, fmt.Errorf("a timer is named %q", due.Name)
	}
	s, err := SelectScheduled(t, t.Visibility, id)
	switch {
	case parley.KindOf(err) == parley.NotFound || err == nil && s.State != parley.ScheduledWaiting:
		return time.Time{}, nil
	case err != nil:
		return time.Time{}, err
	case s.SendAt.After(t.Now): // the clock jumped back
		return s.SendAt, nil
	}
	c, err := t.Conversation(t.Visibility, s.ConversationID)
	if err != nil {
		return time.Time{}, err
	}
	reason, err := obstacle(t, &c, &s)
	if err != nil {
		return time.Time{}, err
	}
	if reason == "" {
		_, err = post(t, &c, &s, s.Author.ID)
		return time.Time{}, err
	}
	s.State, s.Held, s.Version = parley.ScheduledHeld, reason, s.Version+1
	announce(t, &c, parley.ScheduledMessageUpdated, &s, "state", "heldReason")
	return time.Time{}, UpdateScheduled(t, t.WS, &s)
}

// obstacle returns why s must not be sent by itself, or "". It gives s its files. What it
// finds out before the message is posted stores nothing that must be taken back.
func obstacle(t *desk.Tx, c *parley.Conversation, s *Scheduled) (parley.HeldReason, error) {
	files, err := selectFiles(t, t.WS, []parley.ID{s.ID})
	if err != nil {
		return "", err
	}
	s.take(files)
	w, err := t.Workspace(t.WS)
	if err != nil {
		return "", err
	}
	if s.Epoch != w.Epoch {
		return parley.HeldRestored, nil
	}
	if _, err := t.Member(t.WS, s.Author.ID); parley.KindOf(err) == parley.NotFound {
		return parley.HeldAuthorLeft, nil
	} else if err != nil {
		return "", err
	}
	if len(s.Attachments) < s.Files {
		return parley.HeldFileGone, nil
	}
	if s.IfQuiet {
		wrote, err := selectWroteSince(t, t.Visibility, c.ID, s.LastID)
		if err != nil || len(wrote) > 0 {
			return parley.HeldCustomerWrote, err
		}
	}
	if cannot, err := unreachable(t, c, s); err != nil || cannot {
		return parley.HeldUnreachable, err
	}
	return "", nil
}

// unreachable reports whether the channel of a conversation cannot send a message.
func unreachable(t *desk.Tx, c *parley.Conversation, s *Scheduled) (bool, error) {
	if s.Private || c.Inbox.Channel != parley.ChannelChatapp {
		return false, nil
	}
	m := parley.Message{Direction: parley.Outgoing, Attachments: s.Attachments}
	number, err := desk.NumberFor(t, c, &m)
	switch parley.KindOf(err) {
	case parley.Invalid, parley.NotFound, parley.Conflict:
		return true, nil
	}
	return number.IsZero(), err
}

// post posts a scheduled message in the name of a member, and deletes it.
func post(t *desk.Tx, c *parley.Conversation, s *Scheduled, sender parley.UserID) (parley.Message, error) {
	in := desk.NewMessage{
		Content: s.Content, ContentType: s.ContentType, Direction: parley.Outgoing, AgentID: sender, Private: s.Private, ScheduledID: s.ID,
	}
	for _, file := range s.Attachments {
		in.AttachmentIDs = append(in.AttachmentIDs, file.ID)
	}
	// Who has left since is named no more.
	if len(s.Mentions) > 0 {
		var err error
		if in.Mentions, err = desk.SelectCurrentMembers(t, t.WS, s.Mentions); err != nil {
			return parley.Message{}, err
		}
	}
	defer t.Because(parley.ScheduledMessageCreated, s.ID)()
	m, err := t.NewMessage(c, in)
	if err != nil {
		return m, err
	}
	t.Origin.Actor = parley.Actor{Type: parley.ActorMember, ID: string(sender), Name: m.Sender.Name}
	if err := t.Post(c, &m, false); err != nil {
		return m, err
	}
	return m, end(t, c, s.ID)
}
