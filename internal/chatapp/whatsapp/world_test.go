package whatsapp_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatsim"
	"parley/internal/chatapp/whatsapp"
	"parley/internal/pgtest"
)

func TestMain(m *testing.M) {
	chatsim.Trust(chatsim.DefaultSeed)
	whatsapp.Prepare("Parley", slog.New(slog.DiscardHandler))
	pgtest.Main(m)
}

// The people in the tests.
const (
	hostPhone = "15550000001"
	alice     = "15550000002"
	bob       = "15550000003" // may only be invited
	carol     = "15550000004"
	nobody    = "15550000009" // is not on the network
)

// A world is a driver, the network that it connects to, and what the Inbound
// received.
type world struct {
	t       *testing.T
	sim     *chatsim.Server
	options whatsapp.Options
	driver  *whatsapp.Driver
	heard   *heard
	host    chatapp.Host
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return newWorldOn(t, whatsapp.Options{SQLite: filepath.Join(t.TempDir(), "whatsapp.db")})
}

func newWorldOn(t *testing.T, o whatsapp.Options) *world {
	t.Helper()
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if os.Getenv("CHATSIM_LOG") != "" {
		o.Logger = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	sim := chatsim.New(chatsim.Options{Seed: chatsim.DefaultSeed})
	t.Cleanup(func() {
		if err := sim.Close(); err != nil {
			t.Error(err)
		}
	})
	sim.AddAccount(hostPhone, chatsim.AccountOptions{Name: "Acme"})
	sim.AddAccount(alice, chatsim.AccountOptions{Name: "Alice"})
	sim.AddAccount(bob, chatsim.AccountOptions{Name: "Bob", Refuse: 403})
	sim.AddAccount(carol, chatsim.AccountOptions{Name: "Carol", Aliases: []string{"155500000044"}})
	o.Devices, o.HTTPClient, o.Clock = &devices{}, sim.HTTPClient(), time.Now
	w := &world{t: t, sim: sim, options: o, heard: &heard{changed: make(chan struct{})}}
	w.host = chatapp.Host{Workspace: parley.WorkspaceID{1}, NumberID: parley.ID{1}, Phone: hostPhone}
	w.start()
	t.Cleanup(w.shutdown)
	return w
}

func (w *world) start() {
	w.t.Helper()
	var err error
	if w.driver, err = whatsapp.New(w.ctx(), w.options); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) shutdown() {
	w.t.Helper()
	if err := w.driver.Shutdown(); err != nil {
		w.t.Error(err)
	}
}

// restart starts a new process over the same store.
func (w *world) restart() {
	w.t.Helper()
	w.shutdown()
	w.start()
}

func (w *world) ctx() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	w.t.Cleanup(cancel)
	return ctx
}

// pair pairs the host with a QR code.
func (w *world) pair() {
	w.t.Helper()
	steps, err := w.driver.Pair(w.ctx(), w.host, chatapp.PairByQR)
	if err != nil {
		w.t.Fatal(err)
	}
	first := <-steps
	if first.Kind != chatapp.QRCode || !first.Until.After(time.Now()) {
		w.t.Fatalf("the first step is %+v", first)
	}
	if err := w.sim.ScanQR(hostPhone, first.Code); err != nil {
		w.t.Fatal(err)
	}
	w.finish(steps)
}

// finish reads the steps up to the last.
func (w *world) finish(steps <-chan chatapp.PairStep) {
	w.t.Helper()
	var last chatapp.PairStep
	for step := range steps {
		last = step
	}
	if last.Kind != chatapp.Paired || last.Phone != hostPhone {
		w.t.Fatalf("the last step is %+v", last)
	}
}

// open connects the host.
func (w *world) open() {
	w.t.Helper()
	before := w.heard.count(isState(parley.NumberConnected))
	if err := w.driver.Open(w.ctx(), w.host, w.heard); err != nil {
		w.t.Fatal(err)
	}
	w.await("connected", func(h *heard) bool { return h.count(isState(parley.NumberConnected)) > before })
}

// connected returns a world whose host is paired and open.
func connected(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.pair()
	w.open()
	return w
}

// phone returns a person's phone with the application.
func (w *world) phone(number string) *chatsim.Phone {
	w.t.Helper()
	p, err := chatsim.NewPhone(w.ctx(), w.sim, number)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(p.Close)
	return p
}

