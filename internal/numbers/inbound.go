package numbers

import (
	"cmp"
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/desk"
	"parley/internal/store"
)

const (
	// inboundTime is how long storing one report of the network may take; after
	// that, the network repeats it.
	inboundTime = 10 * time.Second
	// liveTime is the greatest age of a message that counts as written now. The
	// network's times have a precision of a second, which is too coarse for the
	// order of a conversation.
	liveTime = time.Minute
	// networkRetention is how long the ids of messages on the network are
	// stored. The network keeps undelivered messages for 30 days, so nothing
	// older is repeated. Later receipts are ignored: nobody needs to see that a
	// message was read after three months.
	networkRetention = 90 * 24 * time.Hour
)

// An inboundHandler stores what the network reports about a number that this
// process holds. It writes nothing if another process has taken the number.
// Repeated reports have no effect.
type inboundHandler struct {
	service *Service
	held    *heldNumber
	// tries counts failed downloads per message. It needs no lock, because a
	// number gets one call at a time.
	tries map[store.NetworkMessage]int
}

var _ chatapp.Inbound = (*inboundHandler)(nil)

// keep runs fn in a transaction under the lease of the number.
func (l *inboundHandler) keep(ctx context.Context, fn func(*tx, parley.Number) error) error {
	ctx, cancel := context.WithTimeout(ctx, inboundTime)
	defer cancel()
	_, err := write(ctx, l.service, desk.Caller{Workspace: l.held.ws}, func(t *tx) (struct{}, error) {
		n, err := t.heldNow(l.held)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, fn(t, n)
	})
	return err
}

// State stores the state of the number on the network.
func (l *inboundHandler) State(ctx context.Context, _ chatapp.Host, s chatapp.State) error {
	err := l.keep(ctx, func(t *tx, n parley.Number) error {
		if !n.Enabled {
			return nil // it is being disconnected
		}
		var changed []string
		if n.Device == "" && n.Status != s.Status {
			changed = append(changed, "paired") // the driver has just forgotten it
		}
		_, err := t.changeNumber(n, numberState{
			status: s.Status, until: cut(s.Until), restricted: cut(s.RestrictedUntil), reason: s.Reason,
		}, changed...)
		return err
	})
	if err == nil {
		l.service.outbox.senders.resume(l.held.host.NumberID)
		l.service.outbox.wakeUp()
		l.service.wakeNumbers()
	}
	return err
}

// cut truncates a time to the precision of the store.
func cut(at time.Time) time.Time {
	if at.IsZero() {
		return at
	}
	return at.UTC().Truncate(time.Millisecond)
}

// networkName identifies a message of the network.
func networkName(number parley.ID, m chatapp.Incoming) store.NetworkMessage {
	name := store.NetworkMessage{NumberID: number, Chat: m.Chat.JID, Sender: string(m.From), ID: m.ID}
	if m.FromMe {
		name.Sender = "" // so that receipts, which do not name a sender, match it
	}
	return name
}

// Message stores a message of the network, and creates the contact, the
// conversation and the group that it needs.
func (l *inboundHandler) Message(ctx context.Context, _ chatapp.Host, m chatapp.Incoming) error {
	s, ws := l.service, l.held.ws
	known, err := desk.View(s.desk, func(v *store.View) (bool, error) { return isKnown(v, ws, l.held.host.NumberID, m) }).Now(ctx)
	if err != nil || known {
		return err
	}
	kept, err := l.fetchMedia(ctx, m)
	if err != nil {
		return err
	}
	return l.keep(ctx, func(t *tx, n parley.Number) error {
		if known, err := isKnown(&t.View, t.WS, n.ID, m); err != nil || known {
			return err
		}
		message := t.networkMessage(m)
		t.Origin.Actor = parley.CustomerActor(parley.ID{})
		if m.FromMe {
			t.Origin.Actor = parley.Actor{Type: parley.ActorMember, Name: parley.PhoneName}
		}
		c, err := t.addressed(n, m, &message)
		if err != nil {
			return err
		}
		if err := t.attachMedia(&message, m.Media, kept); err != nil {
			return err
		}
		if err := t.Record(&c, &message, false); err != nil {
			return err
		}
		name := networkName(n.ID, m)
		name.ConversationID, name.MessageID = c.ID, message.ID
		return t.InsertNetworkMessage(t.WS, &name)
	})
}

