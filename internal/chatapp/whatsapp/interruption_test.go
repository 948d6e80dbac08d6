package whatsapp_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.mau.fi/whatsmeow/types/events"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatsim"
)

func TestDropAndReconnect(t *testing.T) {
	w := connected(t)
	a := w.phone(alice)
	w.sim.Drop(hostPhone)
	w.await("the way down and up", func(h *heard) bool {
		return h.count(isState(parley.NumberDisconnected)) == 1 && h.count(isState(parley.NumberConnected)) == 2
	})
	if err := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: newID(), Phone: alice, Text: "still here"}); err != nil {
		t.Fatal(err)
	}
	if seen := w.next(a); seen.Text != "still here" {
		t.Errorf("%+v", seen)
	}
}

// A message whose answer is lost with the connection arrives once.
func TestSendCutOff(t *testing.T) {
	w := connected(t)
	jid, a := w.group()
	var sent atomic.Int32
	w.sim.SetHooks(chatsim.Hooks{After: func(r chatsim.Request) chatsim.Fault {
		return chatsim.Fault{Cut: r.Phone == hostPhone && r.Kind == "message" && sent.Add(1) == 1}
	}})
	m := chatapp.Message{ID: newID(), JID: jid, Text: "once"}
	if err := w.driver.Send(w.ctx(), w.host, m); err != nil && !errors.Is(err, chatapp.ErrTimeout) {
		t.Errorf("%v", err)
	}
	w.sim.SetHooks(chatsim.Hooks{})
	for _, m := range []chatapp.Message{m, {ID: newID(), JID: jid, Text: "the next"}} {
		if err := w.driver.Send(w.ctx(), w.host, m); err != nil {
			t.Fatal(err)
		}
	}
	if one, two := w.next(a), w.next(a); one.Text != "once" || two.Text != "the next" {
		t.Errorf("%+v, %+v", one, two)
	}
}

func TestOfflineDelivery(t *testing.T) {
	w := connected(t)
	jid, a := w.group()
	w.driver.Close(w.host)
	var ids []string
	for _, text := range []string{"one", "two", "three"} {
		id, err := a.Send(w.ctx(), jid, text)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if n := w.heard.count(func(e any) bool { _, ok := e.(chatapp.Incoming); return ok }); n != 0 {
		t.Errorf("%d messages came to a closed number", n)
	}
	w.restart()
	w.open()
	w.message(func(m chatapp.Incoming) bool { return m.ID == ids[2] })
	var texts []string
	w.heard.count(func(e any) bool {
		if m, ok := e.(chatapp.Incoming); ok {
			texts = append(texts, m.Text)
		}
		return false
	})
	if len(texts) != 3 || texts[0] != "one" || texts[1] != "two" {
		t.Errorf("%q", texts)
	}
}

// A message that the Inbound fails to store is delivered again, by the same
// process and by the next.
func TestNotKept(t *testing.T) {
	w := connected(t)
	jid, a := w.group()
	w.heard.refuseNext(2)
	id, err := a.Send(w.ctx(), jid, "keep me")
	if err != nil {
		t.Fatal(err)
	}
	if m := w.message(func(m chatapp.Incoming) bool { return m.ID == id }); m.Text != "keep me" || w.heard.refusals() != 2 {
		t.Errorf("%+v after %d refusals", m, w.heard.refusals())
	}
	w.heard.refuseNext(1000)
	if id, err = a.Send(w.ctx(), jid, "me too"); err != nil {
		t.Fatal(err)
	}
	w.await("a refusal", func(h *heard) bool { return h.refusals() > 0 })
	w.restart()
	w.heard.refuseNext(0)
	w.open()
	w.message(func(m chatapp.Incoming) bool { return m.ID == id && m.Text == "me too" })
}

// A state that was not stored is reported again.
func TestStateNotKept(t *testing.T) {
	w := newWorld(t)
	w.pair()
	w.heard.refuseOf(2, isState(parley.NumberConnected))
	w.open()
	if got := w.heard.refusals(); got != 2 {
		t.Errorf("it was kept after %d refusals", got)
	}
}

// The same is true for changes of groups and for receipts.
func TestChangesNotKept(t *testing.T) {
	w := connected(t)
	jid, _ := w.group()
	link, err := w.driver.InviteLink(w.ctx(), w.host, jid)
	if err != nil {
		t.Fatal(err)
	}
	w.heard.refuseOf(1, func(e any) bool { c, ok := e.(chatapp.MemberChange); return ok && c.Kind == chatapp.Joined })
	if _, err := w.phone(bob).Join(w.ctx(), link); err != nil {
		t.Fatal(err)
	}
	w.change(jid, chatapp.MemberChange{Kind: chatapp.Joined, Phones: []parley.Phone{bob}, ByLink: true})
	if w.heard.refusals() != 1 {
		t.Errorf("%d changes were not kept", w.heard.refusals())
	}
	w.heard.refuseOf(1, func(e any) bool { r, ok := e.(chatapp.Receipt); return ok && r.By == alice })
	id := newID()
	if err := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: id, JID: jid, Text: "hello"}); err != nil {
		t.Fatal(err)
	}
	w.receipt(id, parley.Delivered, chatapp.Chat{JID: jid, Group: true})
	if w.heard.refusals() != 1 {
		t.Errorf("%d receipts were not kept", w.heard.refusals())
	}
}

