package wire

import (
	"encoding/json"
	"slices"

	"parley"
)

// A keptChange is what the history of a conversation keeps of it. A contact is
// kept by its id alone: it may be erased.
type keptChange struct {
	Status    json.RawMessage `json:"status,omitempty"`
	Priority  json.RawMessage `json:"priority,omitempty"`
	Labels    json.RawMessage `json:"labels,omitempty"`
	Assignee  json.RawMessage `json:"assignee,omitempty"`
	Product   json.RawMessage `json:"product,omitempty"`
	Inbox     json.RawMessage `json:"inbox,omitempty"`
	ContactID json.RawMessage `json:"contactId,omitempty"`
}

type keptField struct {
	name     string // in the names of what changed
	from, to *json.RawMessage
	wanted   bool
}

// AppendChanges appends, for the history, what an event of a conversation says
// that its members became: those that changed, and all of a new conversation. It
// appends nothing where the event tells of none that the history keeps.
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
		{name: "status", from: &shown.Status, to: &kept.Status}, {name: "priority", from: &shown.Priority, to: &kept.Priority}, {name: "labels", from: &shown.Labels, to: &kept.Labels},
		{name: "assignee", from: &shown.Assignee, to: &kept.Assignee}, {name: "product", from: &shown.Product, to: &kept.Product}, {name: "inbox", from: &shown.Inbox, to: &kept.Inbox},
		{name: "contact", from: &shown.Contact.ID, to: &kept.ContactID},
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
