package store_test

import (
	"parley"
	"parley/internal/later"
)

// newScheduled is the scheduled message of a world.
func newScheduled(w *world, text string, full bool) later.Scheduled {
	s := later.Scheduled{LastID: w.message.ID, Epoch: text, ScheduledMessage: parley.ScheduledMessage{
		ID: w.mail.ID, ConversationID: w.conversation.ID, Author: parley.MemberRef{ID: w.member.ID, Name: w.member.Name, Image: w.member.Image},
		Content: text, ContentType: parley.Text, SendAt: at(80), State: parley.ScheduledWaiting, Version: 1, CreatedAt: at(36),
	}}
	if full {
		s.Mentions = []parley.UserID{w.member.ID}
		s.Private, s.IfQuiet, s.Files, s.State, s.Held, s.Version = true, true, 3, parley.ScheduledHeld, parley.HeldReason(text), 1<<40
	}
	return s
}

// likeScheduled gives s the members of another one that never change.
func likeScheduled(s, o *later.Scheduled) {
	s.ID, s.ConversationID, s.Author, s.ContentType, s.Private, s.Mentions, s.Files, s.CreatedAt = o.ID, o.ConversationID, o.Author, o.ContentType, o.Private, o.Mentions, o.Files, o.CreatedAt
}
