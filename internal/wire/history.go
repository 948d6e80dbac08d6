package wire

import (
	"encoding/json"
	"slices"

	"parley"
)

// A keptChange is what the history stores of a change. A contact is stored only
// by its id, because it may be erased.
type keptChange struct {
	Status       json.RawMessage `json:"status,omitempty"`
	SnoozedUntil json.RawMessage `json:"snoozedUntil,omitempty"`
	Priority     json.RawMessage `json:"priority,omitempty"`
	Spam         json.RawMessage `json:"spam,omitempty"`
	Labels       json.RawMessage `json:"labels,omitempty"`
	Assignee     json.RawMessage `json:"assignee,omitempty"`
	Team         json.RawMessage `json:"team,omitempty"`
	Product      json.RawMessage `json:"product,omitempty"`
	Inbox        json.RawMessage `json:"inbox,omitempty"`
	ContactID    json.RawMessage `json:"contactId,omitempty"`
	MergedInto   json.RawMessage `json:"mergedInto,omitempty"`
	SplitFrom    json.RawMessage `json:"splitFrom,omitempty"`
}

type keptField struct {
	name     string // as in the names of changed fields
	from, to *json.RawMessage
	wanted   bool
}

// AppendChanges appends, for the history, the new values of what an event of a
// conversation changed, and all values of a new conversation. It appends
// nothing if the event changes nothing that the history stores.
func AppendChanges(b []byte, e *parley.Event) ([]byte, error) {
	var shown struct {
		keptChange
		Contact struct {
			ID json.RawMessage `json:"id"`
		} `json:"contact"`
	}
	var kept keptChange
	wanted := false
	fields := []keptField{
		{name: "status", from: &shown.Status, to: &kept.Status}, {name: "snoozedUntil", from: &shown.SnoozedUntil, to: &kept.SnoozedUntil},
		{name: "priority", from: &shown.Priority, to: &kept.Priority}, {name: "spam", from: &shown.Spam, to: &kept.Spam}, {name: "labels", from: &shown.Labels, to: &kept.Labels},
		{name: "assignee", from: &shown.Assignee, to: &kept.Assignee}, {name: "team", from: &shown.Team, to: &kept.Team},
		{name: "product", from: &shown.Product, to: &kept.Product}, {name: "inbox", from: &shown.Inbox, to: &kept.Inbox},
		{name: "contact", from: &shown.Contact.ID, to: &kept.ContactID},
		{name: "mergedInto", from: &shown.MergedInto, to: &kept.MergedInto}, {name: "splitFrom", from: &shown.SplitFrom, to: &kept.SplitFrom},
	}
	for i := range fields {
		fields[i].wanted = e.Type == parley.ConversationCreated || slices.Contains(e.Changed, fields[i].name)
		wanted = wanted || fields[i].wanted
	}
	if !wanted {
		return b, nil
	}
	if err := json.Unmarshal(e.Data, &shown); err != nil {
		return nil, err
	}
	for _, f := range fields {
		if f.wanted {
			*f.to = *f.from
		}
	}
	text, err := json.Marshal(kept)
	return append(b, text...), err
}

// AppendHistoryEntry appends an entry of a conversation's history.
func AppendHistoryEntry(b []byte, e *parley.HistoryEntry) []byte {
	o := open(b)
	o.id("id", e.ID)
	o.id("conversationId", e.ConversationID)
	o.text("type", string(e.Type))
	o.time("createdAt", e.CreatedAt)
	origin(&o, &e.Origin)
	raw(&o, "changes", e.Changes)
	return o.close()
}

// AppendMergedFrom appends, for the history, that a conversation was merged into this one.
func AppendMergedFrom(b []byte, id parley.ID) []byte {
	o := open(b)
	o.id("mergedFrom", id)
	return o.close()
}

// AppendSplitInto appends, for the history, that messages of this conversation are in a new
// one now.
func AppendSplitInto(b []byte, id parley.ID) []byte {
	o := open(b)
	o.id("splitInto", id)
	return o.close()
}

// AppendUnmergedFrom appends, for the history, that such a merge was undone.
func AppendUnmergedFrom(b []byte, id parley.ID) []byte {
	o := open(b)
	o.id("unmergedFrom", id)
	return o.close()
}