func TestBan(t *testing.T) {
	w := connected(t)
	until := time.Now().Add(time.Hour)
	w.sim.Ban(hostPhone, 103, until)
	w.await("banned", func(h *heard) bool { return h.state().Status == parley.NumberBanned })
	if state := w.heard.state(); state.Until.Before(until.Add(-2*time.Second)) || state.Reason == "" {
		t.Errorf("%+v", state)
	}
	err := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: newID(), Phone: alice, Text: "hello"})
	w.limited(err, chatapp.Banned)
}

// A number connects by itself when its ban ends.
func TestBanEnds(t *testing.T) {
	w := connected(t)
	for ban := time.Second; w.heard.count(isState(parley.NumberBanned)) == 0; ban *= 2 { // a slow machine may come after its end
		before := w.heard.count(isState(parley.NumberConnected))
		w.sim.Ban(hostPhone, 103, time.Now().Add(ban))
		w.await("connected again", func(h *heard) bool { return h.count(isState(parley.NumberConnected)) > before })
	}
	if err := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: newID(), Phone: alice, Text: "hello"}); err != nil {
		t.Errorf("after the ban: %v", err)
	}
	// It is disconnected later, but not banned.
	w.sim.Offline(hostPhone, true)
	w.await("cut off", func(h *heard) bool { return h.state().Status == parley.NumberDisconnected })
	ctx, cancel := context.WithTimeout(w.ctx(), 100*time.Millisecond)
	defer cancel()
	if err := w.driver.Send(ctx, w.host, chatapp.Message{ID: newID(), Phone: alice, Text: "hello"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("cut off: %v", err)
	}
}

func TestRestriction(t *testing.T) {
	w := connected(t)
	until := time.Now().Add(time.Hour).UTC().Truncate(time.Second)
	w.sim.Restrict(hostPhone, until)
	w.await("restricted", func(h *heard) bool { return !h.state().RestrictedUntil.IsZero() })
	if state := w.heard.state(); state.Status != parley.NumberConnected || !state.RestrictedUntil.Equal(until) {
		t.Errorf("%+v", state)
	}
	err := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: newID(), Phone: alice, Text: "hello"})
	var limit *chatapp.LimitError
	if !errors.As(err, &limit) || limit.Reason != chatapp.Restricted || !limit.Until.Equal(until) {
		t.Errorf("to a stranger: %v", err)
	}
	if _, _, err := w.driver.CreateGroup(w.ctx(), w.host, "Team", []parley.Phone{alice}); err != nil {
		t.Errorf("a group: %v", err)
	}
	w.sim.Restrict(hostPhone, time.Now().Add(-time.Second))
	w.await("free", func(h *heard) bool { return h.state().RestrictedUntil.IsZero() })
	if err := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: newID(), Phone: carol, Text: "hello"}); err != nil {
		t.Errorf("to a stranger: %v", err)
	}
}

