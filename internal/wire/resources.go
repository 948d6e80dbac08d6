package wire

import (
	"cmp"
	"time"

	"parley"
)

// AppendConversation appends a conversation without its messages.
func AppendConversation(b []byte, c *parley.Conversation) []byte {
	o := open(b)
	conversationMembers(&o, c)
	return o.close()
}

// AppendListedConversation appends a conversation with its newest message, null
// for nil.
func AppendListedConversation(b []byte, c *parley.Conversation, last *parley.MessagePreview) []byte {
	o := open(b)
	conversationMembers(&o, c)
	if last == nil {
		o.null("lastMessage")
		return o.close()
	}
	m := o.object("lastMessage")
	m.id("id", last.ID)
	m.text("preview", last.Text)
	m.text("contentType", string(last.ContentType))
	m.text("messageType", string(last.Direction))
	m.text("senderType", string(last.SenderType))
	m.boolean("isPrivate", last.Private)
	m.integer("attachmentCount", int64(last.Attachments))
	m.time("createdAt", last.CreatedAt)
	o.put(m)
	return o.close()
}

// AppendThread appends a conversation with a page of its messages, with signed
// file addresses.
func AppendThread(b []byte, c *parley.Conversation, p *parley.Page[parley.Message], cursor string, sign Signer) []byte {
	o := open(b)
	conversationMembers(&o, c)
	m := o.object("messages")
	m.boolean("has_more", p.HasMore)
	m.text("next_cursor", cursor)
	list(&m, "data", p.Items, func(b []byte, message *parley.Message) []byte { return AppendSignedMessage(b, message, sign) })
	o.put(m)
	return o.close()
}

func conversationMembers(o *object, c *parley.Conversation) {
	o.id("id", c.ID)
	o.text("status", string(c.Status))
	o.textOrNull("priority", string(c.Priority))
	o.boolean("spam", c.Spam)
	texts(o, "labels", c.Labels)
	o.integer("unreadCount", int64(c.UnreadCount))

	contact := o.object("contact")
	contact.id("id", c.Contact.ID)
	contact.text("name", c.Contact.Name)
	contact.text("email", c.Contact.Email)
	contact.textOrNull("phoneNumber", c.Contact.PhoneNumber)
	contact.text("shopName", c.Contact.ShopName)
	o.put(contact)

	inbox := o.object("inbox")
	inbox.id("id", c.Inbox.ID)
	inbox.text("name", c.Inbox.Name)
	inbox.text("channelType", string(c.Inbox.Channel))
	o.put(inbox)

	referenceOrNull(o, "product", c.Product.ID, c.Product.Name)
	assigneeOrNull(o, c.Assignee)
	referenceOrNull(o, "team", c.Team.ID, c.Team.Name)
	agent, shown := o.object("agent"), c.Agent.Shown()
	agent.text("state", string(shown.State))
	agent.text("reason", string(shown.Reason))
	o.put(agent)
	o.attributes("customAttributes", c.CustomAttributes)
	o.timeOrNull("waitingSince", c.WaitingSince)
	o.timeOrNull("snoozedUntil", c.Snoozed())
	o.timeOrNull("wokeAt", c.WokeAt)
	o.idOrNull("mergedInto", c.MergedInto)
	o.idOrNull("splitFrom", c.SplitFrom)
	o.time("lastActivityAt", c.LastActivityAt)
	o.time("updatedAt", c.UpdatedAt)
	o.time("createdAt", c.CreatedAt)
}

// textOf returns an optional text. Rows of earlier versions contain empty
// texts, which also mean none.
func textOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// referenceOrNull writes { id, name }, or null for the zero id.
func referenceOrNull(o *object, name string, id parley.ID, shown string) {
	if id.IsZero() {
		o.null(name)
		return
	}
	r := o.object(name)
	r.id("id", id)
	r.text("name", shown)
	o.put(r)
}

func assigneeOrNull(o *object, m parley.MemberRef) {
	if m.ID == "" {
		o.null("assignee")
		return
	}
	assignee := o.object("assignee")
	assignee.text("id", string(m.ID))
	assignee.text("name", m.Name)
	assignee.text("image", m.Image)
	o.put(assignee)
}

