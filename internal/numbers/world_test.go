package numbers_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/blob"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatapptest"
	"parley/internal/desk"
	"parley/internal/numbers"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/vault"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const (
	host = parley.Phone("4930555001")
	ann  = parley.Phone("4915100000077")
	bea  = parley.Phone("4915100000071") // must be invited to groups
)

// maxUpload is the most bytes of a file.
const maxUpload = 1 << 19

// A world is a workspace with a number on an in-memory network, and the nodes
// that share the store.
type world struct {
	t       *testing.T
	options store.Options
	clock   atomic.Int64
	network *chatapptest.World
	vault   *vault.Vault
	log     *slog.Logger // of future nodes
	place   string       // of the files
	files   desk.Files
	ws      parley.WorkspaceID
	number  parley.ID
	inbox   parley.ID
}

// A node is a process that shares the store.
type node struct {
	*desk.Desk
	*numbers.Service
	access *access.Service
	store  *store.Store
	driver *chatapptest.Driver
}

func each(t *testing.T, test func(t *testing.T, w *world, a *node)) {
	t.Helper()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := &world{t: t, options: o, log: storetest.Quiet(), place: filepath.Join(t.TempDir(), "files")}
		w.files = blob.NewFolder(w.place)
		w.clock.Store(time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC).UnixMilli())
		w.network = chatapptest.NewWorld(w.now)
		keys, err := vault.FromFile(filepath.Join(t.TempDir(), "master.key"))
		if err != nil {
			t.Fatal(err)
		}
		w.vault = keys.WithPasswordCost(vault.Cost{Memory: 8, Passes: 1}) // no test is about the owner's password
		a := w.node("a", w.now)
		founded, err := a.access.CreateWorkspace(t.Context(), "Home", "owner@home.example")
		if err != nil {
			t.Fatal(err)
		}
		w.ws = founded.Workspace.ID
		test(t, w, a)
	})
}

func (w *world) now() time.Time { return time.UnixMilli(w.clock.Load()).UTC() }

func (w *world) advance(d time.Duration) { w.clock.Add(d.Milliseconds()) }

func (w *world) by() desk.Caller { return desk.Caller{Workspace: w.ws} }

func (w *world) node(name string, clock parley.Clock) *node {
	w.t.Helper()
	return w.nodeOf(name, clock, func(d *chatapptest.Driver) chatapp.Connector { return d })
}

// nodeOf is node with another connector, made of the driver.
func (w *world) nodeOf(name string, clock parley.Clock, connector func(*chatapptest.Driver) chatapp.Connector) *node {
	w.t.Helper()
	return w.nodeWith(name, connector, desk.Options{Clock: clock})
}

// nodeLiving is node with a running time.
func (w *world) nodeLiving(name string, elapsed func() time.Duration) *node {
	w.t.Helper()
	plain := func(d *chatapptest.Driver) chatapp.Connector { return d }
	return w.nodeWith(name, plain, desk.Options{Clock: w.now, Elapsed: elapsed})
}

func (w *world) nodeWith(name string, connector func(*chatapptest.Driver) chatapp.Connector, o desk.Options) *node {
	w.t.Helper()
	n := &node{store: storetest.Open(w.t, w.options)}
	n.driver = w.network.Driver(name, n.store)
	o.Store, o.Vault, o.IDs, o.Log = n.store, w.vault, parley.NewIDs(nil), w.log
	connectors := map[parley.Driver]chatapp.Connector{parley.DriverWhatsApp: connector(n.driver)}
	o.Capabilities = numbers.CapabilitiesOf(connectors)
	o.Files, o.MaxUpload = w.files, maxUpload
	n.Desk = desk.New(o)
	n.access = access.New(n.Desk)
	n.Service = numbers.New(numbers.Options{
		Desk: n.Desk, Connectors: connectors, InviteGap: func() time.Duration { return time.Millisecond },
	})
	w.t.Cleanup(func() { n.GiveNumbersBack(context.Background()) })
	return n
}

// pair creates a number, pairs it on a node, and has that node open it.
func (w *world) pair(n *node) {
	w.t.Helper()
	saved, err := n.ConnectNumber(w.t.Context(), w.by(), host, parley.DriverWhatsApp)
	w.must(err)
	w.number, w.inbox = saved.Record.ID, saved.Record.InboxID
	_, err = n.PairNumber(w.t.Context(), w.by(), w.number, chatapp.PairByQR)
	w.must(err)
	w.until("a code", func() bool { return w.pairing(n).Kind == "qr_code" })
	w.must(n.driver.Scan(w.t.Context(), chatapp.PairStep{Kind: chatapp.Paired, Phone: host}))
	w.until("paired", func() bool { return w.pairing(n).Kind == "paired" })
	w.tend(n)
	w.wantStatus(n, parley.NumberConnected)
}

