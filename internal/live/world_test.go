package live_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/live"
)

// A memory is a log in memory with several workspaces.
type memory struct {
	mu     sync.Mutex
	logs   map[parley.WorkspaceID]*history
	ended  map[parley.Credential]bool
	broken bool
	reads  int                          // calls of Events
	shown  map[int64]live.CustomerEvent // what customers see of an event
	blind  bool                         // the view fails

	showHold chan struct{} // the view waits for its end
	shows    int           // calls that wait for it

	// What waits, by the method and the number after which it reads; the
	// channel's end lets it go on.
	gates map[gate]chan struct{}
}

type gate struct {
	method string
	after  int64
}

// hold makes a method wait once it has read after a number. It returns a
// function that releases it, and a channel that reports that it waits.
func (m *memory) hold(method string, after int64) (waits chan struct{}, release func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	waits, goOn := make(chan struct{}), make(chan struct{})
	if m.gates == nil {
		m.gates = map[gate]chan struct{}{}
	}
	g := gate{method, after}
	m.gates[g] = waits
	m.gates[gate{method + " on", after}] = goOn
	return waits, func() { close(goOn) }
}

// pass waits at a gate, if there is one.
func (m *memory) pass(method string, after int64) {
	m.mu.Lock()
	g := gate{method, after}
	waits, goOn := m.gates[g], m.gates[gate{method + " on", after}]
	delete(m.gates, g)
	m.mu.Unlock()
	if waits != nil {
		close(waits)
		<-goOn
	}
}

type history struct {
	epoch  string
	oldest int64 // number of the first stored event
	seq    int64
	access int64
	events []parley.Event
}

var errBroken = errors.New("the log is broken")

func (m *memory) LogHeads(_ context.Context, workspaces []parley.WorkspaceID) (heads []parley.LogHead, err error) {
	defer func() {
		if len(heads) == 1 {
			m.pass("LogHeads", heads[0].Seq)
		}
	}()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.broken {
		return nil, errBroken
	}
	for _, ws := range workspaces {
		if h := m.logs[ws]; h != nil {
			heads = append(heads, parley.LogHead{
				Workspace: ws, LogPosition: h.at(h.seq), Access: h.access,
			})
		}
	}
	return heads, nil
}

func (m *memory) EventsAfter(_ context.Context, ws parley.WorkspaceID, after parley.LogPosition, limit int) (parley.LogTail, error) {
	defer m.pass("EventsAfter", after.Seq)
	events, err := m.behind(ws, after.Seq, limit)
	m.mu.Lock()
	defer m.mu.Unlock()
	h := m.logs[ws]
	if len(events) == 0 {
		return parley.LogTail{}, err
	}
	return parley.LogTail{Events: events, Lost: after.Seq >= h.oldest && after.Check != h.at(after.Seq).Check, Access: h.access}, err
}

// at is the position after an event, whose check is that of its history.
func (h *history) at(seq int64) parley.LogPosition {
	at := parley.LogPosition{Epoch: h.epoch, Seq: seq}
	if i := seq - h.oldest; i >= 0 && i < int64(len(h.events)) {
		at.Check = h.events[i].Check
	}
	return at
}

func (m *memory) behind(ws parley.WorkspaceID, after int64, limit int) ([]parley.Event, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.broken {
		return nil, errBroken
	}
	h := m.logs[ws]
	from := max(0, min(after+1-h.oldest, int64(len(h.events))))
	rest := h.events[from:]
	return slices.Clone(rest[:min(limit, len(rest))]), nil
}

func (m *memory) Events(_ context.Context, ws parley.WorkspaceID, after parley.Optional[parley.LogPosition], limit int) (parley.EventPage, error) {
	m.mu.Lock()
	h := *m.logs[ws]
	m.reads++
	m.mu.Unlock()
	at := after.Value
	defer m.pass("Events", at.Seq)
	if at.Epoch != h.epoch || at.Seq < h.oldest-1 || at.Seq > h.seq || at.Check != h.at(at.Seq).Check {
		return parley.EventPage{Reset: true, Next: h.at(h.oldest - 1)}, nil
	}
	events, err := m.behind(ws, at.Seq, limit)
	return parley.EventPage{Events: events, Next: h.at(at.Seq + int64(len(events)))}, err
}

func (m *memory) EndedCredentials(_ context.Context, _ parley.WorkspaceID, credentials []parley.Credential) ([]parley.Credential, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.broken {
		return nil, errBroken
	}
	return slices.DeleteFunc(slices.Clone(credentials), func(c parley.Credential) bool { return !m.ended[c] }), nil
}

