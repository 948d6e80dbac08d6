package wire

import "parley"

// AppendScheduledMessage appends a scheduled message. The addresses of its files open
// nothing until [SignFiles] has inserted their signatures.
func AppendScheduledMessage(b []byte, s *parley.ScheduledMessage) []byte {
	o := open(b)
	o.id("id", s.ID)
	o.id("conversationId", s.ConversationID)
	author := o.object("author")
	author.text("id", string(s.Author.ID))
	author.text("name", s.Author.Name)
	author.text("image", s.Author.Image)
	o.put(author)
	o.text("content", s.Content)
	o.text("contentType", string(s.ContentType))
	o.boolean("isPrivate", s.Private)
	mentions := make([]string, len(s.Mentions))
	for i, id := range s.Mentions {
		mentions[i] = string(id)
	}
	texts(&o, "mentions", mentions)
	appendAttachments(&o, s.Attachments, Signer{})
	o.time("sendAt", s.SendAt)
	o.boolean("ifQuiet", s.IfQuiet)
	o.text("state", string(s.State))
	o.text("heldReason", string(s.Held))
	o.integer("version", s.Version)
	return o.close()
}
