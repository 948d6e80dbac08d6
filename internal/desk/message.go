package desk

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"parley"
	"parley/internal/wire"
)

// NewMessage has the inputs of a new message.
type NewMessage struct {
	Content     string
	ContentType parley.ContentType
	Direction   parley.Direction
	AgentID     parley.UserID // outgoing: the member who writes; "" is the automated agent
	Private     bool          // outgoing: a note for members only
	CreatedAt   time.Time     // the time of a backfilled message, at most clockSkew ahead; zero: now
	// IfLast must be the conversation's last message; zero: any.
	IfLast parley.ID
	// IfStatus lists the statuses that the conversation may have; none: any.
	IfStatus []parley.Status
	// AttachmentIDs are unattached files, at most parley.MaxAttachments.
	// Without a ContentType the first one determines it.
	AttachmentIDs []parley.ID
	// Mentions are the members whom a note names, at most parley.MaxMentions. They get
	// notices.
	Mentions []parley.UserID
	// Uploader is the customer who writes and uploaded the files; zero for
	// members and keys. A file can only be attached by its uploader.
	Uploader parley.ID
	// ScheduledID is the scheduled message that is being posted, which its files wait
	// for; zero for none.
	ScheduledID parley.ID
}

// backfill reports whether the message belongs to the past: it is shown at its
// time, but does not count as unread, reopen a conversation, or go out.
func (m *NewMessage) backfill() bool { return !m.CreatedAt.IsZero() }

// Check refuses invalid inputs. A time ahead by at most clockSkew counts as
// now.
func (m *NewMessage) Check(now time.Time) error {
	if m.Direction == parley.Incoming {
		if m.AgentID != "" {
			return parley.InvalidField("agentUserId", "be absent on an incoming message")
		}
		if m.Private {
			return parley.InvalidField("isPrivate", "be false on an incoming message")
		}
	}
	at, err := past(m.CreatedAt, now)
	if err != nil {
		return err
	}
	if m.backfill() {
		m.CreatedAt = at
	}
	if len(m.AttachmentIDs) > parley.MaxAttachments || len(Unique(m.AttachmentIDs)) < len(m.AttachmentIDs) {
		return parley.InvalidField("attachmentIds", fmt.Sprintf("be at most %d different ids", parley.MaxAttachments))
	}
	return CheckMentions(m.Mentions, m.Private)
}

// CheckMentions refuses mentions that no message may have.
func CheckMentions(members []parley.UserID, private bool) error {
	if len(members) > 0 && !private {
		return parley.InvalidField("mentions", "be absent on a message that is not private")
	}
	if len(members) > parley.MaxMentions || len(Unique(members)) < len(members) {
		return parley.InvalidField("mentions", fmt.Sprintf("be at most %d different ids", parley.MaxMentions))
	}
	return nil
}

// PostMessage adds a message to a conversation and updates the last activity
// and the unread count. An incoming message reopens a pending or resolved
// conversation.
func (d *Desk) PostMessage(ctx context.Context, by Caller, conversation parley.ID, in NewMessage) (parley.Message, error) {
	return Write(ctx, d, by, func(t *Tx) (parley.Message, error) {
		if err := in.Check(t.Now); err != nil {
			return parley.Message{}, err
		}
		c, err := ConversationNow(&t.View, t.Visibility, conversation)
		if err != nil {
			return parley.Message{}, err
		}
		if err := t.mustBeLast(c.ID, in.IfLast); err != nil {
			return parley.Message{}, err
		}
		if len(in.IfStatus) > 0 && !slices.Contains(in.IfStatus, c.Status) {
			return parley.Message{}, parley.FieldErrorf(parley.Conflict, "ifStatus", "must have the status of the conversation, which is %s", c.Status)
		}
		t.Origin.Imported = t.Origin.Imported || in.backfill()
		m, err := t.NewMessage(&c, in)
		if err != nil {
			return m, err
		}
		return m, t.Post(&c, &m, in.backfill())
	})
}

