package wire

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"parley"
)

// What a customer sees. These shapes are separate from those for members, so
// that a member added to those never reaches a customer.

// A Widget is what a widget shows before the first message.
type Widget struct {
	Company  string
	Settings *parley.WidgetSettings
	Team     []parley.Member
	Articles bool         // whether there are articles to read
	Upcoming []OfficeSpan // nil if office hours are not shown
	Texts    map[string]string
}

// An OfficeSpan is a time in which somebody answers.
type OfficeSpan struct{ Begin, End time.Time }

// AppendWidget appends what a widget shows.
func AppendWidget(b []byte, w *Widget) []byte {
	o := open(b)
	o.id("inboxId", w.Settings.InboxID)
	o.text("name", w.Company)
	o.text("title", w.Settings.Title)
	o.text("greeting", w.Settings.Greeting)
	o.text("replyTime", w.Settings.ReplyTime)
	o.text("color", w.Settings.Color)
	o.text("position", string(w.Settings.Position))
	o.text("identity", string(w.Settings.Identity))
	list(&o, "team", w.Team, func(b []byte, m *parley.Member) []byte {
		person := open(b)
		person.text("name", m.Name)
		person.text("image", m.Image)
		return person.close()
	})
	o.boolean("articles", w.Articles)
	if w.Settings.Ask == parley.AskNever {
		o.null("ask")
	} else {
		ask := o.object("ask")
		ask.text("when", string(w.Settings.Ask))
		texts(&ask, "fields", w.Settings.AskFields)
		ask.boolean("required", w.Settings.AskRequired)
		o.put(ask)
	}
	textsByKey(&o, "texts", w.Texts)
	if w.Upcoming == nil {
		o.null("upcoming")
		return o.close()
	}
	list(&o, "upcoming", w.Upcoming, func(b []byte, s *OfficeSpan) []byte {
		span := open(b)
		span.time("begin", s.Begin)
		span.time("end", s.End)
		return span.close()
	})
	return o.close()
}

// AppendCustomerSession appends a customer's session, with its token if one is
// given. For a visitor it shows only the id.
func AppendCustomerSession(b []byte, s *parley.CustomerSession, c *parley.Contact, token parley.Token) []byte {
	o := open(b)
	if token != "" {
		o.text("token", string(token))
	}
	customer := o.object("customer")
	customer.id("id", c.ID)
	shown := parley.Contact{}
	if s.Signed() {
		shown = *c
	}
	customer.text("name", shown.Name)
	customer.text("email", shown.Email)
	customer.boolean("identified", s.Signed())
	o.put(customer)
	o.idOrNull("conversationId", s.ConversationID)
	o.time("expiresAt", s.ExpiresAt)
	return o.close()
}

// AppendCustomerConversation appends a conversation. The addresses of files
// open nothing until [SignFiles] has inserted their signatures.
func AppendCustomerConversation(b []byte, c *parley.CustomerConversation) []byte {
	o := open(b)
	customerConversationMembers(&o, c)
	return o.close()
}

func customerConversationMembers(o *object, c *parley.CustomerConversation) {
	o.id("id", c.ID)
	o.text("status", string(c.Status))
	o.integer("unreadCount", int64(c.UnreadCount))
	o.text("agent", string(parley.AgentPart{State: c.Agent}.Shown().State))
	if c.LastMessage.ID.IsZero() {
		o.null("lastMessage")
	} else {
		o.name("lastMessage")
		o.b = AppendCustomerMessage(o.b, &c.LastMessage)
	}
	o.time("lastActivityAt", c.LastActivityAt)
	o.time("createdAt", c.CreatedAt)
}

// AppendCustomerThread appends a conversation with a page of its messages.
func AppendCustomerThread(b []byte, c *parley.CustomerConversation, p *parley.Page[parley.Message], cursor string) []byte {
	o := open(b)
	customerConversationMembers(&o, c)
	m := o.object("messages")
	m.boolean("has_more", p.HasMore)
	m.text("next_cursor", cursor)
	list(&m, "data", p.Items, AppendCustomerMessage)
	o.put(m)
	return o.close()
}

// AppendStartedConversation appends a new conversation and its first message.
func AppendStartedConversation(b []byte, c *parley.CustomerConversation, m *parley.Message) []byte {
	o := open(b)
	o.name("conversation")
	o.b = AppendCustomerConversation(o.b, c)
	o.name("message")
	o.b = AppendCustomerMessage(o.b, m)
	return o.close()
}

