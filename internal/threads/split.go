package threads

import (
	"bytes"
	"context"
	"slices"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/wire"
)

// A split takes messages out of a conversation into a new one.
type split struct {
	from  *parley.Conversation
	first parley.ID // the first message to move
	// groups are from and those of its parts that the caller sees, from first.
	groups []group
	all    []movable // of all groups, oldest first
	rest   parley.Position
}

// A group is what moves out of a conversation in which messages were written: the one that is
// split, or one that was merged into it.
type group struct {
	conversation parley.ID
	moves        []movable
	last         parley.Position // the newest message that stays; zero for none
	seen         parley.ID       // the last message that the customer has seen
}

func (g *group) incoming() (n int) {
	for i := range g.moves {
		if g.moves[i].Direction == parley.Incoming {
			n++
		}
	}
	return n
}

// Split takes a message and those after it out of a conversation into a new one of the same
// contact and inbox, and returns that. The messages keep their ids, times and authors. See
// docs/adr/0103-split-conversations.md for what becomes of the rest.
func (svc *Service) Split(ctx context.Context, by desk.Caller, id, first parley.ID) (parley.Conversation, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.Conversation, error) {
		from, err := desk.ConversationNow(&t.View, t.Visibility, id)
		if err != nil {
			return from, err
		}
		s := split{from: &from, first: first}
		if err := s.read(t); err != nil {
			return from, err
		}
		if err := s.mayBe(t); err != nil {
			return from, err
		}
		return s.do(t)
	})
}

