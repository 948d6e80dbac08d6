package erasure

import (
	"encoding/json"
	"strings"

	"parley"
	"parley/internal/store"
)

// A logged event has what identifies its records.
type logged struct {
	seq          int64
	kind         parley.EventType
	conversation parley.ID
	data         []byte
	actor        parley.Actor
	records      loggedRecords
}

// loggedRecords are the members of an event's data that name records.
type loggedRecords struct {
	ID         parley.ID `json:"id"`
	IntoID     parley.ID `json:"intoId"` // of a merge
	SenderType string    `json:"senderType"`
	SenderID   string    `json:"senderId"`
	// Contact and Other are those of a possible duplicate.
	Contact struct {
		ID parley.ID `json:"id"`
	} `json:"contact"`
	Other struct {
		ID parley.ID `json:"id"`
	} `json:"other"`
}

// eraseLate deletes a message that the person wrote in a group after the step that
// deletes such messages, or a note of one of the person's groups.
func (t *tx) eraseLate(e *Erasure, l *logged, there existing) error {
	m, err := t.Message(t.Visibility, l.conversation, l.records.ID)
	if parley.KindOf(err) == parley.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	there[m.ID] = false
	return t.deleteGroupMessages(e, l.conversation, []parley.Message{m})
}

// existing are the records in a list that exist in the store. It checks which records
// exist instead of comparing the ids of the erasure, because events about messages in
// groups, or about a merged contact, name other records.
type existing map[parley.ID]bool

// tellsOfErased reports whether an event is about a record that does not exist. The
// events that announce a deletion stay, and so do those that say which conversation shows
// which messages, by ids alone: without them a program that has seen messages before they
// moved would never learn that the deletion of the other conversation was theirs.
func (there existing) tellsOfErased(l *logged) bool {
	r := &l.records
	switch l.kind {
	case parley.EventErased, parley.ConversationDeleted, parley.MessageDeleted, parley.ContactDeleted, parley.DuplicateDeleted:
		return false
	case parley.ConversationMerged, parley.ConversationUnmerged, parley.ConversationSplit:
		return there.actorIsGone(l.actor)
	case parley.MessageCreated, parley.MessageUpdated:
		return !there[r.ID] || !there[l.conversation] || there.senderIsGone(l)
	case parley.ContactCreated, parley.ContactUpdated:
		return !there[r.ID]
	case parley.ContactMerged:
		return !there[r.ID] || !there[r.IntoID]
	case parley.DuplicateCreated:
		return !there[r.Contact.ID] || !there[r.Other.ID]
	}
	return !l.conversation.IsZero() && !there[l.conversation] || there.actorIsGone(l.actor)
}

func (there existing) senderIsGone(l *logged) bool {
	id, ok := parley.ParseID(l.records.SenderID)
	return l.records.SenderType == string(parley.SenderContact) && ok && !there[id]
}

func (there existing) actorIsGone(a parley.Actor) bool {
	id, ok := parley.ParseID(a.ID)
	return a.Type == parley.ActorCustomer && ok && !there[id]
}

// recordsOf returns which of the records that the events name exist.
func recordsOf(v store.Reader, ws parley.WorkspaceID, events []logged) (existing, error) {
	var conversations, messages, contacts []parley.ID
	for i := range events {
		l := &events[i]
		if !l.conversation.IsZero() {
			conversations = append(conversations, l.conversation)
		}
		if id, ok := parley.ParseID(l.actor.ID); ok && l.actor.Type == parley.ActorCustomer {
			contacts = append(contacts, id)
		}
		noun, _, _ := strings.Cut(string(l.kind), ".")
		switch noun {
		case "message", "contact", "contact_duplicate":
		default:
			continue
		}
		if err := json.Unmarshal(l.data, &l.records); err != nil {
			return nil, err
		}
		r := &l.records
		switch noun {
		case "message":
			messages = append(messages, r.ID)
			if id, ok := parley.ParseID(r.SenderID); ok && r.SenderType == string(parley.SenderContact) {
				contacts = append(contacts, id)
			}
		case "contact":
			contacts = append(contacts, r.ID, r.IntoID)
		case "contact_duplicate":
			contacts = append(contacts, r.Contact.ID, r.Other.ID)
		}
	}
	there := existing{}
	for _, of := range []struct {
		ids  []parley.ID
		read func(store.Reader, parley.WorkspaceID, []parley.ID) ([]parley.ID, error)
	}{
		{conversations, selectConversationsThere}, {messages, selectMessagesThere}, {contacts, selectContactsThere},
	} {
		if len(of.ids) == 0 {
			continue
		}
		found, err := of.read(v, ws, distinct(of.ids))
		if err != nil {
			return nil, err
		}
		for _, id := range found {
			there[id] = true
		}
	}
	return there, nil
}

// distinct removes repeated ids.
func distinct(ids []parley.ID) []parley.ID {
	seen := make(map[parley.ID]bool, len(ids))
	var kept []parley.ID
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			kept = append(kept, id)
		}
	}
	return kept
}
