package chatsim_test

import (
	"context"
	"database/sql"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/store"
	"go.mau.fi/whatsmeow/store/sqlstore"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"
	waLog "go.mau.fi/whatsmeow/util/log"
	"google.golang.org/protobuf/proto"

	"parley/internal/chatapp/chatsim"
)

func TestMain(m *testing.M) {
	chatsim.Trust(chatsim.DefaultSeed)
	os.Exit(m.Run())
}

// The people in the tests.
const (
	hostPhone  = "15550000001"
	alicePhone = "15550000002"
	bobPhone   = "15550000003" // may only be invited
	nobody     = "15550000009" // is not on the network
)

func newServer(t *testing.T, o chatsim.Options) *chatsim.Server {
	t.Helper()
	o.Seed = chatsim.DefaultSeed
	if os.Getenv("CHATSIM_LOG") != "" {
		o.Logger = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	s := chatsim.New(o)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	s.AddAccount(hostPhone, chatsim.AccountOptions{Name: "Acme"})
	s.AddAccount(alicePhone, chatsim.AccountOptions{Name: "Alice"})
	s.AddAccount(bobPhone, chatsim.AccountOptions{Name: "Bob", Refuse: 403})
	return s
}

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func newPhone(t *testing.T, s *chatsim.Server, number string) *chatsim.Phone {
	t.Helper()
	p, err := chatsim.NewPhone(within(t), s, number)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// A host is a plain client that records every event.
type host struct {
	*whatsmeow.Client
	t      *testing.T
	device *store.Device
	web    *http.Client
	events chan any
	refuse chan struct{} // one for each message whose handling must fail
}

// refused is recorded in place of a message that the handler failed to store.
type refused struct{}

// newHost creates a client with a store of its own, not yet paired.
func newHost(t *testing.T, web *http.Client) *host {
	t.Helper()
	file := filepath.Join(t.TempDir(), "host.db")
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=foreign_keys(1)&_pragma=busy_timeout(5000)"+
		"&_pragma=journal_mode(WAL)&_pragma=synchronous(0)&_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	container := sqlstore.NewWithDB(db, "sqlite", waLog.Noop)
	if err := container.Upgrade(within(t)); err != nil {
		t.Fatal(err)
	}
	h := &host{t: t, device: container.NewDevice(), web: web}
	h.client()
	return h
}

// client creates the client again over the same store, as after a restart.
func (h *host) client() {
	h.events, h.refuse = make(chan any, 1000), make(chan struct{}, 1)
	log := waLog.Noop
	if os.Getenv("CHATSIM_LOG") != "" {
		log = waLog.Stdout("host", "DEBUG", false)
	}
	h.Client = whatsmeow.NewClient(h.device, log)
	h.SynchronousAck, h.EnableDecryptedEventBuffer, h.UseRetryMessageStore = true, true, true
	h.SetWebsocketHTTPClient(h.web)
	h.SetPreLoginHTTPClient(h.web)
	h.SetMediaHTTPClient(h.web)
	told, refuse := h.events, h.refuse
	h.AddEventHandlerWithSuccessStatus(func(e any) bool {
		if m, ok := e.(*events.Message); ok && m.Message.GetConversation() != "" {
			select {
			case <-refuse:
				told <- refused{}
				return false
			default:
			}
		}
		told <- e
		return true
	})
	h.t.Cleanup(h.Disconnect)
}

// pair pairs by QR and waits for the connection.
func (h *host) pair(s *chatsim.Server, phone string) {
	h.t.Helper()
	codes, err := h.GetQRChannel(within(h.t))
	if err != nil {
		h.t.Fatal(err)
	}
	if err := h.Connect(); err != nil {
		h.t.Fatal(err)
	}
	item := <-codes
	if err := s.ScanQR(phone, item.Code); err != nil {
		h.t.Fatal(err)
	}
	await[*events.Connected](h)
}

func newPairedHost(t *testing.T, s *chatsim.Server) *host {
	t.Helper()
	h := newHost(t, s.HTTPClient())
	h.pair(s, hostPhone)
	return h
}

// await waits for an event of a type, and skips others.
func await[E any](h *host) E {
	h.t.Helper()
	return awaitIf(h, func(E) bool { return true })
}

func awaitIf[E any](h *host, is func(E) bool) E {
	h.t.Helper()
	late := time.NewTimer(20 * time.Second)
	defer late.Stop()
	for {
		select {
		case e := <-h.events:
			if wanted, ok := e.(E); ok && is(wanted) {
				return wanted
			}
		case <-late.C:
			var none E
			h.t.Fatalf("no %T came", none)
			return none
		}
	}
}

// awaitText waits for a message with a text.
func awaitText(h *host, want string) *events.Message {
	h.t.Helper()
	return awaitIf(h, func(m *events.Message) bool { return m.Message.GetConversation() == want })
}

func (h *host) say(to types.JID, said string) string {
	h.t.Helper()
	sent, err := h.SendMessage(within(h.t), to, &waE2E.Message{Conversation: proto.String(said)})
	if err != nil {
		h.t.Fatalf("send %q: %v", said, err)
	}
	return sent.ID
}

func user(phone string) types.JID { return types.NewJID(phone, types.DefaultUserServer) }

// hear waits for the next message on a phone and compares its text and author.
func hear(t *testing.T, p *chatsim.Phone, from, want string) chatsim.Message {
	t.Helper()
	m, err := p.Next(within(t))
	if err != nil {
		t.Fatalf("%s waits for %q: %v", p.Number(), want, err)
	}
	if m.Text != want || m.From != from {
		t.Fatalf("%s heard %q from %s, want %q from %s", p.Number(), m.Text, m.From, want, from)
	}
	return m
}
