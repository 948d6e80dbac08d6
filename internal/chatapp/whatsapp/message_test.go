package whatsapp_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"

	"go.mau.fi/whatsmeow/proto/waCommon"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"
	"google.golang.org/protobuf/proto"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatsim"
)

func TestMessagesOfAGroup(t *testing.T) {
	w := connected(t)
	jid, a := w.group()
	id := newID()
	for range 2 { // a message sent twice arrives once
		if err := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: id, JID: jid, Text: "hello, team"}); err != nil {
			t.Fatal(err)
		}
	}
	seen := w.next(a)
	if seen.Text != "hello, team" || seen.From != hostPhone || seen.Chat != jid {
		t.Errorf("Alice sees %+v", seen)
	}
	w.receipt(id, parley.Delivered, chatapp.Chat{JID: jid, Group: true})
	if err := a.Read(w.ctx(), seen); err != nil {
		t.Fatal(err)
	}
	w.receipt(id, parley.Read, chatapp.Chat{JID: jid, Group: true})

	said, err := a.Send(w.ctx(), jid, "hello, Acme")
	if err != nil {
		t.Fatal(err)
	}
	m := w.message(func(m chatapp.Incoming) bool { return m.ID == said })
	if m.Text != "hello, Acme" || m.Chat.JID != jid || m.Chat.Name != "Team" || !m.Chat.Group || m.From != alice || m.FromName != "Alice" || m.FromMe || m.At.IsZero() {
		t.Errorf("the host sees %+v", m)
	}
	if err := a.Receipt(w.ctx(), said, chatsim.Delivered); err != nil {
		t.Errorf("Alice has no receipt: %v", err)
	}
	if n := w.heard.count(func(e any) bool { _, ok := e.(chatapp.Incoming); return ok }); n != 1 {
		t.Errorf("%d messages came: %s", n, w.heard)
	}
}

// TestNameOfAGroup has the network return a group's name once, and again if it
// failed before.
func TestNameOfAGroup(t *testing.T) {
	w := connected(t)
	jid, a := w.group()
	var asked atomic.Int32
	w.sim.SetHooks(chatsim.Hooks{Before: func(r chatsim.Request) chatsim.Fault {
		if r.Phone != hostPhone || r.Kind != "w:g2 query" {
			return chatsim.Fault{}
		}
		if asked.Add(1) == 1 {
			return chatsim.Fault{Code: 403}
		}
		return chatsim.Fault{}
	}})
	say := func(want string, asks int32) {
		t.Helper()
		said, err := a.Send(w.ctx(), jid, "hello")
		if err != nil {
			t.Fatal(err)
		}
		m := w.message(func(m chatapp.Incoming) bool { return m.ID == said })
		if m.Chat.Name != want || asked.Load() != asks {
			t.Errorf("the group is called %q after %d questions, want %q after %d", m.Chat.Name, asked.Load(), want, asks)
		}
	}
	say("", 1)
	say("", 1) // not again on this connection
	w.restart()
	w.open()
	say("Team", 2)
	group, err := types.ParseJID(jid)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Client().SetGroupName(w.ctx(), group, "Crew"); err != nil {
		t.Fatal(err)
	}
	w.await("the new name", func(h *heard) bool {
		return h.count(func(e any) bool { c, ok := e.(chatapp.MemberChange); return ok && c.Name == "Crew" }) > 0
	})
	say("Crew", 2)
}

// receipt waits for Alice's receipt for a message.
func (w *world) receipt(id string, status parley.MessageStatus, chat chatapp.Chat) {
	w.t.Helper()
	w.await("receipt "+string(status), func(h *heard) bool {
		return h.count(func(e any) bool {
			r, ok := e.(chatapp.Receipt)
			return ok && len(r.IDs) == 1 && r.IDs[0] == id && r.Status == status && r.Chat == chat && r.By == alice && !r.At.IsZero()
		}) > 0
	})
}

func TestMessagesOneToOne(t *testing.T) {
	w := connected(t)
	a := w.phone(alice)
	id := newID()
	if err := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: id, Phone: alice, Text: "hello"}); err != nil {
		t.Fatal(err)
	}
	seen := w.next(a)
	if seen.Text != "hello" || seen.Chat != hostPhone {
		t.Errorf("Alice sees %+v", seen)
	}
	chat := chatapp.Chat{JID: alice + "@s.whatsapp.net", Phone: alice}
	w.receipt(id, parley.Delivered, chat)
	if err := a.Read(w.ctx(), seen); err != nil {
		t.Fatal(err)
	}
	w.receipt(id, parley.Read, chat)
	said, err := a.Send(w.ctx(), hostPhone, "hi")
	if err != nil {
		t.Fatal(err)
	}
	m := w.message(func(m chatapp.Incoming) bool { return m.ID == said })
	if m.Chat != chat || m.From != alice || m.FromMe || m.Text != "hi" {
		t.Errorf("the host sees %+v", m)
	}
	if err := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: newID(), Phone: nobody, Text: "hello"}); !errors.Is(err, chatapp.ErrNotOnChatapp) {
		t.Errorf("to nobody: %v", err)
	}
	if err := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: newID(), Phone: alice}); !errors.Is(err, chatapp.ErrRefused) {
		t.Errorf("without content: %v", err)
	}
	if err := w.driver.Send(w.ctx(), w.host, chatapp.Message{Phone: alice, Text: "hello"}); err == nil {
		t.Error("without an id: it was sent")
	}
}

