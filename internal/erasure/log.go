package erasure

import (
	"encoding/json"
	"slices"
	"strings"

	"parley"
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

// eraseLog erases the events about records that no longer exist. It checks which
// records exist instead of comparing the ids of the erasure, because events about
// messages in groups, or about a merged contact, name other records. The events that
// announce the deletion stay.
func (t *tx) eraseLog(e *Erasure) (progress, error) {
	if e.working.Last == 0 {
		w, err := t.Workspace(t.WS)
		if err != nil {
			return more, err
		}
		e.working.Last = w.Seq
		if told, err := t.logTells(e); err != nil || !told {
			return done, err
		}
	}
	events, err := selectLogged(t, t.WS, e.working.Seq, e.working.Last, t.batch)
	if err != nil || len(events) == 0 {
		return done, err
	}
	there, err := t.recordsOf(events)
	if err != nil {
		return more, err
	}
	var gone []int64
	for i := range events {
		l := &events[i]
		if err := t.eraseLate(e, l, there); err != nil {
			return more, err
		}
		if there.tellsOfErased(l) {
			gone = append(gone, l.seq)
		}
	}
	e.Counts.Events += len(gone)
	e.working.Seq = events[len(events)-1].seq
	t.work += len(events)/2 + len(gone)
	if len(gone) == 0 {
		return more, nil
	}
	return more, eraseEvents(t, t.WS, gone)
}

// logTells reports whether the log can contain events about the records of an erasure.
// Events expire, and a rule deletes what has not changed for a long time.
func (t *tx) logTells(e *Erasure) (bool, error) {
	if e.Kind != parley.ErasureByRule {
		return true, nil
	}
	oldest, err := selectOldestEvent(t, t.WS)
	return oldest.IsZero() || !oldest.After(e.working.Since), err
}

// eraseLate deletes a message that the person wrote in a group after the step that
// deletes such messages, or a note of one of the person's groups.
func (t *tx) eraseLate(e *Erasure, l *logged, there existing) error {
	note := l.records.SenderType == string(parley.SenderSystem) && slices.Contains(e.working.Groups, l.conversation)
	if l.kind != parley.MessageCreated || l.seq <= e.working.Begun || !there[l.records.ID] || !note && !there.senderIsGone(l) {
		return nil
	}
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

// existing are the records in a list that exist in the store.
type existing map[parley.ID]bool

// tellsOfErased reports whether an event is about a record that does not exist.
func (there existing) tellsOfErased(l *logged) bool {
	r := &l.records
	switch l.kind {
	case parley.EventErased, parley.ConversationDeleted, parley.MessageDeleted, parley.ContactDeleted, parley.DuplicateDeleted:
		return false
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
func (t *tx) recordsOf(events []logged) (existing, error) {
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
		read func([]parley.ID) ([]parley.ID, error)
	}{
		{conversations, func(ids []parley.ID) ([]parley.ID, error) { return selectConversationsThere(t, t.WS, ids) }},
		{messages, func(ids []parley.ID) ([]parley.ID, error) { return selectMessagesThere(t, t.WS, ids) }},
		{contacts, func(ids []parley.ID) ([]parley.ID, error) { return selectContactsThere(t, t.WS, ids) }},
	} {
		if len(of.ids) == 0 {
			continue
		}
		found, err := of.read(distinct(of.ids))
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

// answersBatch is how many stored answers one step reads.
const answersBatch = 200

// eraseAnswers deletes the stored answers that name erased records or the person's
// phones. A repeated request then counts as a new one.
func (t *tx) eraseAnswers(e *Erasure) (progress, error) {
	erased := map[string]bool{}
	for _, ids := range [][]parley.ID{e.Subjects.Contacts, e.Subjects.Conversations, e.working.Files} {
		for _, id := range ids {
			erased[id.String()] = true
		}
	}
	answers, err := selectAnswers(t, t.WS, keptAnswer{route: e.working.Route, key: e.working.Key}, min(answersBatch, t.batch))
	if err != nil || len(answers) == 0 {
		e.working.Phones, e.working.JIDs, e.working.Route, e.working.Key = nil, nil, "", "" // no longer needed
		return done, err
	}
	t.work += len(answers) / 10
	for _, a := range answers {
		e.working.Route, e.working.Key = a.route, a.key
		if !mentions(a.route, erased) && !mentions(a.body, erased) && !mentionsPhone(a.body, e.working.Phones) {
			continue
		}
		t.work++
		if err := deleteAnswer(t, t.WS, a); err != nil {
			return more, err
		}
	}
	return more, nil
}

// idLength is the length of an id as text; the other is the index of its first dash.
const idLength, idDash = 36, 8

// mentions reports whether a text contains one of the ids as text.
func mentions(text string, ids map[string]bool) bool {
	for at := 0; ; at++ {
		dash := strings.IndexByte(text[at:], '-')
		if dash < 0 {
			return false
		}
		at += dash
		if from := at - idDash; from >= 0 && from+idLength <= len(text) && ids[text[from:from+idLength]] {
			return true
		}
	}
}