// isKnown reports whether a message was stored before, or is one of our own.
func isKnown(v *store.View, ws parley.WorkspaceID, number parley.ID, m chatapp.Incoming) (bool, error) {
	names := []store.NetworkMessage{networkName(number, m)}
	if m.FromMe {
		names = append(names, store.NetworkMessage{NumberID: number, ID: m.ID})
	}
	for _, name := range names {
		_, err := v.NetworkMessage(ws, name)
		if parley.KindOf(err) != parley.NotFound {
			return err == nil, err
		}
	}
	return false, nil
}

// addressed assigns a message of the network to its conversation, which it
// returns, and to its sender. The records that it creates are caused by the
// message.
func (t *tx) addressed(n parley.Number, m chatapp.Incoming, message *parley.Message) (parley.Conversation, error) {
	defer t.Because(parley.MessageCreated, message.ID)()
	c, sender, err := t.chatOf(n, m)
	if err != nil {
		return c, err
	}
	message.ConversationID = c.ID
	if message.CreatedAt.Equal(t.Now) && t.Now.Before(c.LastActivityAt) { // not an old one
		message.ID, message.CreatedAt = t.MessagePlace(&c)
	}
	if !m.FromMe {
		message.Sender = parley.Sender{Type: parley.SenderContact, ContactID: sender.ID, Name: sender.Name, Image: sender.AvatarURL}
		t.identify(sender.ID)
	}
	return c, nil
}

// identify makes the contact of a customer the actor.
func (t *tx) identify(contact parley.ID) {
	if t.Origin.Actor.Type == parley.ActorCustomer {
		t.Origin.Actor = parley.CustomerActor(contact)
	}
}

// networkMessage converts a message of the network, except its conversation and
// a customer's name.
func (t *tx) networkMessage(m chatapp.Incoming) parley.Message {
	at := m.At.UTC().Truncate(time.Millisecond)
	if at.After(t.Now.Add(-liveTime)) || at.UnixMilli() <= 0 { // the network sent no time
		at = t.Now
	}
	made := parley.Message{
		ID: t.IDs.New(at), Content: truncate(m.Text), ContentType: parley.Text, CreatedAt: at,
		Direction: parley.Incoming, Status: parley.Delivered,
	}
	if m.Unsupported != "" {
		made.Content = "[This message cannot be shown here: " + m.Unsupported + "]"
	}
	if m.FromMe {
		made.Direction, made.Status = parley.Outgoing, parley.Sent
		made.Sender = parley.Sender{Type: parley.SenderAgent, Name: parley.PhoneName}
	}
	return made
}

// truncate shortens a text to the size of a message.
func truncate(text string) string {
	return truncateTo(strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "\uFFFD"), parley.MaxContent)
}

