package wire

import (
	"bytes"

	"parley"
)

// AppendConversation appends a conversation without its messages.
func AppendConversation(b []byte, c *parley.Conversation) []byte {
	o := open(b)
	conversationMembers(&o, c)
	return o.close()
}

// AppendThread appends a conversation with a page of its messages.
func AppendThread(b []byte, c *parley.Conversation, messages []parley.Message, more bool, cursor string) []byte {
	o := open(b)
	conversationMembers(&o, c)
	o.name("messages")
	m := open(o.b)
	m.boolean("has_more", more)
	m.text("next_cursor", cursor)
	list(&m, "data", messages, AppendMessage)
	o.b = m.close()
	return o.close()
}

func conversationMembers(o *object, c *parley.Conversation) {
	o.id("id", c.ID)
	o.text("status", string(c.Status))
	o.textOrNull("priority", string(c.Priority))
	texts(o, "labels", c.Labels)
	o.integer("unreadCount", int64(c.UnreadCount))

	o.name("contact")
	contact := open(o.b)
	contact.id("id", c.Contact.ID)
	contact.text("name", c.Contact.Name)
	contact.text("email", c.Contact.Email)
	contact.textOrNull("phoneNumber", c.Contact.PhoneNumber)
	contact.text("shopName", c.Contact.ShopName)
	o.b = contact.close()

	o.name("inbox")
	inbox := open(o.b)
	inbox.id("id", c.Inbox.ID)
	inbox.text("name", c.Inbox.Name)
	inbox.text("channelType", string(c.Inbox.Channel))
	o.b = inbox.close()

	reference(o, "product", c.Product.ID, c.Product.Name)
	if c.Assignee.ID == "" {
		o.null("assignee")
	} else {
		o.name("assignee")
		assignee := open(o.b)
		assignee.text("id", string(c.Assignee.ID))
		assignee.text("name", c.Assignee.Name)
		assignee.text("image", c.Assignee.Image)
		o.b = assignee.close()
	}
	o.raw("customAttributes", c.CustomAttributes.JSON())
	o.time("lastActivityAt", c.LastActivityAt)
	o.time("createdAt", c.CreatedAt)
}

// reference writes { id, name }, or null for the zero id.
func reference(o *object, name string, id parley.ID, shown string) {
	if id.IsZero() {
		o.null(name)
		return
	}
	o.name(name)
	r := open(o.b)
	r.id("id", id)
	r.text("name", shown)
	o.b = r.close()
}

// AppendMessage appends a message.
func AppendMessage(b []byte, m *parley.Message) []byte {
	o := open(b)
	o.id("id", m.ID)
	o.id("conversationId", m.ConversationID)
	o.text("content", m.Content)
	o.text("contentType", string(m.ContentType))
	o.text("senderType", string(m.Sender.Type))
	switch m.Sender.Type {
	case parley.SenderAgent:
		o.text("senderId", string(m.Sender.MemberID))
	case parley.SenderContact:
		o.id("senderId", m.Sender.ContactID)
	case parley.SenderBot:
		o.text("senderId", "bot")
	default:
		o.text("senderId", "")
	}
	o.text("messageType", string(m.Direction))
	o.text("status", string(m.Status))
	if m.Status == parley.Failed {
		o.text("error", m.Error)
	}
	o.boolean("isPrivate", m.Private)
	o.name("sender")
	sender := open(o.b)
	sender.text("name", m.Sender.Name)
	sender.text("image", m.Sender.Image)
	o.b = sender.close()
	o.raw("attachments", "[]")
	o.time("createdAt", m.CreatedAt)
	return o.close()
}

// AppendContact appends a contact. storeId is the deprecated alias of
// companyId; it is left out after the sunset (contract, section 9) and in the
// event log, whose readers put it in with WithStoreID.
func AppendContact(b []byte, c *parley.Contact, storeID bool) []byte {
	o := open(b)
	o.id("id", c.ID)
	o.text("name", c.Name)
	o.text("email", c.Email)
	o.textOrNull("phoneNumber", c.PhoneNumber)
	o.text("shopName", c.ShopName)
	o.textOrNull("avatarUrl", c.AvatarURL)
	o.text("identifier", c.Identifier)
	reference(&o, "company", c.Company.ID, c.Company.Name)
	o.time("createdAt", c.CreatedAt)
	o.time("updatedAt", c.UpdatedAt)
	o.time("lastActivityAt", c.LastActivityAt)
	o.raw("customAttributes", c.CustomAttributes.JSON())
	o.idOrNull("companyId", c.Company.ID)
	if storeID {
		o.idOrNull("storeId", c.Company.ID)
	}
	return o.close()
}

// WithStoreID returns the JSON of a contact, as AppendContact wrote it without
// storeId, with storeId. companyId is its last member, so that nothing needs to
// be decoded.
func WithStoreID(contact []byte) []byte {
	i := bytes.LastIndex(contact, []byte(`"companyId":`))
	if i < 0 {
		return contact
	}
	value := contact[i+len(`"companyId":`) : len(contact)-1]
	b := make([]byte, 0, len(contact)+len(value)+len(`,"storeId":`))
	b = append(b, contact[:len(contact)-1]...)
	b = append(append(b, `,"storeId":`...), value...)
	return append(b, '}')
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
	o.pointer("website", c.Website)
	o.pointer("industry", c.Industry)
	o.pointer("notes", c.Notes)
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
	o.time("createdAt", m.CreatedAt)
	o.time("updatedAt", m.UpdatedAt)
	return o.close()
}

// AppendNumber appends a number of the messaging application.
func AppendNumber(b []byte, n *parley.Number) []byte {
	o := open(b)
	o.id("id", n.ID)
	o.text("phone", n.Phone.Display())
	o.text("driver", string(n.Driver))
	o.text("status", string(n.Status))
	o.id("inboxId", n.InboxID)
	o.time("createdAt", n.CreatedAt)
	o.time("updatedAt", n.UpdatedAt)
	return o.close()
}

// AppendEvent appends an event of the log.
func AppendEvent(b []byte, e *parley.Event) []byte {
	o := open(b)
	o.integer("seq", e.Seq)
	o.text("type", string(e.Type))
	o.time("createdAt", e.CreatedAt)
	o.idOrNull("conversationId", e.ConversationID)
	texts(&o, "changed", e.Changed)
	o.name("data")
	o.b = append(o.b, e.Data...)
	return o.close()
}
