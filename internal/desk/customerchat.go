package desk

import (
	"context"

	"parley"
	"parley/internal/store"
	"parley/internal/wire"
)

// What a customer does is done in the name of a session: with the contact and
// in the inbox that the session has in the very transaction. A conversation of
// another contact or inbox is NotFound, as if it were not there.

// A CustomerMessage is what a customer writes.
type CustomerMessage struct {
	Content       string
	AttachmentIDs []parley.ID // of files that the customer uploaded
}

func (in *CustomerMessage) from(contact parley.ID) NewMessage {
	return NewMessage{Content: in.Content, Direction: parley.Incoming, AttachmentIDs: in.AttachmentIDs, Uploader: contact}
}

// A CustomerThread is a conversation with a page of its messages, as its
// customer sees them.
type CustomerThread struct {
	Conversation parley.CustomerConversation
	Messages     parley.Page[parley.Message]
}

// CustomerConversations returns a customer's conversations, the one with the
// newest message first.
func (d *Desk) CustomerConversations(ctx context.Context, s parley.CustomerSession, after parley.Position, limit int) (parley.Page[parley.CustomerConversation], error) {
	return snapshot(ctx, d, func(v *store.View) (parley.Page[parley.CustomerConversation], error) {
		s, err := d.sessionNow(v, s)
		if err != nil {
			return parley.Page[parley.CustomerConversation]{}, err
		}
		return v.CustomerConversations(s.Workspace, s.ContactID, s.InboxID, after, limit)
	})
}

// ownConversation returns a conversation of a session's customer.
func ownConversation(v *store.View, s parley.CustomerSession, id parley.ID) (parley.CustomerConversation, error) {
	c, err := v.CustomerConversation(s.Workspace, id)
	if err == nil && (c.ContactID != s.ContactID || c.InboxID != s.InboxID) {
		return parley.CustomerConversation{}, parley.NotFoundf("no such conversation")
	}
	if parley.KindOf(err) == parley.NotFound {
		err = parley.NotFoundf("no such conversation")
	}
	return c, err
}

// CustomerConversation returns a conversation of a customer.
func (d *Desk) CustomerConversation(ctx context.Context, s parley.CustomerSession, id parley.ID) (parley.CustomerConversation, error) {
	return snapshot(ctx, d, func(v *store.View) (parley.CustomerConversation, error) {
		s, err := d.sessionNow(v, s)
		if err != nil {
			return parley.CustomerConversation{}, err
		}
		return ownConversation(v, s, id)
	})
}

// CustomerThread returns a conversation of a customer and its newest messages
// before a position.
func (d *Desk) CustomerThread(ctx context.Context, s parley.CustomerSession, id parley.ID, before parley.Position, limit int) (CustomerThread, error) {
	return snapshot(ctx, d, func(v *store.View) (t CustomerThread, err error) {
		s, err := d.sessionNow(v, s)
		if err != nil {
			return t, err
		}
		if t.Conversation, err = ownConversation(v, s, id); err != nil {
			return t, err
		}
		t.Messages, err = v.PublicMessages(s.Workspace, id, before, limit)
		return t, err
	})
}

// A StartedConversation is a new conversation and its first message.
type StartedConversation struct {
	Conversation parley.CustomerConversation
	Message      parley.Message
}

// StartCustomerConversation starts a conversation with its first message. A
// visitor becomes a contact by it.
func (d *Desk) StartCustomerConversation(ctx context.Context, s parley.CustomerSession, once *Once, in CustomerMessage) (StartedConversation, error) {
	return write(ctx, d, Caller{Workspace: s.Workspace, Once: once}, func(t *tx) (started StartedConversation, err error) {
		if s, err = t.ownSession(d, s); err != nil {
			return started, err
		}
		contact, err := t.customer(&s)
		if err != nil {
			return started, err
		}
		inbox, err := t.Inbox(t.ws, s.InboxID)
		if err != nil {
			return started, err
		}
		product, err := t.productFor(inbox, parley.Optional[parley.ID]{})
		if err != nil {
			return started, err
		}
		c := parley.Conversation{
			ID: t.ids.New(t.now), Status: parley.Open, Contact: contactRef(&contact), Product: product,
			Inbox:          parley.InboxRef{ID: inbox.ID, Name: inbox.Name, Channel: inbox.Channel},
			LastActivityAt: t.now, CreatedAt: t.now,
		}
		if err := t.insertConversation(&c, contact.Company.ID); err != nil {
			return started, err
		}
		if started.Message, err = t.postOfCustomer(&c, in); err != nil {
			return started, err
		}
		started.Conversation, err = t.CustomerConversation(t.ws, c.ID)
		return started, err
	})
}