// A message that a person writes on the number's own phone counts as the
// number's, and so do its receipts.
func TestWrittenOnThePhone(t *testing.T) {
	w := connected(t)
	own, a := w.phone(hostPhone), w.phone(alice)
	direct, err := own.Send(w.ctx(), alice, "from my pocket")
	if err != nil {
		t.Fatal(err)
	}
	m := w.message(func(m chatapp.Incoming) bool { return m.ID == direct })
	if !m.FromMe || m.From != hostPhone || m.Chat.Phone != alice || m.Chat.JID != alice+"@s.whatsapp.net" || m.Text != "from my pocket" {
		t.Errorf("%+v", m)
	}
	if seen := w.next(a); seen.Text != "from my pocket" {
		t.Errorf("Alice sees %+v", seen)
	}
	w.receipt(direct, parley.Delivered, m.Chat)
	// The driver's own messages are not reported back.
	if err := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: newID(), Phone: alice, Text: "from the desk"}); err != nil {
		t.Fatal(err)
	}
	if seen := w.next(a); seen.Text != "from the desk" {
		t.Errorf("Alice sees %+v", seen)
	}
	if n := w.heard.count(func(e any) bool { _, ok := e.(chatapp.Incoming); return ok }); n != 1 {
		t.Errorf("%d messages came: %s", n, w.heard)
	}
}

func TestMedia(t *testing.T) {
	w := connected(t)
	a := w.phone(alice)
	body := bytes.Repeat([]byte("picture "), 5000)
	open := func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	for _, media := range []*chatapp.Media{
		{ContentType: "image/png", Open: open}, {ContentType: "video/mp4", Open: open},
		{ContentType: "application/pdf", FileName: "bill.pdf", Open: open},
	} {
		if err := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: newID(), Phone: alice, Text: "look", Media: media}); err != nil {
			t.Fatal(err)
		}
		seen := w.next(a)
		if seen.Media == nil || seen.Text != "look" || seen.Media.ContentType != media.ContentType || seen.Media.FileName != media.FileName || !bytes.Equal(seen.Media.Data, body) {
			t.Errorf("%s: Alice sees %+v", media.ContentType, seen)
		}
	}
	said, err := a.SendMedia(w.ctx(), hostPhone, chatsim.Media{ContentType: "application/pdf", FileName: "order.pdf", Caption: "mine", Data: body})
	if err != nil {
		t.Fatal(err)
	}
	m := w.message(func(m chatapp.Incoming) bool { return m.ID == said })
	if m.Text != "mine" || m.Media == nil || m.Media.ContentType != "application/pdf" || m.Media.FileName != "order.pdf" || m.Media.Size != int64(len(body)) {
		t.Fatalf("the host sees %+v", m)
	}
	for range 2 {
		file, err := m.Media.Open(w.ctx())
		if err != nil {
			t.Fatal(err)
		}
		got, readErr := io.ReadAll(file)
		if err := errors.Join(readErr, file.Close()); err != nil || !bytes.Equal(got, body) {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	}
	for code, want := range map[int]error{404: chatapp.ErrGone, 410: chatapp.ErrGone} {
		w.fault("media download", chatsim.Fault{Code: code})
		if _, err := m.Media.Open(w.ctx()); !errors.Is(err, want) {
			t.Errorf("%d: %v", code, err)
		}
	}
	w.fault("media upload", chatsim.Fault{Code: 500})
	err = w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: newID(), Phone: alice, Media: &chatapp.Media{ContentType: "image/png", Open: open}})
	if err == nil || errors.Is(err, chatapp.ErrRefused) {
		t.Errorf("an upload that failed for now: %v", err)
	}
}

