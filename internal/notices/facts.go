package notices

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"parley"
)

// A fact is what an event means for members.
type fact struct {
	conversation parley.ID
	message      parley.ID // zero for none
	actor        parley.Actor
	at           time.Time
	// own are the members who did it. They are not told.
	own []parley.UserID
	// named are told of kind, and follow the conversation from now on.
	named []parley.UserID
	kind  parley.NoticeKind
	// toAll is told to who has the conversation and to its followers, but for those who
	// are named; "" for nothing.
	toAll    parley.NoticeKind
	assignee parley.UserID
	// reads says that own has read the conversation, by answering in it.
	reads bool
	// former is no longer the assignee.
	former parley.UserID
}

// eventData has the members of a message's or a conversation's JSON that matter.
type eventData struct {
	ID             parley.ID `json:"id"`
	ConversationID parley.ID `json:"conversationId"`
	SenderType     string    `json:"senderType"`
	SenderID       string    `json:"senderId"`
	Sender         struct {
		Name string `json:"name"`
	} `json:"sender"`
	Direction parley.Direction `json:"messageType"`
	Private   bool             `json:"isPrivate"`
	Mentions  []parley.UserID  `json:"mentions"`
	WokeAt    *string          `json:"wokeAt"`
	Assignee  *struct {
		ID parley.UserID `json:"id"`
	} `json:"assignee"`
}

// factOf returns what an event means, and whether it means anything.
func factOf(e *parley.Event) (f fact, matters bool, err error) {
	switch e.Type {
	case parley.MessageCreated, parley.ConversationCreated, parley.ConversationUpdated:
	default:
		return f, false, nil
	}
	if e.Origin.Imported {
		return f, false, nil
	}
	var data eventData
	if err := json.Unmarshal(e.Data, &data); err != nil {
		return f, false, fmt.Errorf("event %d: %w", e.Seq, err)
	}
	f = fact{conversation: e.ConversationID, actor: e.Origin.Actor, at: e.CreatedAt, assignee: e.Place.AssigneeID}
	if f.actor.Type == parley.ActorMember {
		f.own = append(f.own, parley.UserID(f.actor.ID))
	}
	if e.Type == parley.MessageCreated {
		return f, f.ofMessage(&data), nil
	}
	if data.Assignee != nil {
		f.assignee = data.Assignee.ID
	}
	return f, f.ofConversation(e, &data), nil
}

func (f *fact) ofMessage(m *eventData) bool {
	f.message = m.ID
	// Whoever writes is shown, also if a program stored it for them. The name of a
	// customer is left out, because the contact may be erased.
	var author parley.UserID
	switch parley.SenderType(m.SenderType) {
	case parley.SenderContact:
		f.actor = parley.Actor{Type: parley.ActorCustomer, ID: m.SenderID}
	case parley.SenderAgent:
		author = parley.UserID(m.SenderID)
		f.actor = parley.Actor{Type: parley.ActorMember, ID: m.SenderID, Name: m.Sender.Name}
		f.own = append(f.own, author)
	}
	switch {
	case m.Private:
		f.named, f.kind, f.toAll = m.Mentions, parley.NoticeMentioned, parley.NoticeNote
	case m.Direction == parley.Incoming:
		f.toAll = parley.NoticeAnswered
	case author != "":
		// The author follows what they have answered.
		f.named, f.kind, f.toAll, f.reads = []parley.UserID{author}, parley.NoticeAnswered, parley.NoticeAnswered, true
	default: // by the automated agent or a program
		return false
	}
	return true
}

func (f *fact) ofConversation(e *parley.Event, c *eventData) bool {
	if e.Type == parley.ConversationCreated || slices.Contains(e.Changed, "assignee") {
		f.former = e.Before.Value.AssigneeID
		if f.assignee != "" {
			f.named, f.kind = []parley.UserID{f.assignee}, parley.NoticeAssigned
		}
	}
	if slices.Contains(e.Changed, "wokeAt") && c.WokeAt != nil {
		f.toAll = parley.NoticeWoke
	}
	return f.former != "" || f.kind != "" || f.toAll != ""
}