// AppendCustomerMessage appends a message that is not private. The addresses of
// its files open nothing until [SignFiles] has inserted their signatures.
func AppendCustomerMessage(b []byte, m *parley.Message) []byte {
	o := open(b)
	o.id("id", m.ID)
	o.id("conversationId", m.ConversationID)
	o.text("content", m.Content)
	o.text("contentType", string(m.ContentType))
	o.text("from", from(m.Sender.Type, m.Direction))
	sender := o.object("sender")
	sender.text("name", m.Sender.Name)
	sender.text("image", m.Sender.Image)
	o.put(sender)
	o.text("status", string(m.Status))
	appendAttachments(&o, m.Attachments, Signer{})
	agentAnswerOrNull(&o, m.Agent)
	o.time("createdAt", m.CreatedAt)
	return o.close()
}

// from returns the word for the sender of a message in the customer's API.
func from(sender parley.SenderType, direction parley.Direction) string {
	switch {
	case sender == parley.SenderSystem:
		return "system"
	case direction == parley.Incoming:
		return "customer"
	}
	return "team"
}

// AppendCustomerMessageOf does what AppendCustomerMessage does, but from the
// JSON that [AppendMessage] wrote, and as a message of a conversation. It reports
// whether a customer may see the message: not if it is private, nor if that cannot be
// determined.
func AppendCustomerMessageOf(b, message []byte, conversation parley.ID) (_ []byte, shown bool) {
	var m struct {
		ID          string            `json:"id"`
		Content     string            `json:"content"`
		ContentType string            `json:"contentType"`
		SenderType  parley.SenderType `json:"senderType"`
		MessageType parley.Direction  `json:"messageType"`
		Status      string            `json:"status"`
		IsPrivate   *bool             `json:"isPrivate"`
		Sender      struct {
			Name  string `json:"name"`
			Image string `json:"image"`
		} `json:"sender"`
		Attachments json.RawMessage `json:"attachments"`
		Agent       json.RawMessage `json:"agent"`
		CreatedAt   string          `json:"createdAt"`
	}
	if err := json.Unmarshal(message, &m); err != nil || m.IsPrivate == nil || *m.IsPrivate {
		return b, false
	}
	o := open(b)
	o.text("id", m.ID)
	o.id("conversationId", conversation)
	o.text("content", m.Content)
	o.text("contentType", m.ContentType)
	o.text("from", from(m.SenderType, m.MessageType))
	sender := o.object("sender")
	sender.text("name", m.Sender.Name)
	sender.text("image", m.Sender.Image)
	o.put(sender)
	o.text("status", m.Status)
	raw(&o, "attachments", []byte(m.Attachments))
	if len(m.Agent) == 0 { // stored by an earlier version
		m.Agent = json.RawMessage("null")
	}
	raw(&o, "agent", []byte(m.Agent))
	o.text("createdAt", m.CreatedAt)
	return o.close(), true
}

// AppendCustomerTyping appends, for members, whether a customer is typing.
func AppendCustomerTyping(b []byte, contact, conversation parley.ID, typing bool) []byte {
	o := open(b)
	o.id("contactId", contact)
	o.id("conversationId", conversation)
	o.boolean("typing", typing)
	return o.close()
}

// AppendMemberTyping appends, for a customer, whether a member is typing.
func AppendMemberTyping(b []byte, conversation parley.ID, name string, typing bool) []byte {
	o := open(b)
	o.id("conversationId", conversation)
	o.text("name", name)
	o.boolean("typing", typing)
	return o.close()
}

// AppendDeletedConversation appends the data of the event of a deleted conversation:
// which one, and whose it was.
func AppendDeletedConversation(b []byte, id, contact parley.ID) []byte {
	o := open(b)
	o.id("id", id)
	o.id("contactId", contact)
	return o.close()
}

// DeletedConversationOf returns whose conversation was deleted, from the JSON that
// [AppendDeletedConversation] wrote.
func DeletedConversationOf(deleted []byte) (contact parley.ID, ok bool) {
	var d struct {
		ContactID string `json:"contactId"`
	}
	if err := json.Unmarshal(deleted, &d); err != nil {
		return contact, false
	}
	return parley.ParseID(d.ContactID)
}