func TestSendRefused(t *testing.T) {
	w := connected(t)
	jid, _ := w.group()
	send := func() error {
		return w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: newID(), JID: jid, Text: "hello"})
	}
	for code, want := range map[int]error{403: chatapp.ErrNotMember, 479: chatapp.ErrRefused} {
		w.fault("message", chatsim.Fault{Code: code})
		if err := send(); !errors.Is(err, want) {
			t.Errorf("%d: %v", code, err)
		}
	}
	w.fault("message", chatsim.Fault{Code: 463})
	w.limited(send(), chatapp.Restricted)
	w.fault("message", chatsim.Fault{Code: 429})
	w.limited(send(), chatapp.RateLimited)
	w.fault("usync usync", chatsim.Fault{Code: 429})
	w.limited(w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: newID(), Phone: carol, Text: "hello"}), chatapp.RateLimited)
}

// A caller that gave up sends the message again, and it arrives.
func TestDeadline(t *testing.T) {
	w := connected(t)
	jid, a := w.group()
	w.fault("message", chatsim.Fault{Silent: true})
	ctx, cancel := context.WithCancel(w.ctx())
	sent := make(chan error, 1)
	id := newID()
	go func() { sent <- w.driver.Send(ctx, w.host, chatapp.Message{ID: id, JID: jid, Text: "hello"}) }()
	cancel()
	if err := <-sent; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	w.sim.SetHooks(chatsim.Hooks{})
	if err := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: id, JID: jid, Text: "hello"}); err != nil {
		t.Error(err)
	}
	if seen := w.next(a); seen.Text != "hello" {
		t.Errorf("%+v", seen)
	}
}

// Phones also send content other than text and files.
func TestOtherKinds(t *testing.T) {
	w := connected(t)
	a, own := w.phone(alice), w.phone(hostPhone)
	send := func(p *chatsim.Phone, to string, m *waE2E.Message) string {
		t.Helper()
		sent, err := p.Client().SendMessage(w.ctx(), types.NewJID(to, types.DefaultUserServer), m)
		if err != nil {
			t.Fatal(err)
		}
		return sent.ID
	}
	word := func(text string) *waE2E.Message { return &waE2E.Message{Conversation: &text} }
	wrap := func(m *waE2E.Message) *waE2E.FutureProofMessage { return &waE2E.FutureProofMessage{Message: m} }
	send(own, hostPhone, word("a note to myself"))
	first := send(a, hostPhone, &waE2E.Message{EphemeralMessage: wrap(word("helo"))})
	for _, one := range []struct {
		m                 *waE2E.Message
		text, unsupported string
	}{
		{a.Client().BuildEdit(types.NewJID(hostPhone, types.DefaultUserServer), first, word("hello")), "hello", ""},
		{&waE2E.Message{ViewOnceMessageV2: wrap(&waE2E.Message{ImageMessage: &waE2E.ImageMessage{Mimetype: proto.String("image/jpeg")}})}, "", "view once"},
		{&waE2E.Message{SecretEncryptedMessage: &waE2E.SecretEncryptedMessage{
			SecretEncType: waE2E.SecretEncryptedMessage_MESSAGE_EDIT.Enum(), TargetMessageKey: &waCommon.MessageKey{ID: &first},
		}}, "", "correction"},
	} {
		id := send(a, hostPhone, one.m)
		m := w.message(func(m chatapp.Incoming) bool { return m.ID == id })
		if m.Text != one.text || m.Unsupported != one.unsupported || m.Media != nil || m.From != alice {
			t.Errorf("%+v, want %q %q", m, one.text, one.unsupported)
		}
	}
	m := w.message(func(m chatapp.Incoming) bool { return m.ID == first })
	if m.Text != "helo" {
		t.Errorf("%+v", m)
	}
	if n := w.heard.count(func(e any) bool { m, ok := e.(chatapp.Incoming); return ok && m.Chat.Phone == hostPhone }); n != 0 {
		t.Errorf("notes came: %s", w.heard)
	}
}

// A receiver who cannot decrypt a message requests it again, possibly from the
// next process.
func TestSentIsKept(t *testing.T) {
	w := connected(t)
	if err := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: newID(), Phone: alice, Text: "hello"}); err != nil {
		t.Fatal(err)
	}
	if n := w.count("whatsmeow_retry_buffer"); n != 1 {
		t.Errorf("%d messages are kept", n)
	}
}

// The sender sees that a message has arrived, although no person is looking at
// a device.
func TestReceiptsAreThoseOfAPhone(t *testing.T) {
	w := connected(t)
	a := w.phone(alice)
	kinds := make(chan types.ReceiptType, 8)
	a.Client().AddEventHandler(func(event any) {
		if r, ok := event.(*events.Receipt); ok {
			kinds <- r.Type
		}
	})
	if _, err := a.Send(w.ctx(), hostPhone, "hello"); err != nil {
		t.Fatal(err)
	}
	select {
	case kind := <-kinds:
		if kind != types.ReceiptTypeDelivered {
			t.Errorf("the receipt is %q", kind)
		}
	case <-w.ctx().Done():
		t.Error("no receipt came")
	}
}
