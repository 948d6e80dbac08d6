package customers

import (
	"context"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/wire"
)

// What a customer does is done on behalf of a session: for the contact and in
// the inbox that the session has in the same transaction. A conversation of
// another contact or inbox is NotFound, as if it did not exist.

// A CustomerMessage is a message by a customer.
type CustomerMessage struct {
	Content       string
	AttachmentIDs []parley.ID // of files that the customer uploaded
}

func (in *CustomerMessage) from(contact parley.ID) desk.NewMessage {
	return desk.NewMessage{Content: in.Content, Direction: parley.Incoming, AttachmentIDs: in.AttachmentIDs, Uploader: contact}
}

// A CustomerThread is a conversation with a page of its messages, as the
// customer sees them.
type CustomerThread struct {
	Conversation parley.CustomerConversation
	Messages     parley.Page[parley.Message]
}

// CustomerConversations returns a customer's conversations, newest message
// first.
func (svc *Service) CustomerConversations(s parley.CustomerSession, after parley.Position, limit int) desk.Read[parley.Page[parley.CustomerConversation]] {
	return desk.Snapshot(svc.desk, func(v *store.View) (parley.Page[parley.CustomerConversation], error) {
		s, err := svc.SessionNow(v, s)
		if err != nil {
			return parley.Page[parley.CustomerConversation]{}, err
		}
		return SelectCustomerConversations(v, s.Visibility(), after, limit)
	})
}

// ownConversation returns a conversation of the session's customer, or the one that it was
// merged into.
func ownConversation(v store.Reader, s parley.CustomerSession, id parley.ID) (parley.CustomerConversation, error) {
	c, err := SelectCustomerConversation(v, s.Visibility(), id)
	if parley.KindOf(err) == parley.NotFound {
		err = parley.NotFoundf("no such conversation")
	}
	return c, err
}

// CustomerConversation returns a conversation of a customer.
func (svc *Service) CustomerConversation(ctx context.Context, s parley.CustomerSession, id parley.ID) (parley.CustomerConversation, error) {
	return desk.Snapshot(svc.desk, func(v *store.View) (parley.CustomerConversation, error) {
		s, err := svc.SessionNow(v, s)
		if err != nil {
			return parley.CustomerConversation{}, err
		}
		return ownConversation(v, s, id)
	}).Now(ctx)
}

// CustomerThread returns a conversation of a customer with its newest messages
// before a position.
func (svc *Service) CustomerThread(s parley.CustomerSession, id parley.ID, before parley.Position, limit int) desk.Read[CustomerThread] {
	return desk.Snapshot(svc.desk, func(v *store.View) (t CustomerThread, err error) {
		s, err := svc.SessionNow(v, s)
		if err != nil {
			return t, err
		}
		if t.Conversation, err = ownConversation(v, s, id); err != nil {
			return t, err
		}
		t.Messages, err = v.PublicMessages(s.Visibility(), t.Conversation.ID, before, limit)
		for i := range t.Messages.Items {
			t.Messages.Items[i].ConversationID = t.Conversation.ID
		}
		return t, err
	})
}

// A StartedConversation is a new conversation and its first message.
type StartedConversation struct {
	Conversation parley.CustomerConversation
	Message      parley.Message
}

// StartCustomerConversation starts a conversation with its first message. A
// visitor becomes a contact.
func (svc *Service) StartCustomerConversation(ctx context.Context, s parley.CustomerSession, once *desk.Once, in CustomerMessage) (StartedConversation, error) {
	return write(ctx, svc, desk.Caller{Workspace: s.Workspace, Once: once}, func(t *tx) (started StartedConversation, err error) {
		s, err := t.ownSession(svc, s)
		if err != nil {
			return started, err
		}
		if s.Limited() {
			return started, errLimited()
		}
		if err := t.asked(s); err != nil {
			return started, err
		}
		contact, err := t.customer(&s)
		if err != nil {
			return started, err
		}
		c, err := t.StartConversation(s.InboxID, &contact, "")
		if err != nil {
			return started, err
		}
		if started.Message, err = t.postOfCustomer(&c, in); err != nil {
			return started, err
		}
		started.Conversation, err = SelectCustomerConversation(t, t.Visibility, c.ID)
		return started, err
	})
}

// errLimited is the refusal of what a session of a single conversation may not do.
func errLimited() *parley.Error {
	return parley.Errorf(parley.Forbidden, "a link in a mail opens one conversation")
}

// ownSession returns the session in its present state, and makes its customer
// the actor.
func (t *tx) ownSession(svc *Service, s parley.CustomerSession) (parley.CustomerSession, error) {
	now, err := svc.SessionNow(&t.View, s)
	t.Origin.Actor, t.Visibility = parley.CustomerActor(now.ContactID), now.Visibility()
	return now, err
}

