package wire

import "parley"

// AppendSearchHit appends a search hit.
func AppendSearchHit(b []byte, h *parley.SearchHit) []byte {
	o := open(b)
	o.text("kind", string(h.Kind))
	o.id("id", h.ID)
	o.idOrNull("conversationId", h.ConversationID)
	o.text("title", h.Title)
	list(&o, "snippet", h.Snippet, appendSegment)
	referenceOrNull(&o, "contact", h.Contact.ID, h.Contact.Name)
	o.time("at", h.At)
	return o.close()
}

func appendSegment(b []byte, s *parley.Segment) []byte {
	o := open(b)
	o.text("text", s.Text)
	o.boolean("match", s.Match)
	return o.close()
}