// AppendMessage appends a message as it is stored: the addresses of its files
// open nothing until [SignFiles] has inserted their signatures.
func AppendMessage(b []byte, m *parley.Message) []byte { return AppendSignedMessage(b, m, Signer{}) }

// AppendSignedMessage appends a message as it is shown.
func AppendSignedMessage(b []byte, m *parley.Message, sign Signer) []byte {
	o := open(b)
	o.id("id", m.ID)
	o.id("conversationId", m.ConversationID)
	o.text("content", m.Content)
	o.text("contentType", string(m.ContentType))
	o.text("senderType", string(m.Sender.Type))
	senderID(&o, m.Sender)
	o.text("messageType", string(m.Direction))
	o.text("status", string(m.Status))
	if m.Status == parley.Failed {
		o.text("error", m.Error)
	}
	o.boolean("isPrivate", m.Private)
	sender := o.object("sender")
	sender.text("name", m.Sender.Name)
	sender.text("image", m.Sender.Image)
	o.put(sender)
	appendAttachments(&o, m.Attachments, sign)
	agentAnswerOrNull(&o, m.Agent)
	texts(&o, "mentions", m.Mentions)
	o.time("createdAt", m.CreatedAt)
	return o.close()
}

// senderID writes the id of the member or the contact, "bot" for the automated
// agent, or "" for Parley itself.
func senderID(o *object, s parley.Sender) {
	switch s.Type {
	case parley.SenderAgent:
		o.text("senderId", string(s.MemberID))
	case parley.SenderContact:
		o.id("senderId", s.ContactID)
	case parley.SenderBot:
		o.text("senderId", "bot")
	default:
		o.text("senderId", "")
	}
}

// AppendContact appends a contact. storeId is the deprecated alias of
// companyId. It is left out after the sunset (contract, section 9), and in the
// event log, which outlives the sunset; readers of the log insert it with
// [WithStoreID].
func AppendContact(b []byte, c *parley.Contact, storeID bool) []byte {
	o := open(b)
	o.id("id", c.ID)
	o.text("name", c.Name)
	o.text("email", c.Email)
	o.textOrNull("phoneNumber", c.PhoneNumber)
	o.text("shopName", c.ShopName)
	o.textOrNull("avatarUrl", c.AvatarURL)
	o.text("identifier", c.Identifier)
	referenceOrNull(&o, "company", c.Company.ID, c.Company.Name)
	o.idOrNull("companyId", c.Company.ID)
	if storeID {
		o.idOrNull("storeId", c.Company.ID)
	}
	o.attributes("customAttributes", c.CustomAttributes)
	o.time("createdAt", c.CreatedAt)
	o.time("updatedAt", c.UpdatedAt)
	o.time("lastActivityAt", c.LastActivityAt)
	return o.close()
}

// AppendCompany appends a company as lists show it.
func AppendCompany(b []byte, c *parley.Company) []byte {
	o := open(b)
	companyMembers(&o, c)
	return o.close()
}

// AppendCompanyRecord appends a company with the number of its contacts.
func AppendCompanyRecord(b []byte, c *parley.Company, contacts int) []byte {
	o := open(b)
	companyMembers(&o, c)
	o.integer("contactCount", int64(contacts))
	return o.close()
}

func companyMembers(o *object, c *parley.Company) {
	o.id("id", c.ID)
	o.text("name", c.Name)
	o.textOrNull("website", textOf(c.Website))
	o.textOrNull("industry", textOf(c.Industry))
	o.textOrNull("notes", textOf(c.Notes))
	o.textOrNull("externalId", c.ExternalID)
	o.time("createdAt", c.CreatedAt)
	o.time("updatedAt", c.UpdatedAt)
}

// AppendProduct appends a product.
func AppendProduct(b []byte, p *parley.Product) []byte {
	o := open(b)
	o.id("id", p.ID)
	o.text("name", p.Name)
	o.text("description", p.Description)
	o.boolean("archived", p.Archived())
	o.timeOrNull("archivedAt", p.ArchivedAt)
	o.time("createdAt", p.CreatedAt)
	o.time("updatedAt", p.UpdatedAt)
	return o.close()
}