// customer returns the contact of a session. A visitor becomes a contact now.
func (t *tx) customer(s *parley.CustomerSession) (parley.Contact, error) {
	c, err := t.Contact(t.WS, s.ContactID)
	if parley.KindOf(err) != parley.NotFound {
		return c, err
	}
	if s.Signed() {
		return c, errCustomerGone()
	}
	c = parley.Contact{
		ID: s.ContactID, Name: desk.VisitorName, Visitor: true, CreatedAt: t.Now, UpdatedAt: t.Now, LastActivityAt: t.Now,
	}
	if err := t.AddContact(&c); err != nil {
		return c, err
	}
	s.SeenAt, s.ExpiresAt = t.Now, t.Now.Add(visitorLife(&c))
	return c, UpdateCustomerSessionSeen(t, t.WS, s)
}

func (t *tx) postOfCustomer(c *parley.Conversation, in CustomerMessage) (parley.Message, error) {
	posted := in.from(c.Contact.ID)
	if err := posted.Check(t.Now); err != nil {
		return parley.Message{}, err
	}
	m, err := t.NewMessage(c, posted)
	if err != nil {
		return m, err
	}
	return m, t.Post(c, &m, false)
}

// PostCustomerMessage adds a message of the customer to a conversation, and
// reopens it if it was resolved.
func (svc *Service) PostCustomerMessage(ctx context.Context, s parley.CustomerSession, once *desk.Once, id parley.ID, in CustomerMessage) (parley.Message, error) {
	return write(ctx, svc, desk.Caller{Workspace: s.Workspace, Once: once}, func(t *tx) (parley.Message, error) {
		s, err := t.ownSession(svc, s)
		if err != nil {
			return parley.Message{}, err
		}
		own, err := ownConversation(&t.View, s, id)
		if err != nil {
			return parley.Message{}, err
		}
		c, err := t.Conversation(t.Visibility, own.ID)
		if err != nil {
			return parley.Message{}, err
		}
		return t.postOfCustomer(&c, in)
	})
}

// ChangeCustomerConversation makes a change of the customer in a conversation. An
// error of change is returned, and nothing is stored.
func (svc *Service) ChangeCustomerConversation(ctx context.Context, s parley.CustomerSession, id parley.ID, change func(t *desk.Tx, c *parley.Conversation) error) (parley.CustomerConversation, error) {
	return write(ctx, svc, desk.Caller{Workspace: s.Workspace}, func(t *tx) (parley.CustomerConversation, error) {
		s, err := t.ownSession(svc, s)
		if err != nil {
			return parley.CustomerConversation{}, err
		}
		own, err := ownConversation(t, s, id)
		if err != nil {
			return own, err
		}
		c, err := t.Conversation(t.Visibility, own.ID)
		if err != nil {
			return own, err
		}
		if err := change(t.Tx, &c); err != nil {
			return own, err
		}
		return ownConversation(t, s, id)
	})
}

// maxMarked is how many messages are marked as read at once; older ones stay
// unread.
const maxMarked = 200

// customerSeen is the changed field of a conversation that its customer has
// read. Members do not see it.
const customerSeen = "customerSeen"

// ReadCustomerConversation records that the customer has seen all messages of a
// conversation. Messages of the team become read.
func (svc *Service) ReadCustomerConversation(ctx context.Context, s parley.CustomerSession, id parley.ID) (parley.CustomerConversation, error) {
	return write(ctx, svc, desk.Caller{Workspace: s.Workspace}, func(t *tx) (parley.CustomerConversation, error) {
		s, err := t.ownSession(svc, s)
		if err != nil {
			return parley.CustomerConversation{}, err
		}
		c, err := ownConversation(&t.View, s, id)
		if err != nil {
			return c, err
		}
		unseen, err := SelectUnseenMessages(t, t.Visibility, c.ID, maxMarked)
		if err != nil || len(unseen) == 0 {
			return c, err
		}
		for i := range unseen {
			m := &unseen[len(unseen)-1-i] // oldest first
			if m.Status != parley.Sent && m.Status != parley.Delivered {
				continue
			}
			m.Status = parley.Read
			if err := t.UpdateMessageStatus(t.WS, m); err != nil {
				return c, err
			}
			t.Announce(parley.MessageUpdated, m.ConversationID, []string{"status"}, wire.AppendMessage(nil, m))
		}
		seen := map[parley.ID]bool{}
		for i := range unseen { // the first of each conversation is its newest
			of := unseen[i].ConversationID
			if seen[of] {
				continue
			}
			seen[of] = true
			if err := t.UpdateConversationSeen(t.WS, of, unseen[i].ID, t.Now); err != nil {
				return c, err
			}
		}
		// For the customer's other windows, whose unread count changes.
		now, err := t.Conversation(t.Visibility, c.ID)
		if err != nil {
			return c, err
		}
		t.AnnounceChange(&now, now.Place(), customerSeen)
		return SelectCustomerConversation(t, t.Visibility, c.ID)
	})
}