// mustBeLast refuses a message whose author did not know the last message of
// the conversation, which the error names.
func (t *Tx) mustBeLast(conversation, message parley.ID) error {
	if message.IsZero() {
		return nil
	}
	last, err := t.LastMessage(t.Visibility, conversation)
	const field = "ifLastMessageId"
	switch {
	case parley.KindOf(err) == parley.NotFound:
		return parley.FieldErrorf(parley.Conflict, field, "must be the last message of the conversation, which has none")
	case err != nil || last == message:
		return err
	}
	refused := parley.FieldErrorf(parley.Conflict, field, "must be the last message of the conversation, which is %s", last)
	refused.IDs = []parley.ID{last}
	return refused
}

// MessagePlace returns the id and the time of the newest message in a
// conversation. The time is that of the clock or, if the conversation is ahead
// because the clock jumped back or that of another node is ahead, the next
// millisecond. So messages keep the order in which they arrived. If two nodes
// store messages within one millisecond, either may be first.
func (t *Tx) MessagePlace(c *parley.Conversation) (parley.ID, time.Time) {
	at := t.Now
	if at.Before(c.LastActivityAt) {
		at = c.LastActivityAt.Add(time.Millisecond)
	}
	return t.IDs.New(at), at
}

// NewMessage returns a message of the conversation with its files. It does not
// store it; see [Tx.Post].
func (t *Tx) NewMessage(c *parley.Conversation, in NewMessage) (parley.Message, error) {
	id, at := t.MessagePlace(c)
	if in.backfill() {
		id, at = t.IDs.New(in.CreatedAt), in.CreatedAt
	}
	m := parley.Message{
		ID: id, ConversationID: c.ID, Content: in.Content, ContentType: in.ContentType,
		Direction: in.Direction, Status: parley.Sent, Private: in.Private, CreatedAt: at,
		Sender: parley.Sender{Type: parley.SenderBot, Name: parley.BotName},
	}
	switch {
	case in.Direction == parley.Incoming:
		m.Status = parley.Delivered
		m.Sender = parley.Sender{
			Type: parley.SenderContact, ContactID: c.Contact.ID, Name: c.Contact.Name, Image: c.Contact.AvatarURL,
		}
	case in.AgentID != "":
		member, err := t.Member(t.WS, in.AgentID)
		if err != nil {
			return m, Reference("agentUserId", err)
		}
		m.Sender = parley.Sender{Type: parley.SenderAgent, MemberID: member.ID, Name: member.Name, Image: member.Image}
	}
	var err error
	if m.Mentions, err = MentionsOf(t, in.Mentions); err != nil {
		return m, err
	}
	if err := t.Attach(&m, in); err != nil {
		return m, err
	}
	m.ContentType = cmp.Or(m.ContentType, parley.Text)
	return m, nil
}

// MentionsOf returns the ids of members whom a note names. One that is not a member now is
// a NotFound.
func MentionsOf(t *Tx, members []parley.UserID) ([]string, error) {
	if len(members) == 0 {
		return nil, nil
	}
	current, err := SelectCurrentMembers(t, t.WS, members)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(members))
	for i, id := range members {
		if !slices.Contains(current, id) {
			return nil, parley.FieldErrorf(parley.NotFound, "mentions", "no such member in this workspace")
		}
		ids[i] = string(id)
	}
	return ids, nil
}

// Post stores a message that was written here, with its changes and events, and
// queues it if the conversation's channel sends messages out.
func (t *Tx) Post(c *parley.Conversation, m *parley.Message, backfill bool) error {
	var by parley.ID // the number
	if !backfill {
		var err error
		if by, err = NumberFor(t, c, m); err != nil {
			return err
		}
	}
	if !by.IsZero() {
		m.Status = parley.Queued
	}
	if err := t.Record(c, m, backfill); err != nil || by.IsZero() {
		return err
	}
	return t.queue(m, by)
}

// NumberFor returns the number by which a message leaves its conversation, or an error if
// it cannot send it. It is zero for a message that stays here.
func NumberFor(t *Tx, c *parley.Conversation, m *parley.Message) (parley.ID, error) {
	if m.Direction != parley.Outgoing || m.Private || c.Inbox.Channel != parley.ChannelChatapp {
		return parley.ID{}, nil
	}
	by, err := t.wayOut(c)
	if err != nil || by.IsZero() {
		return by, err
	}
	return by, t.carriesFiles(m, by)
}