// AppendInbox appends an inbox.
func AppendInbox(b []byte, i *parley.Inbox) []byte {
	o := open(b)
	o.id("id", i.ID)
	o.text("name", i.Name)
	o.text("channelType", string(i.Channel))
	o.idOrNull("productId", i.ProductID)
	o.time("createdAt", i.CreatedAt)
	o.time("updatedAt", i.UpdatedAt)
	return o.close()
}

// AppendMember appends a member, without what only the server may know.
func AppendMember(b []byte, m *parley.Member) []byte {
	o := open(b)
	o.text("id", string(m.ID))
	o.text("name", m.Name)
	o.text("email", m.Email)
	o.text("image", m.Image)
	o.text("role", string(m.Role))
	accessMembers(&o, m.Access, m.InboxIDs)
	o.time("createdAt", m.CreatedAt)
	o.time("updatedAt", m.UpdatedAt)
	return o.close()
}

// accessMembers appends which conversations a member sees.
func accessMembers(o *object, access parley.Access, inboxes []parley.ID) {
	o.text("access", string(cmp.Or(access, parley.AccessAll)))
	list(o, "inboxIds", inboxes, appendID)
}

// AppendNumber appends a number of the messaging application.
func AppendNumber(b []byte, n *parley.Number) []byte {
	o := open(b)
	o.id("id", n.ID)
	o.text("phone", n.Phone.Display())
	o.text("driver", string(n.Driver))
	o.text("status", string(n.Status))
	o.timeOrNull("until", n.Until)
	o.timeOrNull("restrictedUntil", n.RestrictedUntil)
	o.text("reason", n.Reason)
	o.boolean("enabled", n.Enabled)
	o.boolean("paired", n.Paired())
	o.id("inboxId", n.InboxID)
	o.time("createdAt", n.CreatedAt)
	o.time("updatedAt", n.UpdatedAt)
	return o.close()
}

// AppendEvent appends an event of the log. An erased event shows only its number
// and time, a withheld event also what is needed to read it, and a hidden one the conversation.
func AppendEvent(b []byte, e *parley.Event) []byte {
	o := open(b)
	o.integer("seq", e.Seq)
	o.text("type", string(e.Type))
	o.time("createdAt", e.CreatedAt)
	switch e.Type {
	case parley.EventWithheld:
		o.text("scope", string(e.Scope))
		return o.close()
	case parley.EventErased:
		return o.close()
	case parley.EventHidden:
		o.id("conversationId", e.ConversationID)
		return o.close()
	}
	origin(&o, &e.Origin)
	o.idOrNull("conversationId", e.ConversationID)
	texts(&o, "changed", e.Changed)
	raw(&o, "data", e.Data)
	if len(e.Moved) > 0 {
		raw(&o, "moved", e.Moved)
	}
	return o.close()
}

func actor(o *object, name string, a parley.Actor) {
	shown := o.object(name)
	shown.text("type", string(cmp.Or(a.Type, parley.ActorSystem)))
	shown.text("id", a.ID)
	shown.text("name", a.Name)
	o.put(shown)
}

// origin writes who made a change, what caused it, and whether it was imported.
func origin(o *object, from *parley.Origin) {
	actor(o, "actor", from.Actor)
	if from.Cause == (parley.Cause{}) {
		o.null("cause")
	} else {
		cause := o.object("cause")
		cause.text("type", string(from.Cause.Type))
		cause.id("id", from.Cause.ID)
		o.put(cause)
	}
	o.boolean("imported", from.Imported)
}

// Moved is what a new message changed in its conversation and its contact. It
// is sent with the message's event, so that a reader who has both need not load
// them again.
type Moved struct {
	UnreadCount           int
	LastActivityAt        time.Time
	UpdatedAt             time.Time
	WaitingSince          time.Time // zero if nobody waits
	WokeAt                time.Time // zero once it was answered
	ContactLastActivityAt time.Time // zero if the contact did not change
}

// AppendMoved appends what a message changed.
func AppendMoved(b []byte, m *Moved) []byte {
	o := open(b)
	o.integer("unreadCount", int64(m.UnreadCount))
	o.time("lastActivityAt", m.LastActivityAt)
	o.time("updatedAt", m.UpdatedAt)
	o.timeOrNull("waitingSince", m.WaitingSince)
	o.timeOrNull("wokeAt", m.WokeAt)
	o.timeOrNull("contactLastActivityAt", m.ContactLastActivityAt)
	return o.close()
}