func (w *world) pairing(n *node) parley.Pairing {
	w.t.Helper()
	p, err := n.Pairing(w.by(), w.number).Now(w.t.Context())
	w.must(err)
	return p
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// until polls a condition with a deadline.
func (w *world) until(what string, done func() bool) {
	w.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.t.Fatalf("%s did not come", what)
		}
	}
}

func (w *world) tend(n *node) {
	w.t.Helper()
	w.must(n.TendNumbers(w.t.Context()))
}

func (w *world) get(n *node) parley.Number {
	w.t.Helper()
	page, err := n.Numbers(w.ws, parley.Position{}, 9).Now(w.t.Context())
	w.must(err)
	return page.Items[0]
}

func (w *world) wantStatus(n *node, want parley.NumberStatus) {
	w.t.Helper()
	if got := w.get(n); got.Status != want {
		w.t.Errorf("the number is %s (%s), want %s", got.Status, got.Reason, want)
	}
}

// say delivers a message from the network to the number's client.
func (w *world) say(m chatapp.Incoming) error {
	if m.At.IsZero() {
		m.At = w.now()
	}
	return w.network.Tell(w.t.Context(), host, func(ctx context.Context, h chatapp.Host, in chatapp.Inbound) error {
		return in.Message(ctx, h, m)
	})
}

func (w *world) receipt(r chatapp.Receipt) {
	w.t.Helper()
	w.must(w.network.Tell(w.t.Context(), host, func(ctx context.Context, h chatapp.Host, in chatapp.Inbound) error {
		return in.Receipt(ctx, h, r)
	}))
}

func (w *world) change(c chatapp.MemberChange) {
	w.t.Helper()
	w.must(w.network.Tell(w.t.Context(), host, func(ctx context.Context, h chatapp.Host, in chatapp.Inbound) error {
		return in.Membership(ctx, h, c)
	}))
}

func (w *world) state(s chatapp.State) {
	w.t.Helper()
	w.must(w.network.Tell(w.t.Context(), host, func(ctx context.Context, h chatapp.Host, in chatapp.Inbound) error {
		return in.State(ctx, h, s)
	}))
}

// chat is the chat with a person.
func chat(phone parley.Phone) chatapp.Chat {
	return chatapp.Chat{JID: string(phone) + "@p", Phone: phone}
}

func (w *world) conversations(n *node) []parley.Conversation {
	w.t.Helper()
	page, err := n.Conversations(parley.WholeWorkspace(w.ws), desk.ConversationFilter{}, parley.Position{}, 50).Now(w.t.Context())
	w.must(err)
	return page.Items
}

// talk returns the messages of a conversation as lines.
func (w *world) talk(n *node, conversation parley.ID) []string {
	w.t.Helper()
	thread, err := n.Thread(parley.WholeWorkspace(w.ws), conversation, parley.Position{}, 50).Now(w.t.Context())
	w.must(err)
	var lines []string
	for _, m := range thread.Messages.Items {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s/%s: %s %s", m.Status, m.Sender.Type, m.Sender.Name, m.Content, m.Error)))
	}
	return lines
}

func (w *world) wantTalk(n *node, conversation parley.ID, want ...string) {
	w.t.Helper()
	if got := w.talk(n, conversation); !slices.Equal(got, want) {
		w.t.Errorf("the conversation is\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func (w *world) post(n *node, conversation parley.ID, content string) (parley.Message, error) {
	return n.PostMessage(w.t.Context(), w.by(), conversation, desk.NewMessage{Content: content, ContentType: parley.Text, Direction: parley.Outgoing})
}

// conversation starts a conversation in the number's inbox with the person of a
// phone.
func (w *world) conversation(n *node, phone string) parley.Conversation {
	w.t.Helper()
	contact, err := n.SaveContact(w.t.Context(), w.by(), desk.ContactFields{Name: parley.Some("Ann"), PhoneNumber: parley.Some(phone)})
	w.must(err)
	c, err := n.CreateConversation(w.t.Context(), w.by(), desk.NewConversation{ContactID: contact.Record.ID, InboxID: w.inbox})
	w.must(err)
	return c
}

// texts returns what arrived at the network, with the node that brought it.
func (w *world) texts() []string {
	var all []string
	for _, a := range w.network.Arrivals() {
		all = append(all, a.Node+": "+a.Text)
	}
	return all
}

func (w *world) wantTexts(want ...string) {
	w.t.Helper()
	if got := w.texts(); !slices.Equal(got, want) {
		w.t.Errorf("the network got %q, want %q", got, want)
	}
}