// next returns the next message that a person sees.
func (w *world) next(p *chatsim.Phone) chatsim.Message {
	w.t.Helper()
	m, err := p.Next(w.ctx())
	if err != nil {
		w.t.Fatalf("%s sees nothing: %v", p.Number(), err)
	}
	return m
}

// group creates a group with Alice, who answers like a real client.
func (w *world) group() (string, *chatsim.Phone) {
	w.t.Helper()
	p := w.phone(alice)
	g, _, err := w.driver.CreateGroup(w.ctx(), w.host, "Team", []parley.Phone{alice})
	if err != nil {
		w.t.Fatal(err)
	}
	return g.JID, p
}

// await waits until what was received satisfies a condition.
func (w *world) await(what string, is func(*heard) bool) {
	w.t.Helper()
	deadline := time.After(15 * time.Second)
	for {
		changed := w.heard.change()
		if is(w.heard) {
			return
		}
		select {
		case <-changed:
		case <-deadline:
			w.t.Fatalf("%s: not heard among %s", what, w.heard)
		}
	}
}

// message waits for a message that satisfies a condition.
func (w *world) message(fits func(chatapp.Incoming) bool) chatapp.Incoming {
	w.t.Helper()
	var found chatapp.Incoming
	w.await("a message", func(h *heard) bool {
		return h.count(func(e any) bool {
			m, ok := e.(chatapp.Incoming)
			if ok && fits(m) {
				found = m
				return true
			}
			return false
		}) > 0
	})
	return found
}

func newID() string { return parley.NewIDs(nil).New(time.Now()).String() }

// devices stores which device belongs to which number; it outlives a driver.
type devices struct {
	mu    sync.Mutex
	names map[parley.ID]string
	full  bool // and stores nothing more
	other bool // they are of another network
}

func (d *devices) Device(_ context.Context, host chatapp.Host) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.other {
		return "", fmt.Errorf("the device of a number: %w", chatapp.ErrOtherNetwork)
	}
	return d.names[host.NumberID], nil
}

func (d *devices) SetDevice(_ context.Context, host chatapp.Host, jid string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.full || d.other {
		return errRefused
	}
	if d.names == nil {
		d.names = map[parley.ID]string{}
	}
	d.names[host.NumberID] = jid
	return nil
}

// heard is an Inbound that records everything.
type heard struct {
	mu      sync.Mutex
	events  []any // Incoming, Receipt, MemberChange, State
	changed chan struct{}
	refuses func(any) bool // selects what it fails to store now
	refuse  int            // how often
	refused int
}

var errRefused = errors.New("the disk is full")

// refuseNext makes storing the next messages fail.
func (h *heard) refuseNext(n int) {
	h.refuseOf(n, func(e any) bool { _, ok := e.(chatapp.Incoming); return ok })
}

// refuseOf makes storing the next records of a kind fail.
func (h *heard) refuseOf(n int, is func(any) bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.refuse, h.refused, h.refuses = n, 0, is
}

// refusals returns how many records were refused since refuseNext or refuseOf.
func (h *heard) refusals() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.refused
}

func (h *heard) keep(event any) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	close(h.changed)
	h.changed = make(chan struct{})
	if h.refused < h.refuse && h.refuses(event) {
		h.refused++
		return errRefused
	}
	h.events = append(h.events, event)
	return nil
}

func (h *heard) Message(_ context.Context, _ chatapp.Host, m chatapp.Incoming) error {
	return h.keep(m)
}

func (h *heard) Receipt(_ context.Context, _ chatapp.Host, r chatapp.Receipt) error { return h.keep(r) }

func (h *heard) Membership(_ context.Context, _ chatapp.Host, c chatapp.MemberChange) error {
	return h.keep(c)
}

func (h *heard) State(_ context.Context, _ chatapp.Host, s chatapp.State) error { return h.keep(s) }

func (h *heard) change() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.changed
}

func (h *heard) count(is func(any) bool) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for _, e := range h.events {
		if is(e) {
			n++
		}
	}
	return n
}

// state returns the newest state of the number.
func (h *heard) state() chatapp.State {
	h.mu.Lock()
	defer h.mu.Unlock()
	var last chatapp.State
	for _, e := range h.events {
		if s, ok := e.(chatapp.State); ok {
			last = s
		}
	}
	return last
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return fmt.Sprintf("%+v", h.events)
}

func isState(status parley.NumberStatus) func(any) bool {
	return func(e any) bool {
		s, ok := e.(chatapp.State)
		return ok && s.Status == status
	}
}
