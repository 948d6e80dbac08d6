package store

import (
	"strings"

	"parley"
)

// A FoundMessage is a message with the contact of its conversation. The message of a
// merged conversation names the one that shows it.
type FoundMessage struct {
	Message parley.Message // without the name of its sender
	Contact parley.ContactRef
}

// FoundMessages returns the messages that refs name, in no particular order.
// refs must hold 1 to 200 entries.
func (v *View) FoundMessages(vis parley.Visibility, refs []SearchRef) ([]FoundMessage, error) {
	var c clause
	workspace := c.arg(vis.Workspace())
	places := make([]any, len(refs))
	for i, ref := range refs {
		places[i] = ref
	}
	var either []string
	for _, place := range padded(places) {
		ref := place.(SearchRef)
		either = append(either, "("+c.ruleOf(vis, "g", workspace)+" AND g.conversation_id = "+c.arg(ref.ConversationID)+
			" AND g.message_id = "+c.arg(ref.ID)+")")
	}
	return many(v, func(r row, f *FoundMessage) error {
		return r.scan(&f.Message.ID, &f.Message.ConversationID, &f.Message.Content, &f.Message.CreatedAt,
			&f.Contact.ID, &f.Contact.Name, &f.Contact.Email, &f.Contact.PhoneNumber)
	}, `SELECT g.message_id, COALESCE(c.merged_into, g.conversation_id), g.content, g.created_at, k.contact_id, k.name, k.email, k.phone_number
		FROM messages g
		LEFT JOIN conversations c ON c.workspace_id = g.workspace_id AND c.conversation_id = g.conversation_id
		LEFT JOIN contacts k ON k.workspace_id = c.workspace_id AND k.contact_id = c.contact_id WHERE `+strings.Join(either, " OR "), c.args...)
}
