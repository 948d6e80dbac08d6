package chatsim

import (
	"context"
	"slices"
	"sync"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"
)

// mediaTimeout is the time limit for a Phone to download a file.
const mediaTimeout = 30 * time.Second

// A Message is a message in a chat of a Phone.
type Message struct {
	ID       string // the network's
	Chat     string // the other's phone number, or the JID of a group
	From     string // the author's phone number
	FromName string // display name of the author
	FromMe   bool
	Text     string // of media, the caption
	Media    *Media // nil without
	At       time.Time

	chat, sender types.JID
	invite       *waE2E.GroupInviteMessage // nil without a card
}

// Invited reports whether the message is a card with a personal invitation to a
// group, for Accept.
func (m Message) Invited() bool { return m.invite != nil }

// A Media is the file of a message.
type Media struct {
	ContentType string
	FileName    string // of documents alone
	Caption     string
	Data        []byte // nil if the download failed
}

// Kinds of receipts that Phone.Receipt waits for.
const (
	Delivered = "delivered"
	Read      = "read"
)

// inbox is the state of a Phone.
type inbox struct {
	mu       sync.Mutex
	messages []Message
	next     int // index of the first message that Next has not returned
	receipts map[string][]string
	changed  chan struct{} // closed and replaced at each change
}

func newInbox() *inbox {
	return &inbox{receipts: map[string][]string{}, changed: make(chan struct{})}
}

// keep adds a message unless it is already there: senders repeat unconfirmed
// messages with the same id.
func (b *inbox) keep(m Message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	same := func(o Message) bool { return o.ID == m.ID && o.Chat == m.Chat && o.From == m.From }
	if slices.ContainsFunc(b.messages, same) {
		return
	}
	b.messages = append(b.messages, m)
	b.wake()
}

func (b *inbox) note(id, kind string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.receipts[id] = append(b.receipts[id], kind)
	b.wake()
}

// wake wakes the goroutines that wait for a change. The caller holds the lock.
func (b *inbox) wake() {
	close(b.changed)
	b.changed = make(chan struct{})
}

// wait calls look, under the lock, after each change until it returns true.
func (b *inbox) wait(ctx context.Context, look func() bool) error {
	for {
		b.mu.Lock()
		found, changed := look(), b.changed
		b.mu.Unlock()
		if found {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Messages returns all messages, including the Phone's own, in order of
// arrival.
func (p *Phone) Messages() []Message {
	p.inbox.mu.Lock()
	defer p.inbox.mu.Unlock()
	return slices.Clone(p.inbox.messages)
}

// Changed returns a channel that is closed at the next change of the messages
// or their receipts.
func (p *Phone) Changed() <-chan struct{} {
	p.inbox.mu.Lock()
	defer p.inbox.mu.Unlock()
	return p.inbox.changed
}

// Next waits for the next message from others. It returns each message once, in
// order.
func (p *Phone) Next(ctx context.Context) (Message, error) {
	var m Message
	err := p.inbox.wait(ctx, func() bool {
		for p.inbox.next < len(p.inbox.messages) {
			m = p.inbox.messages[p.inbox.next]
			p.inbox.next++
			if m.sender != p.lid {
				return true
			}
		}
		return false
	})
	return m, err
}

// Receipt waits for a receipt of this kind (Delivered, Read) for an own
// message, in a group from any member.
func (p *Phone) Receipt(ctx context.Context, id, kind string) error {
	return p.inbox.wait(ctx, func() bool { return slices.Contains(p.inbox.receipts[id], kind) })
}

// HasReceipt reports whether such a receipt has arrived.
func (p *Phone) HasReceipt(id, kind string) bool {
	p.inbox.mu.Lock()
	defer p.inbox.mu.Unlock()
	return slices.Contains(p.inbox.receipts[id], kind)
}

// Read sends a read receipt for a message.
func (p *Phone) Read(ctx context.Context, m Message) error {
	return p.client.MarkRead(ctx, []string{m.ID}, time.Now(), m.chat, m.sender)
}

// hear handles events of the client.
func (p *Phone) hear(event any) {
	switch e := event.(type) {
	case *events.Message:
		p.hearMessage(e)
	case *events.Receipt:
		kind := string(e.Type)
		switch e.Type {
		case types.ReceiptTypeDelivered, types.ReceiptTypeInactive:
			kind = Delivered
		}
		for _, id := range e.MessageIDs {
			p.inbox.note(id, kind)
		}
	}
}

func (p *Phone) hearMessage(e *events.Message) {
	said, media := p.read(e.Message)
	if said == "" && media == nil {
		return // keys and settings
	}
	m := Message{
		ID: e.Info.ID, Chat: e.Info.Chat.String(), From: number(e.Info.Sender, e.Info.SenderAlt), FromName: e.Info.PushName,
		FromMe: e.Info.IsFromMe, Text: said, Media: media, At: e.Info.Timestamp.UTC(),
		chat: e.Info.Chat, sender: e.Info.Sender, invite: e.Message.GetGroupInviteMessage(),
	}
	switch {
	case m.FromMe:
		m.From = p.phone
		if !e.Info.IsGroup {
			m.Chat = number(e.Info.Chat, e.Info.RecipientAlt)
		}
	case !e.Info.IsGroup:
		m.Chat = m.From
	}
	p.inbox.keep(m)
}

// number returns the phone number of a JID, given its other JID.
func number(jid, other types.JID) string {
	if jid.Server == types.HiddenUserServer && !other.IsEmpty() {
		return other.User
	}
	return jid.User
}

// read returns the text and the file of a message.
func (p *Phone) read(m *waE2E.Message) (string, *Media) {
	media := &Media{}
	var file whatsmeow.DownloadableMessage
	switch {
	case m.GetConversation() != "":
		return m.GetConversation(), nil
	case m.GetExtendedTextMessage() != nil:
		return m.GetExtendedTextMessage().GetText(), nil
	case m.GetGroupInviteMessage() != nil:
		return m.GetGroupInviteMessage().GetCaption(), nil
	case m.GetImageMessage() != nil:
		file, media.ContentType, media.Caption = m.GetImageMessage(), m.GetImageMessage().GetMimetype(), m.GetImageMessage().GetCaption()
	case m.GetVideoMessage() != nil:
		file, media.ContentType, media.Caption = m.GetVideoMessage(), m.GetVideoMessage().GetMimetype(), m.GetVideoMessage().GetCaption()
	case m.GetAudioMessage() != nil:
		file, media.ContentType = m.GetAudioMessage(), m.GetAudioMessage().GetMimetype()
	case m.GetDocumentMessage() != nil:
		d := m.GetDocumentMessage()
		file, media.ContentType, media.Caption, media.FileName = d, d.GetMimetype(), d.GetCaption(), d.GetFileName()
	default:
		return "", nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), mediaTimeout)
	defer cancel()
	data, err := p.client.Download(ctx, file)
	if err == nil {
		media.Data = data
	}
	return media.Caption, media
}
