package threads

import (
	"bytes"
	"slices"
	"time"

	"parley"
	"parley/internal/desk"
)

// filesAtOnce is how many files one statement moves.
const filesAtOnce = 200

// move moves the messages and whatever names them by their conversation.
func (s *split) move(t *desk.Tx, to parley.ID) error {
	for i := range s.groups {
		g := &s.groups[i]
		if len(g.moves) == 0 {
			continue
		}
		if err := copyMessages(t, t.WS, g.conversation, to, s.first); err != nil {
			return err
		}
		if err := moveNetworkMessages(t, t.WS, g.conversation, to, s.first); err != nil {
			return err
		}
		if err := deleteCopied(t, t.WS, g.conversation, s.first); err != nil {
			return err
		}
		if err := moveNotices(t, t.WS, g.conversation, to, s.first); err != nil {
			return err
		}
	}
	var files []parley.ID
	for i := range s.all {
		files = append(files, s.all[i].files...)
	}
	for batch := range slices.Chunk(files, filesAtOnce) {
		if err := moveFiles(t, t.WS, to, batch); err != nil {
			return err
		}
	}
	_, err := moveChats(t, t.WS, s.from.ID, to)
	return err
}

// copyWork gives the new conversation what members and the customer have of the other one:
// who follows it, and how far it has been read, seen and mailed.
func (s *split) copyWork(t *desk.Tx, c *parley.Conversation) error {
	if _, err := copyFollows(t, t.WS, s.from.ID, c.ID, t.Now); err != nil {
		return err
	}
	if err := copyReadMarks(t, t.WS, s.from.ID, c.ID); err != nil {
		return err
	}
	if err := copyContinuation(t, t.WS, s.from.ID, c.ID); err != nil {
		return err
	}
	if seen := s.seen(); !seen.IsZero() {
		return t.UpdateConversationSeen(t.WS, c.ID, seen, t.Now)
	}
	return nil
}

// seen returns the message up to which the customer has seen all that moves, or the zero ID.
func (s *split) seen() (upTo parley.ID) {
	for i := range s.all {
		m := &s.all[i]
		of := s.groups[slices.IndexFunc(s.groups, func(g group) bool { return g.conversation == m.ConversationID })]
		if m.Direction == parley.Outgoing && !m.Private && bytes.Compare(m.ID[:], of.seen[:]) > 0 {
			return upTo
		}
		upTo = m.ID
	}
	return upTo
}

// trim takes what moves from the parts of the conversation, and from what the undos of their
// merges remember.
func (s *split) trim(t *desk.Tx) error {
	if len(s.groups) == 1 {
		return nil
	}
	for i := range s.groups {
		g := &s.groups[i]
		if err := s.trimMerges(t, g); err != nil {
			return err
		}
		if i == 0 || len(g.moves) == 0 {
			continue
		}
		part, err := t.Conversation(t.Visibility, g.conversation)
		if err != nil {
			return err
		}
		var changed []string
		desk.Set(&changed, "unreadCount", &part.UnreadCount, parley.Some(max(0, part.UnreadCount-g.incoming())))
		desk.Set(&changed, "lastActivityAt", &part.LastActivityAt, parley.Some(g.lastActivity(part.CreatedAt)))
		if len(changed) == 0 {
			continue
		}
		if err := t.UpdateConversationActivity(t.WS, &part, t.Now); err != nil {
			return err
		}
		t.AnnounceChange(&part, part.Place(), changed...)
	}
	return nil
}

// trimMerges trims the states in the merges into a conversation, the earliest first. Each
// target had the messages of the merges before.
func (s *split) trimMerges(t *desk.Tx, into *group) error {
	merges, err := selectMergedInto(t, t.Visibility, into.conversation)
	if err != nil {
		return err
	}
	base := into.incoming()
	for i := range merges {
		m := &merges[i]
		came := 0
		for j := range s.groups {
			g := &s.groups[j]
			if g.conversation == m.conversation {
				s.trimState(&m.undo.Source, g)
			}
			if g.conversation == m.conversation || slices.Contains(m.undo.Parts, g.conversation) {
				came += g.incoming()
			}
		}
		m.undo.Source.UnreadCount = max(0, m.undo.Source.UnreadCount-came)
		s.trimState(&m.undo.Target, into)
		m.undo.Target.UnreadCount = max(0, m.undo.Target.UnreadCount-base)
		base += came
		if err := putMerged(t, t.WS, m); err != nil {
			return err
		}
	}
	return nil
}

// trimState takes the times of what moves from a state of a conversation.
func (s *split) trimState(was *state, g *group) {
	first := milli(s.all[0].CreatedAt)
	if was.WaitingSince >= first {
		was.WaitingSince = 0
	}
	if was.LastActivity >= first {
		was.LastActivity = milli(g.lastActivity(s.from.CreatedAt))
	}
	if bytes.Compare(was.LastID[:], s.first[:]) >= 0 {
		was.LastID = g.last.ID
	}
}

// lastActivity returns the time of the newest message that stays, or of the beginning.
func (g *group) lastActivity(begun time.Time) time.Time {
	if g.last.ID.IsZero() {
		return begun
	}
	return g.last.At
}