func TestLogout(t *testing.T) {
	w := connected(t)
	w.sim.Logout(hostPhone)
	w.await("logged out", func(h *heard) bool { return h.state().Status == parley.NumberLoggedOut })
	if err := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: newID(), Phone: alice, Text: "hello"}); !errors.Is(err, chatapp.ErrNotConnected) {
		t.Errorf("%v", err)
	}
	if name, err := w.options.Devices.Device(w.ctx(), w.host); name != "" || err != nil {
		t.Errorf("the device is %q, %v", name, err)
	}
	if err := w.driver.Open(w.ctx(), w.host, w.heard); !errors.Is(err, chatapp.ErrNotPaired) {
		t.Errorf("open: %v", err)
	}
	if n := w.count("whatsmeow_device"); n != 0 {
		t.Errorf("the keys of %d devices are left", n)
	}
	w.pair()
	w.open()
	w.conversation()
}

// count counts the rows of one of the library's tables.
func (w *world) count(table string) (n int) {
	w.t.Helper()
	db, err := sql.Open("sqlite", w.options.SQLite)
	if err == nil {
		err = errors.Join(db.QueryRow("SELECT count(*) FROM "+table).Scan(&n), db.Close())
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

func TestLogoutWhileClosed(t *testing.T) {
	w := connected(t)
	w.driver.Close(w.host)
	w.driver.Close(w.host) // a second call has no effect
	w.sim.Logout(hostPhone)
	if err := w.driver.Open(w.ctx(), w.host, w.heard); err != nil {
		t.Fatal(err)
	}
	w.await("logged out", func(h *heard) bool { return h.state().Status == parley.NumberLoggedOut })
}

// The network is down when the number is opened; it comes back.
func TestOpenWhileAway(t *testing.T) {
	w := newWorld(t)
	w.pair()
	w.sim.Offline(hostPhone, true)
	if err := w.driver.Open(w.ctx(), w.host, w.heard); err != nil {
		t.Fatal(err)
	}
	if err := w.driver.Open(w.ctx(), w.host, w.heard); err != nil {
		t.Errorf("opened twice: %v", err)
	}
	w.await("disconnected", func(h *heard) bool { return h.state().Status == parley.NumberDisconnected })
	w.sim.Offline(hostPhone, false)
	w.await("connected", func(h *heard) bool { return h.state().Status == parley.NumberConnected })
}

// The library reports an interruption in a goroutine of its own, possibly after
// the report that the connection is back.
func TestInterruptionToldLate(t *testing.T) {
	w := newWorld(t)
	w.pair()
	w.driver.SetReturnTime(2 * time.Second)
	w.open()
	w.driver.Tell(w.host.NumberID, &events.Disconnected{})
	w.await("disconnected and connected again", func(h *heard) bool {
		return h.count(isState(parley.NumberDisconnected)) > 0 && h.state().Status == parley.NumberConnected
	})
}

// An unreachableNetwork fails like a DNS lookup, with details that only the
// operator may know.
type unreachableNetwork struct{}

func (unreachableNetwork) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("lookup web.example on 10.1.2.3:53: no such host")
}

// The reason why the network cannot be reached is only logged. A state and a
// pairing say only that it cannot.
func TestReasonsNameNoAddresses(t *testing.T) {
	w := newWorld(t)
	w.pair()
	var log syncLog
	w.options.HTTPClient = &http.Client{Transport: unreachableNetwork{}}
	w.options.Logger = slog.New(slog.NewTextHandler(&log, nil))
	w.restart()
	if err := w.driver.Open(w.ctx(), w.host, w.heard); err != nil {
		t.Fatal(err)
	}
	w.await("disconnected", func(h *heard) bool { return h.state().Status == parley.NumberDisconnected })
	if got, want := w.heard.state().Reason, "the messaging application cannot be reached"; got != want {
		t.Errorf("the reason is %q, want %q", got, want)
	}
	if !strings.Contains(log.text(), "10.1.2.3") {
		t.Errorf("the operator does not see why: %s", log.text())
	}
}

// A syncLog collects the log lines of several goroutines.
type syncLog struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *syncLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *syncLog) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Two drivers with one number disconnect each other, and the session reports it.
func TestTwoProcesses(t *testing.T) {
	w := connected(t)
	other := *w
	other.heard = &heard{changed: make(chan struct{})}
	other.options.SQLite = w.options.SQLite
	other.start()
	defer other.shutdown()
	other.open()
	w.await("thrown out", func(h *heard) bool {
		s := h.state()
		return s.Status == parley.NumberDisconnected && s.Reason != ""
	})
	w.driver.Close(w.host)
}