// A world is a hub over a log in memory, behind a real server, or behind pipes
// in a bubble of synctest.
type world struct {
	t      *testing.T
	log    *memory
	bell   *live.Bell
	hub    *live.Hub
	server *httptest.Server // nil: open uses pipes
	ws     parley.WorkspaceID
	ids    *parley.IDs
}

type worldOptions struct {
	pollOnly bool // without a bell
	relay    live.Relay
	log      *memory // shared with another node
	node     string
	piped    bool                      // for a bubble, whose clock moves only while nobody waits for a socket
	protocol string                    // of TLS, "http/1.1" or "h2"; "": no TLS
	handler  func(*world) http.Handler // of the server; nil: world.serve
}

func newWorld(t *testing.T, o worldOptions) *world {
	t.Helper()
	w := &world{t: t, log: o.log, ids: parley.NewIDs(nil)}
	if w.log == nil {
		w.log = &memory{logs: map[parley.WorkspaceID]*history{}, ended: map[parley.Credential]bool{}}
	}
	w.ws = w.workspace()
	if !o.pollOnly {
		w.bell = live.NewBell()
	}
	w.hub = live.New(live.Options{
		Log: w.log, Bell: w.bell, Relay: o.relay, Clock: time.Now, Node: o.node,
		Logger: slog.New(slog.DiscardHandler),
		Render: func(b []byte, e *parley.Event) []byte { return append(b, e.Data...) },
		View:   w.log,
	})
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { w.hub.Run(ctx) })
	if !o.piped {
		var handler http.Handler = http.HandlerFunc(w.serve)
		if o.handler != nil {
			handler = o.handler(w)
		}
		w.server = httptest.NewUnstartedServer(handler)
		w.start(o.protocol)
	}
	t.Cleanup(func() {
		cancel()
		running.Wait()
		if w.server != nil {
			w.server.Close()
		}
	})
	return w
}

// serve takes what to subscribe to from the query.
func (w *world) serve(rw http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	sub := live.Subscription{Signals: q.Get("signals") != "", Member: parley.UserID(q.Get("member"))}
	reader := parley.CustomerSession{Workspace: w.ws}
	if text := q.Get("ws"); text != "" {
		reader.Workspace, _ = parley.ParseWorkspaceID(text)
	}
	if text := q.Get("key"); text != "" {
		sub.Credential.ID, _ = parley.ParseID(text)
	}
	if text := q.Get("contact"); text != "" {
		reader.ContactID, _ = parley.ParseID(text)
		reader.InboxID, _ = parley.ParseID(q.Get("inbox"))
	}
	if sub.Visibility = reader.Visibility(); reader.ContactID.IsZero() {
		sub.Visibility = parley.WholeWorkspace(reader.Workspace)
	}
	sub.Address = q.Get("address")
	if text := q.Get("until"); text != "" {
		sub.Until, _ = time.Parse(time.RFC3339Nano, text)
	}
	if text := q.Get("after"); text != "" {
		at, _ := parley.ParseLogPosition(text)
		sub.After = parley.Some(at)
	}
	if text := q.Get("types"); text != "" {
		for kind := range strings.SplitSeq(text, ",") {
			sub.Types = append(sub.Types, parley.EventType(kind))
		}
	}
	if err := w.hub.Serve(rw, r, sub); err != nil {
		http.Error(rw, err.Error(), http.StatusServiceUnavailable)
	}
}

func (w *world) workspace() parley.WorkspaceID {
	ws := parley.WorkspaceID(w.ids.New(time.Now()))
	w.log.mu.Lock()
	defer w.log.mu.Unlock()
	w.log.logs[ws] = &history{epoch: "first", oldest: 1}
	return ws
}

// append adds events whose data are their numbers, and rings.
func (w *world) append(ws parley.WorkspaceID, kind parley.EventType, count int) {
	w.log.mu.Lock()
	h := w.log.logs[ws]
	for range count {
		h.seq++
		h.events = append(h.events, parley.Event{Workspace: ws, Seq: h.seq, Type: kind, Data: fmt.Appendf(nil, `{"ws":%q,"n":%d}`, ws, h.seq)})
	}
	w.log.mu.Unlock()
	if w.bell != nil {
		w.bell.Ring([]parley.WorkspaceID{ws})
	}
}

// end ends the access of a key.
func (w *world) end(key parley.ID) {
	w.log.mu.Lock()
	defer w.log.mu.Unlock()
	w.log.ended[parley.Credential{ID: key}] = true
	w.log.logs[w.ws].access++
}

