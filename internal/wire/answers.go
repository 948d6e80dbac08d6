package wire

import (
	"iter"

	"parley"
)

// AppendPage appends the envelope of a page (contract, section 2).
func AppendPage[T any](b []byte, items []T, more bool, cursor string, item func([]byte, *T) []byte) []byte {
	o := open(b)
	list(&o, "data", items, item)
	o.boolean("has_more", more)
	o.text("next_cursor", cursor)
	return o.close()
}

// AppendData appends the envelope of a list without pages.
func AppendData[T any](b []byte, items []T, item func([]byte, *T) []byte) []byte {
	o := open(b)
	list(&o, "data", items, item)
	return o.close()
}

// DataPieces returns what [AppendData] would append for all items, in pieces of
// which only one is in memory at a time. If the items end with an error, so do
// the pieces. A piece is valid until the next one is requested.
func DataPieces[T any](pieces iter.Seq2[[]T, error], item func([]byte, *T) []byte) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		b, first := []byte(`{"data":[`), true
		for items, err := range pieces {
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range items {
				if !first {
					b = append(b, ',')
				}
				b, first = item(b, &items[i]), false
			}
			if !yield(b, nil) {
				return
			}
			b = b[:0]
		}
		yield(append(b, "]}"...), nil)
	}
}

// AppendEventPage appends a page of the event log. reset says that the page
// does not continue at the requested position.
func AppendEventPage(b []byte, p *parley.EventPage, cursor string) []byte {
	o := open(b)
	list(&o, "data", p.Events, AppendEvent)
	o.boolean("has_more", p.HasMore)
	o.text("next_cursor", cursor)
	o.boolean("reset", p.Reset)
	return o.close()
}

// AppendNewGroup appends the answer to the creation of a group.
func AppendNewGroup(b []byte, g *parley.GroupOutcome) []byte {
	o := open(b)
	o.text("group_jid", g.Group.JID)
	o.id("conversation_id", g.Group.ConversationID)
	outcomeMembers(&o, g)
	return o.close()
}

// AppendParticipants appends the answer to adding participants.
func AppendParticipants(b []byte, g *parley.GroupOutcome) []byte {
	o := open(b)
	o.text("group_jid", g.Group.JID)
	outcomeMembers(&o, g)
	return o.close()
}

func outcomeMembers(o *object, g *parley.GroupOutcome) {
	o.text("invite_link", g.Group.InviteLink)
	texts(o, "added", g.Added)
	texts(o, "invited", g.Invited)
	texts(o, "invites_sent", g.InvitesSent)
	texts(o, "not_on_chatapp", g.NotOnChatapp)
}

// AppendGroupAdmin appends the answer to a change of a group's admins.
func AppendGroupAdmin(b []byte, jid string, phone parley.Phone, admin bool) []byte {
	o := open(b)
	o.text("group_jid", jid)
	o.text("phone", string(phone))
	o.boolean("is_admin", admin)
	return o.close()
}