// truncateTo shortens a text to a number of bytes.
func truncateTo(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	end := limit
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// chatOf returns the conversation of a message of the network, and the contact
// who wrote it.
func (t *tx) chatOf(n parley.Number, m chatapp.Incoming) (parley.Conversation, parley.Contact, error) {
	if m.Chat.Group {
		return t.groupChatOf(n, m)
	}
	name := m.FromName
	if m.FromMe {
		name = "" // not that of the other side
	}
	chat, err := desk.SelectChat(t, t.WS, n.ID, m.Chat.JID)
	if err == nil {
		return t.chatKnown(chat, m.Chat, name)
	}
	var c parley.Conversation
	if parley.KindOf(err) != parley.NotFound {
		return c, parley.Contact{}, err
	}
	contact, err := t.networkContact(m.Chat.Phone, m.Chat.JID, name)
	if err != nil {
		return c, contact, err
	}
	id, err := SelectNewestConversation(t, t.WS, contact.ID, n.InboxID)
	switch {
	case err == nil:
		c, err = t.Conversation(t.Visibility, id)
	case parley.KindOf(err) == parley.NotFound:
		c, err = t.StartConversation(n.InboxID, &contact, "")
	}
	if err != nil {
		return c, contact, err
	}
	chat = desk.Chat{NumberID: n.ID, JID: m.Chat.JID, Phone: m.Chat.Phone, ConversationID: c.ID}
	return c, contact, desk.UpsertChat(t, t.WS, &chat)
}

// chatKnown returns the conversation and the contact of a known chat.
func (t *tx) chatKnown(chat desk.Chat, now chatapp.Chat, name string) (parley.Conversation, parley.Contact, error) {
	if now.Phone != "" && now.Phone != chat.Phone {
		chat.Phone = now.Phone
		if err := desk.UpsertChat(t, t.WS, &chat); err != nil {
			return parley.Conversation{}, parley.Contact{}, err
		}
	}
	c, err := desk.ConversationNow(&t.View, t.Visibility, chat.ConversationID)
	if err != nil {
		return c, parley.Contact{}, err
	}
	contact, err := t.Contact(t.WS, c.Contact.ID)
	if err != nil {
		return c, contact, err
	}
	t.identify(contact.ID)
	contact, err = t.nameContact(contact, chat.Phone, name)
	c.Contact = desk.ContactRef(&contact)
	return c, contact, err
}

// networkContact finds or creates the contact of a phone, or of a chat if the
// network hides the phone. name is what the person calls themselves, "" if
// unknown.
func (t *tx) networkContact(phone parley.Phone, jid, name string) (parley.Contact, error) {
	var contact parley.Contact
	var err error
	if phone != "" {
		contact, err = t.ContactByPhone(t.WS, string(phone))
	} else {
		contact, err = t.ContactByIdentifier(t.WS, jid)
	}
	if err == nil {
		t.identify(contact.ID)
		return t.nameContact(contact, phone, name)
	}
	if parley.KindOf(err) != parley.NotFound {
		return contact, err
	}
	contact = parley.Contact{
		ID: t.IDs.New(t.Now), Name: cmp.Or(truncateName(name), phone.Display(), "Hidden number"), PhoneNumber: phone.Display(),
		CreatedAt: t.Now, UpdatedAt: t.Now, LastActivityAt: t.Now,
	}
	if phone == "" {
		contact.Identifier = jid
	}
	t.identify(contact.ID)
	return contact, t.AddContact(&contact)
}

// nameContact gives a contact named after its number a person's name.
func (t *tx) nameContact(contact parley.Contact, phone parley.Phone, name string) (parley.Contact, error) {
	name = truncateName(name)
	if phone == "" || name == "" || contact.Name != phone.Display() {
		return contact, nil
	}
	return t.ChangeContact(contact, desk.ContactFields{Name: parley.Some(name)})
}

// truncateName shortens a name to the size of a contact's.
func truncateName(name string) string {
	name = strings.TrimSpace(truncate(name))
	if runes := []rune(name); len(runes) > parley.MaxName {
		name = string(runes[:parley.MaxName])
	}
	return name
}

// reach orders statuses by progress. A message that the network has delivered
// did not fail, whatever was assumed before.
func reach(s parley.MessageStatus) int {
	switch s {
	case parley.Failed:
		return 1
	case parley.Sent:
		return 2
	case parley.Delivered:
		return 3
	case parley.Read:
		return 4
	}
	return 0
}

// Receipt moves messages forward to delivered or read, never back. In a group,
// the first member's receipt counts; those of the others, which may be a
// thousand, are only read.
func (l *inboundHandler) Receipt(ctx context.Context, _ chatapp.Host, r chatapp.Receipt) error {
	news := func(v *store.View) ([]store.NetworkMessage, error) {
		return newsOf(v, l.held.ws, l.held.host.NumberID, r)
	}
	if known, err := desk.View(l.service.desk, news).Now(ctx); err != nil || len(known) == 0 {
		return err
	}
	return l.keep(ctx, func(t *tx, n parley.Number) error {
		known, err := news(&t.View)
		if err != nil {
			return err
		}
		for _, m := range known {
			if err := t.receive(m, r); err != nil {
				return err
			}
		}
		return nil
	})
}

// newsOf returns the messages of a receipt whose status it changes.
func newsOf(v *store.View, ws parley.WorkspaceID, number parley.ID, r chatapp.Receipt) ([]store.NetworkMessage, error) {
	var news []store.NetworkMessage
	for _, id := range r.IDs {
		known, err := v.NetworkMessage(ws, store.NetworkMessage{NumberID: number, ID: id})
		if parley.KindOf(err) == parley.NotFound {
			known, err = v.NetworkMessage(ws, store.NetworkMessage{NumberID: number, Chat: r.Chat.JID, ID: id})
		}
		if parley.KindOf(err) == parley.NotFound {
			continue // an invite, or a message from before this server
		}
		if err != nil {
			return nil, err
		}
		m, err := v.Message(parley.WholeWorkspace(ws), known.ConversationID, known.MessageID)
		if err != nil {
			return nil, err
		}
		unknownChat, err := isNewChat(v, ws, number, r.Chat)
		if err != nil {
			return nil, err
		}
		if unknownChat || m.Direction == parley.Outgoing && reach(r.Status) > reach(m.Status) {
			news = append(news, known)
		}
	}
	return news, nil
}

func (t *tx) receive(known store.NetworkMessage, r chatapp.Receipt) error {
	if err := t.rememberChat(known, r.Chat); err != nil {
		return err
	}
	m, err := t.Message(t.Visibility, known.ConversationID, known.MessageID)
	if err != nil || m.Direction != parley.Outgoing || reach(r.Status) <= reach(m.Status) {
		return err
	}
	changed := []string{"status"}
	if m.Error != "" {
		changed = append(changed, "error")
	}
	m.Status, m.Error = r.Status, ""
	if err := t.DeleteDelivery(t.WS, m.ConversationID, m.ID); err != nil {
		return err
	}
	return t.setMessageStatus(m, changed)
}

// isNewChat reports whether a chat with one person is unknown.
func isNewChat(v *store.View, ws parley.WorkspaceID, number parley.ID, chat chatapp.Chat) (bool, error) {
	if chat.Group || chat.JID == "" {
		return false, nil
	}
	_, err := desk.SelectChat(v, ws, number, chat.JID)
	if parley.KindOf(err) == parley.NotFound {
		return true, nil
	}
	return false, err
}

// rememberChat records from a receipt how the network names the chat with
// somebody to whom we wrote first, because it may spell the number differently.
func (t *tx) rememberChat(known store.NetworkMessage, chat chatapp.Chat) error {
	if unknown, err := isNewChat(&t.View, t.WS, known.NumberID, chat); err != nil || !unknown {
		return err
	}
	c, err := desk.ConversationNow(&t.View, t.Visibility, known.ConversationID)
	if err != nil {
		return err
	}
	if phone, ok := parley.ParsePhone(c.Contact.PhoneNumber); ok && chat.Phone != "" && !desk.SamePhone(phone, chat.Phone) {
		return nil // the contact has got another phone
	}
	return desk.UpsertChat(t, t.WS, &desk.Chat{
		NumberID: known.NumberID, JID: chat.JID, Phone: chat.Phone, ConversationID: c.ID,
	})
}
