package chatsim_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"
	"google.golang.org/protobuf/proto"

	"parley/internal/chatapp/chatsim"
)

// failOnce is a hook that fails the first request of a kind.
func failOnce(kind string, f chatsim.Fault) func(chatsim.Request) chatsim.Fault {
	var done atomic.Bool
	return func(r chatsim.Request) chatsim.Fault {
		if r.Kind == kind && r.Phone == hostPhone && done.CompareAndSwap(false, true) {
			return f
		}
		return chatsim.Fault{}
	}
}

func TestFaults(t *testing.T) {
	s := newServer(t, chatsim.Options{})
	h := newPairedHost(t, s)
	req := whatsmeow.ReqCreateGroup{Name: "Acme support", Participants: []types.JID{user(alicePhone)}}

	s.SetHooks(chatsim.Hooks{Before: failOnce("w:g2 create", chatsim.Fault{Code: 429})})
	if _, err := h.CreateGroup(within(t), req); !errors.Is(err, whatsmeow.ErrIQRateOverLimit) {
		t.Errorf("too many: %v", err)
	}
	if n := len(s.Groups()); n != 0 {
		t.Errorf("a refusal made %d groups", n)
	}

	s.SetHooks(chatsim.Hooks{After: failOnce("w:g2 create", chatsim.Fault{Silent: true})})
	soon, cancel := context.WithTimeout(within(t), 100*time.Millisecond)
	defer cancel()
	if _, err := h.CreateGroup(soon, req); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("no answer: %v", err)
	}
	if n := len(s.Groups()); n != 1 {
		t.Errorf("a request without an answer made %d groups", n)
	}

	// The library repeats a request whose answer was lost with the connection.
	s.SetHooks(chatsim.Hooks{After: failOnce("w:g2 create", chatsim.Fault{Cut: true})})
	if _, err := h.CreateGroup(within(t), req); err != nil {
		t.Errorf("cut off: %v", err)
	}
	if n := len(s.Groups()); n != 3 {
		t.Errorf("there are %d groups", n)
	}

	s.SetHooks(chatsim.Hooks{Before: failOnce("message", chatsim.Fault{Code: 463})})
	_, err := h.SendMessage(within(t), user(alicePhone), &waE2E.Message{Conversation: proto.String("hi")})
	if !errors.Is(err, whatsmeow.ErrServerReturnedError) || !strings.HasSuffix(err.Error(), " 463") {
		t.Errorf("a message that was refused: %v", err)
	}
}

func TestReconnectAndOfflineDelivery(t *testing.T) {
	s := newServer(t, chatsim.Options{})
	h, alice := newPairedHost(t, s), newPhone(t, s, alicePhone)
	h.say(user(alicePhone), "hello")
	hear(t, alice, hostPhone, "hello")

	s.Drop(hostPhone)
	await[*events.Disconnected](h)
	await[*events.Connected](h)
	h.say(user(alicePhone), "back again")
	hear(t, alice, hostPhone, "back again")

	h.Disconnect()
	sent, err := alice.Send(within(t), hostPhone, "are you there?")
	if err != nil {
		t.Fatal(err)
	}
	h.client()
	if err := h.Connect(); err != nil {
		t.Fatal(err)
	}
	awaitText(h, "are you there?")
	if err := alice.Receipt(within(t), sent, chatsim.Delivered); err != nil {
		t.Error(err)
	}
	if done := await[*events.OfflineSyncCompleted](h); done.Count == 0 {
		t.Error("nothing waited")
	}
}

// TestRedelivery has a client that fails to store a message: it must be
// delivered again at the next connection, and not after that.
func TestRedelivery(t *testing.T) {
	s := newServer(t, chatsim.Options{})
	h, alice := newPairedHost(t, s), newPhone(t, s, alicePhone)
	h.refuse <- struct{}{}
	sent, err := alice.Send(within(t), hostPhone, "keep this")
	if err != nil {
		t.Fatal(err)
	}
	await[refused](h)
	s.Drop(hostPhone)
	awaitText(h, "keep this")
	if err := alice.Receipt(within(t), sent, chatsim.Delivered); err != nil {
		t.Error(err)
	}
	s.Drop(hostPhone)
	await[*events.Disconnected](h)
	if done := await[*events.OfflineSyncCompleted](h); done.Count != 0 {
		t.Errorf("%d stanzas came again", done.Count)
	}
}

func TestOtherDeviceOfTheSameNumber(t *testing.T) {
	s := newServer(t, chatsim.Options{})
	h, alice := newPairedHost(t, s), newPhone(t, s, alicePhone)
	group := h.create("Acme support", alicePhone).JID
	h.say(group, "from the server")
	hear(t, alice, hostPhone, "from the server")

	mobile := newPhone(t, s, hostPhone)
	for _, to := range []string{group.String(), alicePhone} {
		if _, err := mobile.Send(within(t), to, "from my phone to "+to); err != nil {
			t.Fatal(err)
		}
		echo := awaitText(h, "from my phone to "+to)
		if !echo.Info.IsFromMe || echo.Info.IsGroup != (to != alicePhone) {
			t.Errorf("%+v", echo.Info)
		}
		hear(t, alice, hostPhone, "from my phone to "+to)
	}
	h.say(user(alicePhone), "and from the server")
	echo := hear(t, mobile, hostPhone, "and from the server")
	if !echo.FromMe || echo.Chat != alicePhone {
		t.Errorf("%+v", echo)
	}
	if _, err := alice.Send(within(t), hostPhone, "thanks"); err != nil {
		t.Fatal(err)
	}
	awaitText(h, "thanks")
	hear(t, mobile, alicePhone, "thanks")
}

