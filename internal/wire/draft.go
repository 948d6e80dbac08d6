package wire

import "parley"

// AppendDraft appends a draft for its author. Without a draft the times are null and
// the version is 0.
func AppendDraft(b []byte, d *parley.Draft) []byte {
	o := open(b)
	o.id("conversationId", d.ConversationID)
	o.text("content", d.Content)
	o.boolean("isPrivate", d.Private)
	list(&o, "attachmentIds", d.AttachmentIDs, appendID)
	o.idOrNull("begunId", d.BegunID)
	o.integer("version", d.Version)
	o.timeOrNull("createdAt", d.CreatedAt)
	o.timeOrNull("updatedAt", d.UpdatedAt)
	return o.close()
}

// AppendDraftMarks appends which drafts a member and the others have, with the
// beginnings of the member's own.
func AppendDraftMarks(b []byte, own, others []parley.DraftMark) []byte {
	o := open(b)
	list(&o, "own", own, func(b []byte, m *parley.DraftMark) []byte {
		o := draftMark(b, m)
		o.text("preview", m.Preview)
		return o.close()
	})
	list(&o, "others", others, func(b []byte, m *parley.DraftMark) []byte {
		o := draftMark(b, m)
		return o.close()
	})
	return o.close()
}

func draftMark(b []byte, m *parley.DraftMark) object {
	o := open(b)
	o.id("conversationId", m.ConversationID)
	o.text("memberId", string(m.MemberID))
	o.integer("version", m.Version)
	o.time("createdAt", m.CreatedAt)
	return o
}

// AppendDraftSignal appends that a member has begun, changed or ended a draft; a
// draft that has ended has the version 0.
func AppendDraftSignal(b []byte, d *parley.Draft) []byte {
	o := open(b)
	o.id("conversationId", d.ConversationID)
	o.text("memberId", string(d.MemberID))
	o.integer("version", d.Version)
	o.timeOrNull("createdAt", d.CreatedAt)
	return o.close()
}