// Record stores a message with its changes and events.
func (t *Tx) Record(c *parley.Conversation, m *parley.Message, backfill bool) error {
	if err := t.InsertMessage(t.WS, m); err != nil {
		return err
	}
	// Marks compare positions, and the position of this message is among those
	// that were read.
	if m.Direction == parley.Incoming && !backfill && m.CreatedAt.Before(t.Now) && !m.CreatedAt.After(c.LastActivityAt) {
		if err := ForgetRead(t, t.WS, c.ID); err != nil {
			return err
		}
	}
	agent := c.Agent
	if err := t.moveActivity(c, m, backfill); err != nil {
		return err
	}
	moved := wire.Moved{
		UnreadCount: c.UnreadCount, LastActivityAt: c.LastActivityAt, UpdatedAt: c.UpdatedAt, WaitingSince: c.WaitingSince, WokeAt: c.WokeAt,
	}
	if m.Direction == parley.Incoming && !backfill {
		moved.ContactLastActivityAt = t.Now
	}
	t.emit(parley.Event{
		Type: parley.MessageCreated, ConversationID: c.ID, Place: c.Place(),
		Data: wire.AppendMessage(nil, m), Moved: wire.AppendMoved(nil, &moved),
	})
	defer t.Because(parley.MessageCreated, m.ID)()
	if c.Status != parley.Open && m.Direction == parley.Incoming && !backfill {
		return t.reopen(c, agent)
	}
	t.AnnounceAgent(c, agent)
	return nil
}

// reopen reopens a resolved or pending conversation, in which the automated agent's
// part was another.
func (t *Tx) reopen(c *parley.Conversation, agent parley.AgentPart) error {
	before := c.Status
	changed := c.SetStatus(parley.Open)
	if c.Agent.Shown() != agent.Shown() {
		changed = append(changed, "agent")
	}
	if err := t.counter().StatusChanged(c, before); err != nil {
		return err
	}
	if err := t.UpdateConversation(t.WS, c, t.Now); err != nil {
		return err
	}
	t.AnnounceChange(c, c.Place(), changed...)
	return nil
}

// moveActivity stores what a message changes in its conversation and its
// contact.
func (t *Tx) moveActivity(c *parley.Conversation, m *parley.Message, backfill bool) error {
	if m.CreatedAt.After(c.LastActivityAt) {
		c.LastActivityAt = m.CreatedAt
	}
	switch {
	case backfill:
	case m.Direction == parley.Incoming:
		c.UnreadCount++
		if c.WaitingSince.IsZero() {
			c.WaitingSince = m.CreatedAt
		}
		contact := parley.Contact{ID: c.Contact.ID, LastActivityAt: t.Now}
		if err := t.UpdateContactActivity(t.WS, &contact); err != nil {
			return err
		}
		if err := t.askAgent(c, m); err != nil {
			return err
		}
	case Answers(m):
		if !m.CreatedAt.Before(c.WaitingSince) { // the network may deliver messages written before the question late
			c.WaitingSince = time.Time{}
		}
		c.WokeAt = time.Time{}
		if err := t.agentAfter(c, m); err != nil {
			return err
		}
		if m.Sender.Type != parley.SenderAgent {
			break
		}
		c.UnreadCount = 0
		if err := t.counter().Answered(c, m.Sender.MemberID); err != nil {
			return err
		}
	}
	return t.UpdateConversationActivity(t.WS, c, t.Now)
}

// Answers reports whether a message is an answer to the customer, by a member
// or the automated agent. One that says that a person will answer is none.
func Answers(m *parley.Message) bool {
	return m.Direction == parley.Outgoing && !m.Private && m.Agent.Answer().Kind != parley.AnswerHandOver && (m.Sender.Type == parley.SenderAgent || m.Sender.Type == parley.SenderBot)
}
