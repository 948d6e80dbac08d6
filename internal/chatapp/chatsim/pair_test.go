package chatsim_test

import (
	"errors"
	"sync"
	"testing"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/types/events"

	"parley/internal/chatapp/chatsim"
)

func TestPairByQR(t *testing.T) {
	s := newServer(t, chatsim.Options{})
	h := newHost(t, s.HTTPClient())
	codes, err := h.GetQRChannel(within(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Connect(); err != nil {
		t.Fatal(err)
	}
	code := (<-codes).Code
	if err := s.ScanQR(nobody, code); !errors.Is(err, chatsim.ErrNoAccount) {
		t.Errorf("a phone without an account: %v", err)
	}
	if err := s.ScanQR(hostPhone, "https://example.com/#a,b"); !errors.Is(err, chatsim.ErrNotShown) {
		t.Errorf("a QR code of something else: %v", err)
	}
	if err := s.ScanQR(hostPhone, code); err != nil {
		t.Fatal(err)
	}
	awaitPaired(h)
	if h.Store.ID.User != hostPhone {
		t.Errorf("paired with %s", h.Store.ID)
	}
	if err := s.ScanQR(hostPhone, code); !errors.Is(err, chatsim.ErrNotShown) {
		t.Errorf("a code that was used: %v", err)
	}
	if n := s.Connected(hostPhone); n != 1 {
		t.Errorf("%d devices are connected", n)
	}

	h.Disconnect()
	h.client()
	if err := h.Connect(); err != nil {
		t.Fatal(err)
	}
	await[*events.Connected](h)
}

// awaitPaired waits for the pairing and the first login, which the client reports in either order.
func awaitPaired(h *host) {
	h.t.Helper()
	paired, connected := false, false
	awaitIf(h, func(e any) bool {
		switch e.(type) {
		case *events.PairSuccess:
			paired = true
		case *events.Connected:
			connected = true
		}
		return paired && connected
	})
}

func TestPairByCode(t *testing.T) {
	s := newServer(t, chatsim.Options{})
	h := newHost(t, s.HTTPClient())
	if err := h.Connect(); err != nil {
		t.Fatal(err)
	}
	await[*events.QR](h)
	code, err := h.PairPhone(within(t), "+1 555 000 0001", true, whatsmeow.PairClientChrome, "Chrome (Linux)")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.EnterCode(alicePhone, code); !errors.Is(err, chatsim.ErrNotShown) {
		t.Errorf("the code on another's phone: %v", err)
	}
	if err := s.EnterCode(hostPhone, "1234-5678"); !errors.Is(err, chatsim.ErrWrongCode) {
		t.Errorf("a wrong code: %v", err)
	}
	if err := s.EnterCode(hostPhone, code); err != nil {
		t.Fatal(err)
	}
	await[*events.Connected](h)
	if _, err := h.PairPhone(within(t), nobody, true, whatsmeow.PairClientChrome, "Chrome (Linux)"); err == nil {
		t.Error("a number without an account got a code")
	}
}

func TestDeviceLimit(t *testing.T) {
	s := newServer(t, chatsim.Options{})
	for range 4 {
		newPhone(t, s, alicePhone)
	}
	if _, err := chatsim.NewPhone(within(t), s, alicePhone); !errors.Is(err, chatsim.ErrTooManyDevices) {
		t.Errorf("a fifth device: %v", err)
	}
}

func TestListen(t *testing.T) {
	s := newServer(t, chatsim.Options{})
	addr, err := s.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := newHost(t, chatsim.HTTPClient(addr.String()))
	h.pair(s, hostPhone)
	if err := s.WaitConnected(within(t), hostPhone); err != nil {
		t.Error(err)
	}
}

// Clients that are paired at the same moment each get the name with which they
// can log in afterwards.
func TestPairTogether(t *testing.T) {
	s := newServer(t, chatsim.Options{})
	shown := map[*host]string{}
	for range 4 {
		h := newHost(t, s.HTTPClient())
		codes, err := h.GetQRChannel(within(t))
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Connect(); err != nil {
			t.Fatal(err)
		}
		shown[h] = (<-codes).Code
	}
	var scanning sync.WaitGroup
	for _, code := range shown {
		scanning.Go(func() {
			if err := s.ScanQR(hostPhone, code); err != nil {
				t.Error(err)
			}
		})
	}
	scanning.Wait()
	for h := range shown {
		await[*events.Connected](h)
	}
}

func TestPhoneAgain(t *testing.T) {
	s := newServer(t, chatsim.Options{})
	alice, host := newPhone(t, s, alicePhone), newPhone(t, s, hostPhone)
	if _, err := alice.Send(within(t), hostPhone, "Before"); err != nil {
		t.Fatal(err)
	}
	hear(t, host, alicePhone, "Before")
	s.Logout(hostPhone)
	host, err := host.Relink(within(t), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(host.Close)
	if _, err := alice.Send(within(t), hostPhone, "After"); err != nil {
		t.Fatal(err)
	}
	hear(t, host, alicePhone, "After")
	if all := host.Messages(); len(all) != 2 || s.Connected(hostPhone) != 1 {
		t.Errorf("%d messages on %d devices, want 2 on 1", len(all), s.Connected(hostPhone))
	}
}