// One process has several numbers, of several workspaces.
func TestSeveralNumbers(t *testing.T) {
	w := connected(t)
	second := chatapp.Host{Workspace: parley.WorkspaceID{2}, NumberID: parley.ID{2}, Phone: carol}
	steps, err := w.driver.Pair(w.ctx(), second, chatapp.PairByQR)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.sim.ScanQR(carol, (<-steps).Code); err != nil {
		t.Fatal(err)
	}
	if last := <-steps; last.Kind != chatapp.Paired || last.Phone != carol {
		t.Fatalf("%+v", last)
	}
	hears := &heard{changed: make(chan struct{})}
	if err := w.driver.Open(w.ctx(), second, hears); err != nil {
		t.Fatal(err)
	}
	if err := w.driver.Send(w.ctx(), second, chatapp.Message{ID: newID(), Phone: hostPhone, Text: "hello, Acme"}); err != nil {
		t.Fatal(err)
	}
	if m := w.message(func(m chatapp.Incoming) bool { return m.Text == "hello, Acme" }); m.From != carol {
		t.Errorf("%+v", m)
	}
	if err := w.driver.Unpair(w.ctx(), second); err != nil {
		t.Fatal(err)
	}
	if n := w.sim.Connected(hostPhone); n != 1 {
		t.Errorf("the first number has %d connections", n)
	}
}

// Two workspaces have the same phone, as two of its devices. Messages of one
// arrive at the other as the number's own, with their receipts.
func TestTwoDevicesOfOneAccount(t *testing.T) {
	w := connected(t)
	a := w.phone(alice)
	second := chatapp.Host{Workspace: parley.WorkspaceID{2}, NumberID: parley.ID{2}, Phone: hostPhone}
	steps, err := w.driver.Pair(w.ctx(), second, chatapp.PairByQR)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.sim.ScanQR(hostPhone, (<-steps).Code); err != nil {
		t.Fatal(err)
	}
	w.finish(steps)
	other := *w
	other.heard = &heard{changed: make(chan struct{})}
	if err := w.driver.Open(w.ctx(), second, other.heard); err != nil {
		t.Fatal(err)
	}
	other.await("connected", func(h *heard) bool { return h.state().Status == parley.NumberConnected })
	id := newID()
	if err := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: id, Phone: alice, Text: "hello"}); err != nil {
		t.Fatal(err)
	}
	m := other.message(func(m chatapp.Incoming) bool { return m.Text == "hello" })
	if !m.FromMe || m.ID != id || m.From != hostPhone || m.Chat.Phone != alice {
		t.Errorf("%+v", m)
	}
	if err := a.Read(w.ctx(), w.next(a)); err != nil {
		t.Fatal(err)
	}
	w.receipt(id, parley.Read, m.Chat)
	other.receipt(id, parley.Read, m.Chat)
	if err := w.driver.Unpair(w.ctx(), second); err != nil {
		t.Fatal(err)
	}
	if n := w.sim.Connected(hostPhone); n != 1 || w.heard.state().Status != parley.NumberConnected {
		t.Errorf("the first device has %d connections", n)
	}
}

// running counts the goroutines, except those that the library leaves behind
// when a connection ends while a frame arrives: they wait for a reader that has
// ended.
func running() (count int, stacks string) {
	text := make([]byte, 1<<20)
	stacks = string(text[:runtime.Stack(text, true)])
	for stack := range strings.SplitSeq(stacks, "\n\n") {
		if !strings.Contains(stack, "(*FrameSocket).frameComplete") {
			count++
		}
	}
	return count, stacks
}

// After Shutdown no goroutine of a driver is left.
func TestNothingRunsOn(t *testing.T) {
	before, _ := running()
	t.Run("a life", func(t *testing.T) {
		w := connected(t)
		w.conversation()
		w.sim.Drop(hostPhone)
		w.await("connected again", func(h *heard) bool { return h.count(isState(parley.NumberConnected)) == 2 })
		steps, err := w.driver.Pair(w.ctx(), chatapp.Host{Workspace: parley.WorkspaceID{2}, NumberID: parley.ID{2}, Phone: carol}, chatapp.PairByQR)
		if err != nil {
			t.Fatal(err)
		}
		<-steps
	})
	for deadline := time.Now().Add(15 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		now, stacks := running()
		if now <= before {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, before %d:\n%s", now, before, stacks)
		}
	}
}