// ownSession returns a session as it is now, whose customer makes the changes.
func (t *tx) ownSession(d *Desk, s parley.CustomerSession) (parley.CustomerSession, error) {
	now, err := d.sessionNow(&t.View, s)
	t.origin.Actor = parley.CustomerActor(now.ContactID)
	return now, err
}

// customer returns the contact of a session, whom a visitor becomes now.
func (t *tx) customer(s *parley.CustomerSession) (parley.Contact, error) {
	c, err := t.Contact(t.ws, s.ContactID)
	if parley.KindOf(err) != parley.NotFound {
		return c, err
	}
	if s.Signed() {
		return c, errCustomerGone()
	}
	c = parley.Contact{
		ID: s.ContactID, Name: visitorName, Visitor: true, CreatedAt: t.now, UpdatedAt: t.now, LastActivityAt: t.now,
	}
	if err := t.insertContact(&c); err != nil {
		return c, err
	}
	s.SeenAt, s.ExpiresAt = t.now, t.now.Add(visitorLife(&c))
	return c, t.UpdateCustomerSessionSeen(t.ws, s)
}

func (t *tx) postOfCustomer(c *parley.Conversation, in CustomerMessage) (parley.Message, error) {
	posted := in.from(c.Contact.ID)
	if err := posted.check(t.now); err != nil {
		return parley.Message{}, err
	}
	m, err := t.newMessage(c, posted)
	if err != nil {
		return m, err
	}
	return m, t.post(c, &m, false)
}

// PostCustomerMessage adds a message of the customer to a conversation, which
// opens again if it was resolved.
func (d *Desk) PostCustomerMessage(ctx context.Context, s parley.CustomerSession, once *Once, id parley.ID, in CustomerMessage) (parley.Message, error) {
	return write(ctx, d, Caller{Workspace: s.Workspace, Once: once}, func(t *tx) (parley.Message, error) {
		s, err := t.ownSession(d, s)
		if err != nil {
			return parley.Message{}, err
		}
		if _, err := ownConversation(&t.View, s, id); err != nil {
			return parley.Message{}, err
		}
		c, err := t.Conversation(t.ws, id)
		if err != nil {
			return parley.Message{}, err
		}
		return t.postOfCustomer(&c, in)
	})
}

// maxMarked is how many messages become read at once; older ones stay as they
// are.
const maxMarked = 200

// customerSeen is what changed in a conversation that its customer has read: no
// field that members see.
const customerSeen = "customerSeen"

// ReadCustomerConversation notes that the customer has seen all messages of a
// conversation. Those of the team become read.
func (d *Desk) ReadCustomerConversation(ctx context.Context, s parley.CustomerSession, id parley.ID) (parley.CustomerConversation, error) {
	return write(ctx, d, Caller{Workspace: s.Workspace}, func(t *tx) (parley.CustomerConversation, error) {
		s, err := t.ownSession(d, s)
		if err != nil {
			return parley.CustomerConversation{}, err
		}
		c, err := ownConversation(&t.View, s, id)
		if err != nil {
			return c, err
		}
		unseen, err := t.UnseenMessages(t.ws, id, maxMarked)
		if err != nil || len(unseen) == 0 {
			return c, err
		}
		for i := range unseen {
			m := &unseen[len(unseen)-1-i] // oldest first
			if m.Status != parley.Sent && m.Status != parley.Delivered {
				continue
			}
			m.Status = parley.Read
			if err := t.UpdateMessageStatus(t.ws, m); err != nil {
				return c, err
			}
			t.emit(parley.MessageUpdated, id, []string{"status"}, wire.AppendMessage(nil, m))
		}
		if err := t.UpdateConversationSeen(t.ws, id, unseen[0].ID, t.now); err != nil {
			return c, err
		}
		// For the customer's other windows, whose count goes down.
		now, err := t.Conversation(t.ws, id)
		if err != nil {
			return c, err
		}
		t.emit(parley.ConversationUpdated, id, []string{customerSeen}, wire.AppendConversation(nil, &now))
		return t.CustomerConversation(t.ws, id)
	})
}