func TestMedia(t *testing.T) {
	s := newServer(t, chatsim.Options{})
	h, alice := newPairedHost(t, s), newPhone(t, s, alicePhone)
	file := bytes.Repeat([]byte("parley "), 10000)
	if _, err := alice.SendMedia(within(t), hostPhone, chatsim.Media{ContentType: "image/png", Caption: "look", Data: file}); err != nil {
		t.Fatal(err)
	}
	m := awaitIf(h, func(m *events.Message) bool { return m.Message.GetImageMessage() != nil })
	image := m.Message.GetImageMessage()
	got, err := h.Download(within(t), image)
	if err != nil || !bytes.Equal(got, file) || image.GetCaption() != "look" || image.GetMimetype() != "image/png" {
		t.Errorf("%d bytes, %q, %v", len(got), image.GetCaption(), err)
	}
	s.SetHooks(chatsim.Hooks{Before: func(r chatsim.Request) chatsim.Fault {
		if r.Kind == "media download" {
			return chatsim.Fault{Code: 410}
		}
		return chatsim.Fault{}
	}})
	if _, err := h.Download(within(t), image); !errors.Is(err, whatsmeow.ErrMediaDownloadFailedWith410) {
		t.Errorf("a file that is gone: %v", err)
	}
	s.SetHooks(chatsim.Hooks{})

	bob := newPhone(t, s, bobPhone)
	sent := chatsim.Media{ContentType: "application/pdf", FileName: "offer.pdf", Data: file}
	if _, err := alice.SendMedia(within(t), bobPhone, sent); err != nil {
		t.Fatal(err)
	}
	got2, err := bob.Next(within(t))
	if err != nil || got2.Media == nil {
		t.Fatalf("%+v, %v", got2, err)
	}
	if got2.Media.FileName != sent.FileName || got2.Media.ContentType != sent.ContentType || !bytes.Equal(got2.Media.Data, file) {
		t.Errorf("%s, %s, %d bytes", got2.Media.FileName, got2.Media.ContentType, len(got2.Media.Data))
	}
}

func TestRestriction(t *testing.T) {
	s := newServer(t, chatsim.Options{})
	h, alice := newPairedHost(t, s), newPhone(t, s, alicePhone)
	until := time.Now().Add(time.Hour).Truncate(time.Second)
	s.Restrict(hostPhone, until)
	lock := await[*events.NotifyAccountReachoutTimelock](h)
	if !lock.IsActive || !lock.TimeEnforcementEnds.Equal(until) {
		t.Errorf("%+v", lock)
	}
	hi := &waE2E.Message{Conversation: proto.String("hi")}
	if _, err := h.SendMessage(within(t), user(alicePhone), hi); err == nil || !strings.HasSuffix(err.Error(), " 463") {
		t.Errorf("to a stranger: %v", err)
	}
	if _, err := alice.Send(within(t), hostPhone, "hello"); err != nil {
		t.Fatal(err)
	}
	awaitText(h, "hello")
	if _, err := h.SendMessage(within(t), user(alicePhone), hi); err != nil {
		t.Errorf("to one who wrote before: %v", err)
	}
	hear(t, alice, hostPhone, "hi")
}

func TestBan(t *testing.T) {
	s := newServer(t, chatsim.Options{})
	h := newPairedHost(t, s)
	s.Ban(hostPhone, 103, time.Now().Add(time.Hour))
	ban := await[*events.TemporaryBan](h)
	if ban.Code != events.TempBanCreatedTooManyGroups || ban.Expire < 59*time.Minute || ban.Expire > time.Hour {
		t.Errorf("%+v", ban)
	}
	s.Ban(hostPhone, 0, time.Time{})
	h.client()
	if err := h.Connect(); err != nil {
		t.Fatal(err)
	}
	await[*events.Connected](h)
}

func TestRefusedLogins(t *testing.T) {
	s := newServer(t, chatsim.Options{})
	h := newPairedHost(t, s)
	s.Outdated(hostPhone, true)
	await[*events.ClientOutdated](h)
	s.Outdated(hostPhone, false)

	s.Offline(hostPhone, true)
	h.client()
	if err := h.Connect(); err != nil {
		t.Fatal(err)
	}
	await[*events.Disconnected](h)
	s.Offline(hostPhone, false)
	await[*events.Connected](h)

	first := h.events
	h.client()
	if err := h.Connect(); err != nil {
		t.Fatal(err)
	}
	await[*events.Connected](h)
	second := h.events
	h.events = first
	await[*events.StreamReplaced](h)

	h.events = second
	s.Logout(hostPhone)
	if out := await[*events.LoggedOut](h); out.OnConnect {
		t.Errorf("%+v", out)
	}
	if n := s.Connected(hostPhone); n != 0 {
		t.Errorf("%d devices are connected", n)
	}
}

func TestLogoutWhileAway(t *testing.T) {
	s := newServer(t, chatsim.Options{})
	h := newPairedHost(t, s)
	h.Disconnect()
	s.Logout(hostPhone)
	h.client()
	if err := h.Connect(); err != nil {
		t.Fatal(err)
	}
	if out := await[*events.LoggedOut](h); !out.OnConnect || out.Reason != events.ConnectFailureLoggedOut {
		t.Errorf("%+v", out)
	}
}

func TestLogoutByTheClient(t *testing.T) {
	s := newServer(t, chatsim.Options{})
	h, alice := newPairedHost(t, s), newPhone(t, s, alicePhone)
	if err := h.Logout(within(t)); err != nil {
		t.Fatal(err)
	}
	if _, err := alice.Send(within(t), hostPhone, "anyone?"); err != nil {
		t.Errorf("to a number without a device: %v", err)
	}
	if n := s.Connected(hostPhone); n != 0 {
		t.Errorf("%d devices are connected", n)
	}
}