// change changes the log of a workspace.
func (w *world) change(ws parley.WorkspaceID, fn func(*history)) {
	w.log.mu.Lock()
	defer w.log.mu.Unlock()
	fn(w.log.logs[ws])
}

// A client is the other side of a stream: a bare connection.
type client struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
	// res is the answer, whose head was read, of a stream over HTTP/2. Its
	// connection belongs to the client's library.
	res *http.Response
}

// A frame is one server-sent event.
type frame struct {
	event, id, data string
}

// open opens a stream and reads the head of the answer.
func (w *world) open(query string) *client {
	w.t.Helper()
	switch {
	case w.server == nil:
		return w.openPiped(query)
	case w.server.TLS != nil:
		return w.openSecure(query)
	}
	conn, err := net.Dial("tcp", w.server.Listener.Addr().String())
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = conn.Close() })
	c := &client{t: w.t, conn: conn, in: bufio.NewReaderSize(conn, 4096)}
	if _, err := fmt.Fprintf(conn, "GET /?%s HTTP/1.1\r\nHost: parley\r\n\r\n", query); err != nil {
		w.t.Fatal(err)
	}
	return c
}

// A hijacked answer gives its connection away.
type hijacked struct {
	*httptest.ResponseRecorder
	conn net.Conn
}

func (h hijacked) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return h.conn, bufio.NewReadWriter(bufio.NewReader(h.conn), bufio.NewWriter(h.conn)), nil
}

func (w *world) openPiped(query string) *client {
	near, far := net.Pipe()
	w.t.Cleanup(func() { _ = near.Close() })
	go func() {
		answer := hijacked{httptest.NewRecorder(), far}
		w.serve(answer, httptest.NewRequest(http.MethodGet, "/?"+query, nil))
		if answer.Code != http.StatusOK {
			_ = far.Close()
		}
	}()
	return &client{t: w.t, conn: near, in: bufio.NewReaderSize(near, 4096)}
}

// begin reads the head of the answer and the first position.
func (c *client) begin() *client {
	c.t.Helper()
	c.deadline()
	res := c.res
	if res == nil {
		var err error
		if res, err = http.ReadResponse(c.in, nil); err != nil {
			c.t.Fatal(err)
		}
	}
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" {
		c.t.Fatalf("the answer is %d %v", res.StatusCode, res.Header)
	}
	return c
}

func (c *client) deadline() {
	c.t.Helper()
	if c.conn == nil {
		return
	}
	err := c.conn.SetReadDeadline(time.Now().Add(time.Minute))
	if err != nil && !errors.Is(err, io.ErrClosedPipe) { // of a pipe whose other end is closed, which the next read tells
		c.t.Fatal(err)
	}
}

// next reads the next frame; an empty one is the end of the stream.
func (c *client) next() frame {
	c.t.Helper()
	c.deadline()
	var f frame
	for {
		line, err := c.in.ReadString('\n')
		if errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) || err != nil && strings.Contains(err.Error(), "reset by peer") {
			return frame{}
		}
		if err != nil {
			c.t.Fatalf("read the stream: %v", err)
		}
		line = strings.TrimSuffix(line, "\n")
		name, value, _ := strings.Cut(line, ": ")
		switch name {
		case "event":
			f.event = value
		case "id":
			f.id = value
		case "data":
			f.data = value
		case "":
			if f != (frame{}) {
				return f
			}
		}
	}
}

// wants reads events from one number to another.
func (c *client) wants(from, to int64) {
	c.t.Helper()
	for n := from; n <= to; n++ {
		f := c.next()
		if want := fmt.Sprintf("first.%d", n); f.id != want || f.event == "" {
			c.t.Fatalf("got the event %+v, want %s", f, want)
		}
	}
}

// appendUntilSlowed appends events until the other of two streams, which reads
// nothing, falls behind, and returns their number.
func (w *world) appendUntilSlowed(reads *client) (count int64) {
	w.t.Helper()
	eventually(w.t, "both streams are open", func() bool { return w.hub.Stats().Streams == 2 })
	for w.hub.Stats().Slowed == 0 && count < 2_000_000 {
		w.append(w.ws, parley.MessageCreated, 1000)
		reads.wants(count+1, count+1000)
		count += 1000
	}
	if got := w.hub.Stats(); got.Slowed == 0 {
		w.t.Fatalf("the stalled stream did not fall behind: %+v", got)
	}
	return count
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}