// MergeTarget returns the contact into which another one was merged, from the
// JSON that [AppendMerge] wrote.
func MergeTarget(merge []byte) (into parley.ID, ok bool) {
	var m struct {
		IntoID string `json:"intoId"`
	}
	if err := json.Unmarshal(merge, &m); err != nil {
		return into, false
	}
	return parley.ParseID(m.IntoID)
}

// AppendWidgetSettings appends the settings of a widget.
func AppendWidgetSettings(b []byte, s *parley.WidgetSettings) []byte {
	o := open(b)
	o.id("inboxId", s.InboxID)
	texts(&o, "origins", s.Origins)
	o.text("identity", string(s.Identity))
	o.text("title", s.Title)
	o.text("greeting", s.Greeting)
	o.text("replyTime", s.ReplyTime)
	o.text("color", s.Color)
	o.text("position", string(s.Position))
	o.boolean("showTeam", s.ShowTeam)
	o.text("ask", string(s.Ask))
	texts(&o, "askFields", s.AskFields)
	o.boolean("askRequired", s.AskRequired)
	o.integer("continueAfter", int64(s.ContinueAfter))
	return o.close()
}

// AppendOfficeHours appends the office hours of an inbox.
func AppendOfficeHours(b []byte, h *parley.OfficeHours) []byte {
	o := open(b)
	o.id("inboxId", h.InboxID)
	o.text("zone", h.Zone)
	texts(&o, "hours", h.Hours)
	texts(&o, "holidays", h.Holidays)
	o.boolean("shown", h.Shown)
	return o.close()
}

// AppendWidgetTexts appends the texts of an inbox in all languages that have some.
func AppendWidgetTexts(b []byte, inbox parley.ID, all []parley.WidgetTexts) []byte {
	o := open(b)
	o.id("inboxId", inbox)
	list(&o, "languages", all, func(b []byte, w *parley.WidgetTexts) []byte {
		one := open(b)
		one.text("language", w.Language)
		textsByKey(&one, "texts", w.Texts)
		return one.close()
	})
	return o.close()
}

// textsByKey writes an object of texts, in the order of their keys.
func textsByKey(o *object, name string, values map[string]string) {
	member := o.object(name)
	for _, key := range slices.Sorted(maps.Keys(values)) {
		member.text(key, values[key])
	}
	o.put(member)
}

// AppendDuplicate appends two contacts that may be one person.
func AppendDuplicate(b []byte, d *parley.ContactDuplicate) []byte {
	o := open(b)
	o.id("id", d.ID)
	contact := o.object("contact")
	contact.id("id", d.Contact.ID)
	contact.text("name", d.Contact.Name)
	o.put(contact)
	other := o.object("other")
	other.id("id", d.Other.ID)
	other.text("name", d.Other.Name)
	other.text("email", d.Other.Email)
	o.put(other)
	o.text("email", d.Email)
	o.textOrNull("phoneNumber", d.PhoneNumber)
	o.time("createdAt", d.CreatedAt)
	return o.close()
}

// AppendCompanyMove appends a move between companies. Before or after may be no
// company, or one that was deleted; these are null.
func AppendCompanyMove(b []byte, m *parley.CompanyMove) []byte {
	o := open(b)
	o.id("id", m.ID)
	for _, side := range []struct {
		name    string
		company parley.CompanyRef
	}{{"from", m.From}, {"to", m.To}} {
		if side.company.ID.IsZero() {
			o.null(side.name)
			continue
		}
		company := o.object(side.name)
		company.id("id", side.company.ID)
		company.text("name", side.company.Name)
		o.put(company)
	}
	o.time("movedAt", m.MovedAt)
	return o.close()
}

// AppendWay appends an inbox through which a contact can be written to first.
func AppendWay(b []byte, w *parley.Way) []byte {
	o := open(b)
	inbox := o.object("inbox")
	inbox.id("id", w.Inbox.ID)
	inbox.text("name", w.Inbox.Name)
	inbox.text("channelType", string(w.Inbox.Channel))
	o.put(inbox)
	if w.Phone == "" {
		o.null("phoneNumber")
	} else {
		o.text("phoneNumber", "+"+string(w.Phone))
	}
	return o.close()
}
