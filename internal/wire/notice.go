package wire

import "parley"

// AppendNotices appends the notices of a member, how many are unread, and the
// conversations that the member follows.
func AppendNotices(b []byte, notices []parley.ShownNotice, unread int, following []parley.ID) []byte {
	o := open(b)
	list(&o, "data", notices, appendNotice)
	o.integer("unread", int64(unread))
	list(&o, "following", following, appendID)
	return o.close()
}

func appendNotice(b []byte, n *parley.ShownNotice) []byte {
	o := open(b)
	o.id("id", n.ID)
	o.text("kind", string(n.Kind))
	o.id("conversationId", n.ConversationID)
	o.idOrNull("contactId", n.ContactID)
	o.text("contactName", n.ContactName)
	actor(&o, "actor", n.Actor)
	o.idOrNull("messageId", n.MessageID)
	o.text("text", n.Text)
	o.integer("count", int64(n.Count))
	o.time("createdAt", n.CreatedAt)
	o.time("updatedAt", n.UpdatedAt)
	o.timeOrNull("readAt", n.ReadAt)
	return o.close()
}

// AppendUnreadNotices appends how many notices of a member are unread.
func AppendUnreadNotices(b []byte, unread int) []byte {
	o := open(b)
	o.integer("unread", int64(unread))
	return o.close()
}

// AppendFollowers appends who follows a conversation.
func AppendFollowers(b []byte, members []parley.UserID) []byte {
	o := open(b)
	texts(&o, "memberIds", members)
	return o.close()
}