// read reads what moves and what stays.
func (s *split) read(t *desk.Tx) error {
	parts, err := t.Parts(t.Visibility, s.from.ID)
	if err != nil {
		return err
	}
	for _, id := range append([]parley.ID{s.from.ID}, parts...) {
		g := group{conversation: id}
		if g.moves, err = selectMoves(t, t.Visibility, id, s.first, parley.MaxSplit+1); err != nil {
			return err
		}
		if g.last, err = selectLastBefore(t, t.Visibility, id, s.first); err != nil {
			return err
		}
		if g.seen, err = selectSeen(t, t.Visibility, id); err != nil {
			return err
		}
		if bytes.Compare(g.last.ID[:], s.rest.ID[:]) > 0 {
			s.rest = g.last
		}
		s.groups, s.all = append(s.groups, g), append(s.all, g.moves...)
	}
	slices.SortFunc(s.all, func(a, b movable) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	return nil
}

// mayBe refuses a split that must not be.
func (s *split) mayBe(t *desk.Tx) error {
	switch {
	case len(s.all) == 0 || s.all[0].ID != s.first:
		return parley.FieldErrorf(parley.NotFound, "messageId", "no such message in this conversation")
	case s.rest.ID.IsZero():
		return parley.InvalidField("messageId", "be a later message than the first one, because nothing would stay")
	case len(s.all) > parley.MaxSplit:
		return parley.InvalidField("messageId", "be one of the newest 1000 messages, because no more can be moved at once")
	case s.from.Spam:
		return parley.Errorf(parley.Conflict, "a conversation that is marked as spam cannot be split")
	}
	if _, err := t.Group(t.WS, s.from.ID); err == nil {
		return parley.Errorf(parley.Conflict, "a group cannot be split")
	} else if parley.KindOf(err) != parley.NotFound {
		return err
	}
	erased, err := selectErased(t, t.WS, s.from.ID, s.from.Contact.ID)
	if err != nil {
		return err
	}
	if erased {
		return parley.Errorf(parley.Conflict, "the conversation is being deleted")
	}
	for i := range s.groups {
		waits, err := selectWaits(t, t.WS, s.groups[i].conversation, s.first)
		if err != nil {
			return err
		}
		if waits {
			return parley.Errorf(parley.Conflict, "a message is still on its way to the customer; split when it has been sent")
		}
	}
	return nil
}

// do splits the conversation. Its statements are as many whatever the conversation's length,
// but for the files of what moves.
func (s *split) do(t *desk.Tx) (parley.Conversation, error) {
	contact, err := t.Contact(t.WS, s.from.Contact.ID)
	if err != nil {
		return parley.Conversation{}, err
	}
	c := s.newConversation(t)
	if err := t.AddConversation(&c, contact.Company.ID); err != nil {
		return c, err
	}
	t.AnnounceOf(&c, parley.ConversationSplit, nil, wire.AppendSplit(nil, c.ID, s.from.ID, s.first))
	defer t.Because(parley.ConversationSplit, c.ID)()
	if err := s.move(t, c.ID); err != nil {
		return c, err
	}
	if err := s.copyWork(t, &c); err != nil {
		return c, err
	}
	if err := s.trim(t); err != nil {
		return c, err
	}
	if err := s.leave(t, &c); err != nil {
		return c, err
	}
	if err := remember(t, s.from.ID, wire.AppendSplitInto(nil, c.ID)); err != nil {
		return c, err
	}
	return c, s.link(t, c.ID)
}

// newConversation returns the conversation that the messages move to. It has what says whose
// work it is, and not what says what the other one is about. It begins with the first message.
func (s *split) newConversation(t *desk.Tx) parley.Conversation {
	from, first, last := s.from, &s.all[0], &s.all[len(s.all)-1]
	c := parley.Conversation{
		ID: t.IDs.New(t.Now), SplitFrom: from.ID, Status: parley.Open, Priority: from.Priority,
		Contact: from.Contact, Inbox: from.Inbox, Product: from.Product, Team: from.Team, Assignee: from.Assignee,
		Agent:     parley.AgentPart{State: parley.AgentTaken}, // by who splits it
		CreatedAt: first.CreatedAt, LastActivityAt: last.CreatedAt,
	}
	incoming := 0
	for i := range s.all {
		m := &s.all[i].Message
		switch {
		case m.Direction == parley.Incoming:
			incoming++
			if c.WaitingSince.IsZero() {
				c.WaitingSince = m.CreatedAt
			}
		case desk.Answers(m):
			c.WaitingSince = time.Time{}
			if m.Sender.Type == parley.SenderAgent && c.FirstResponseAt.IsZero() {
				c.FirstResponseAt = m.CreatedAt // it was counted, if it was the first
			}
		}
	}
	c.UnreadCount = min(from.UnreadCount, incoming) // the newest ones are the unread ones
	if from.Status != parley.Resolved && from.WaitingSince.IsZero() {
		c.WaitingSince = time.Time{} // nobody waits who did not before
	}
	return c
}

// leave gives the conversation that was split what is true of the rest.
func (s *split) leave(t *desk.Tx, c *parley.Conversation) error {
	from, agent := s.from, s.from.Agent
	if agent.State == parley.AgentAnswering {
		if err := t.LeaveAgent(from, parley.AgentPart{State: parley.AgentTaken}); err != nil {
			return err
		}
	}
	var changed []string
	desk.Set(&changed, "unreadCount", &from.UnreadCount, parley.Some(from.UnreadCount-c.UnreadCount))
	if !from.WaitingSince.Before(s.all[0].CreatedAt) {
		desk.Set(&changed, "waitingSince", &from.WaitingSince, parley.Some(time.Time{}))
	}
	if from.LastActivityAt.After(s.rest.At) {
		from.LastActivityAt, changed = s.rest.At, append(changed, "lastActivityAt")
	}
	if from.Agent.Shown() != agent.Shown() {
		changed = append(changed, "agent")
	}
	if err := t.UpdateConversationActivity(t.WS, from, t.Now); err != nil {
		return err
	}
	return desk.ChangeWith(t, from, desk.ConversationChange{}, func() []string { return changed })
}

// link links both conversations, unless the one that was split has too many links.
func (s *split) link(t *desk.Tx, id parley.ID) error {
	links, err := SelectLinks(t, t.Visibility, s.from.ID)
	if err != nil || len(links) >= parley.MaxLinks {
		return err
	}
	return InsertLink(t, t.WS, &Link{ConversationID: s.from.ID, OtherID: id, MemberID: t.MemberID, CreatedAt: t.Now})
}
