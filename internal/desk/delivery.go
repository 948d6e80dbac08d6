package desk

import (
	"strings"

	"parley"
	"parley/internal/store"
)

// A message that goes out by a number of the messaging application gets a row
// in deliveries, in the transaction that stores it. That row is all that the
// desk shares with the outbox, which sends due messages.

// Capabilities are the properties of a driver's network that the desk needs.
type Capabilities struct {
	Files bool // messages can carry files
}

// Queued receives after the commit of a transaction that queued messages. It
// holds at most one notice, whatever the number of messages, and is for one
// reader.
func (d *Desk) Queued() <-chan struct{} { return d.queued }

// notifyQueued notifies the reader of Queued.
func (d *Desk) notifyQueued() {
	select {
	case d.queued <- struct{}{}:
	default: // a notice is pending
	}
}

// wayOut finds the number by which messages of a conversation in the messaging
// application go out. The zero id means that the inbox has no number.
func (t *Tx) wayOut(c *parley.Conversation) (parley.ID, error) {
	group, err := t.Group(t.WS, c.ID)
	if parley.KindOf(err) != parley.NotFound {
		return group.NumberID, err
	}
	number, err := t.NumberByInbox(t.WS, c.Inbox.ID)
	if parley.KindOf(err) == parley.NotFound {
		return parley.ID{}, nil
	}
	if err != nil {
		return parley.ID{}, err
	}
	phone, err := Addressee(&t.View, t.WS, number.ID, c)
	if err == nil && phone == "" {
		err = parley.InvalidField("id", "be a conversation whose contact has a phone number that the messaging application could reach")
	}
	if err != nil {
		return parley.ID{}, err
	}
	chats, err := SelectChatsOf(t, t.WS, number.ID, c.ID)
	if err != nil || len(chats) > 0 {
		return number.ID, err
	}
	// The answer goes to the conversation of the question.
	return number.ID, UpdateChatsOf(t, t.WS, number.ID, c.Contact.ID, c.ID)
}

// Addressee returns the phone that a message to a person goes to: that of the
// contact, unless the person wrote here from another phone. This happens after
// two contacts were merged, or if the network revealed the number later. It is
// "" if there is none.
func Addressee(v *store.View, ws parley.WorkspaceID, number parley.ID, c *parley.Conversation) (parley.Phone, error) {
	phone, ok := parley.ParsePhone(c.Contact.PhoneNumber)
	chats, err := SelectChatsOf(v, ws, number, c.ID)
	if err != nil {
		return "", err
	}
	var other parley.Phone
	for _, chat := range chats {
		switch {
		case ok && chat.Phone == phone:
			return phone, nil
		case chat.Phone != "":
			other = chat.Phone
		}
	}
	if other != "" || !ok {
		return other, nil
	}
	return phone, nil
}

// leavePhone ends the chats on a phone that a contact no longer has. Answers go
// to the new phone, and whoever writes from the old one is somebody else.
func (t *Tx) leavePhone(c parley.Contact, old string) error {
	was, _ := parley.ParsePhone(old)
	now, _ := parley.ParsePhone(c.PhoneNumber)
	if was == "" || was == now {
		return nil
	}
	chats, err := SelectChatsWith(t, t.WS, c.ID)
	if err != nil {
		return err
	}
	for _, chat := range chats {
		if !SamePhone(was, chat.Phone) || SamePhone(now, chat.Phone) {
			continue
		}
		if err := DeleteChat(t, t.WS, chat.NumberID, chat.JID); err != nil {
			return err
		}
	}
	return nil
}

// queue queues a message for its number.
func (t *Tx) queue(m *parley.Message, number parley.ID) error {
	known := store.NetworkMessage{NumberID: number, ID: m.ID.String(), ConversationID: m.ConversationID, MessageID: m.ID}
	if err := t.InsertNetworkMessage(t.WS, &known); err != nil {
		return err
	}
	t.queued = true
	return t.InsertDelivery(t.WS, &store.Delivery{ConversationID: m.ConversationID, MessageID: m.ID, NumberID: number, DueAt: t.Now})
}

// carriesFiles refuses the files of a message if the network of its number
// cannot carry them.
func (t *Tx) carriesFiles(m *parley.Message, number parley.ID) error {
	if len(m.Attachments) == 0 {
		return nil
	}
	n, err := t.Number(t.WS, number)
	if err != nil {
		return err
	}
	if !t.capabilities[n.Driver].Files {
		return parley.InvalidField("attachmentIds", "be absent here: the network of the number takes text alone")
	}
	return nil
}

// SamePhone reports whether a phone number as a person wrote it and one from
// the network are equal. In some countries the network spells mobile numbers
// with one digit more or less after the country code, so the beginning and the
// end must match.
func SamePhone(written, network parley.Phone) bool {
	if written == network {
		return true
	}
	const tail = 8
	return len(written) > tail+1 && len(network) > tail+1 && written[:2] == network[:2] &&
		strings.HasSuffix(string(network), string(written[len(written)-tail:]))
}
