package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/store/storetest"
)

const (
	soakWorkspaces = 4
	soakReaders    = 25 // of each workspace
	soakWriters    = 4  // of each workspace
	// The line between readers and nodes is down for soakDown in every
	// soakPeriod.
	soakDown   = 2 * time.Second
	soakPeriod = 10 * time.Second
)

// deliveries is the least number of deliveries of a soak: PARLEY_SOAK, else
// 50,000, fewer with the race detector.
func deliveries(t *testing.T) int {
	if text := os.Getenv("PARLEY_SOAK"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("PARLEY_SOAK: must be a number: %v", err)
		}
		return n
	}
	if raceEnabled || testing.Short() {
		return 10_000
	}
	return 50_000
}

// TestStreamsMissNothing runs two nodes on one PostgreSQL. Messages are posted
// and read through both, over a line that is down for 2 seconds in every 10;
// each node is killed once. No reader may miss an event, see one twice, or see
// two in the wrong order. A control reader that goes by the time of creation
// must miss some.
func TestStreamsMissNothing(t *testing.T) {
	for _, pollOnly := range []bool{false, true} {
		t.Run(fmt.Sprintf("wake-ups=%t", !pollOnly), func(t *testing.T) { soak(t, pollOnly) })
	}
}

func soak(t *testing.T, pollOnly bool) {
	o := storetest.Postgres(t)
	c := &cli{data: t.TempDir(), database: o.Database, logLevel: "error"}
	x := &soaking{t: t, posts: deliveries(t) / soakReaders}
	for range soakWorkspaces {
		x.workspaces = append(x.workspaces, found(t, c))
	}
	x.nodes = []*node{newNode(t, c, pollOnly), newNode(t, c, pollOnly)}
	x.line = newLine(t, x.nodes[0].address, x.nodes[1].address)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()

	naive, stop := context.WithCancel(ctx)
	var control sync.WaitGroup
	seen := 0
	control.Go(func() { seen = readByTime(naive, t, o.Database) })

	var readers sync.WaitGroup
	readings := make([]*reading, 0, soakWorkspaces*soakReaders)
	for _, w := range x.workspaces {
		for range soakReaders {
			r := &reading{address: x.line.address(), key: string(w.Secret), start: w.Workspace.Epoch, at: w.Workspace.Epoch + ".0", until: x.lastSeq(w)}
			readings = append(readings, r)
			readers.Go(func() { r.run(ctx) })
		}
	}
	x.write(ctx)
	readers.Wait()
	stop()
	control.Wait()

	total, resumed := 0, 0
	for _, r := range readings {
		total += int(r.last.Load())
		resumed += r.opened - 1
		for _, wrong := range r.wrong {
			t.Error(wrong)
		}
		if r.last.Load() != r.until {
			t.Errorf("a reader has %d of %d events", r.last.Load(), r.until)
		}
	}
	all := x.posts / soakWorkspaces * soakWorkspaces
	t.Logf("%d deliveries to %d readers, who resumed %d times; reading by time misses %d of %d", total, len(readings), resumed, all-seen, all)
	if resumed < len(readings) {
		t.Errorf("the readers resumed only %d times: the line was not down", resumed)
	}
	if seen >= all {
		t.Error("a reader that goes by the time of creation missed nothing, so this test proves nothing")
	}
}

// found founds a workspace with one conversation.
func found(t testing.TB, c *cli) *soakWorkspace {
	t.Helper()
	h, err := c.open(t.Context(), appOptions{log: storetest.Quiet(), clock: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := h.close(); err != nil {
			t.Error(err)
		}
	}()
	w := &soakWorkspace{}
	if w.Founding, err = h.access.CreateWorkspace(t.Context(), "Soak", "owner@soak.example"); err != nil {
		t.Fatal(err)
	}
	by := desk.Caller{Workspace: w.Founding.Workspace.ID}
	contact, err := h.desk.SaveContact(t.Context(), by, desk.ContactFields{Name: parley.Some("Ann")})
	if err != nil {
		t.Fatal(err)
	}
	conversation, err := h.desk.CreateConversation(t.Context(), by, desk.NewConversation{ContactID: contact.Record.ID})
	if err != nil {
		t.Fatal(err)
	}
	w.conversation = conversation.ID
	if w.Founding.Workspace, err = h.desk.Workspace(t.Context(), by.Workspace); err != nil {
		t.Fatal(err)
	}
	return w
}

type soakWorkspace struct {
	access.Founding
	conversation parley.ID
}

type soaking struct {
	t          *testing.T
	posts      int // in all workspaces
	workspaces []*soakWorkspace
	nodes      []*node
	line       *line
	posted     atomic.Int64
}

// lastSeq is the number of a workspace's last event when all is posted.
func (x *soaking) lastSeq(w *soakWorkspace) int64 {
	return w.Workspace.Seq + int64(x.posts/soakWorkspaces)
}

// write posts everything, and kills each node once meanwhile.
func (x *soaking) write(ctx context.Context) {
	var writers sync.WaitGroup
	for i, w := range x.workspaces {
		left := atomic.Int64{}
		left.Store(int64(x.posts / soakWorkspaces))
		for j := range soakWriters {
			writers.Go(func() {
				for n := left.Add(-1); n >= 0; n = left.Add(-1) {
					x.post(ctx, w, (i+j)%2, n)
				}
			})
		}
	}
	for i, n := range x.nodes {
		share := int64(x.posts * (i + 1) / 3)
		for x.posted.Load() < share && ctx.Err() == nil {
			time.Sleep(5 * time.Millisecond)
		}
		n.kill()
		n.start()
	}
	writers.Wait()
}

// post posts a message, to the other node if one does not answer, until it is
// acknowledged; the key prevents duplicates.
func (x *soaking) post(ctx context.Context, w *soakWorkspace, first int, n int64) {
	address := "/v1/public/conversations/" + w.conversation.String() + "/messages"
	for try := first; ctx.Err() == nil; try++ {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+x.nodes[try%2].address+address,
			strings.NewReader(fmt.Sprintf(`{"content":"message %d"}`, n)))
		if err != nil {
			x.t.Error(err)
			return
		}
		req.Header.Set("Authorization", "Bearer "+string(w.Secret))
		req.Header.Set("Idempotency-Key", strconv.FormatInt(n, 10))
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		_, _ = io.Copy(io.Discard, res.Body) // the status is enough
		_ = res.Body.Close()
		if res.StatusCode == http.StatusCreated {
			x.posted.Add(1)
			return
		}
	}
}

// A reading is one reader of a workspace's stream, who resumes until all is
// read.
type reading struct {
	address, key string
	start        string // the epoch
	at           string // the newest position read
	until        int64
	last         atomic.Int64
	opened       int
	wrong        []string
}

func (r *reading) run(ctx context.Context) {
	for ctx.Err() == nil && r.last.Load() < r.until && len(r.wrong) == 0 {
		r.read(ctx)
		time.Sleep(time.Duration(rand.IntN(150)) * time.Millisecond)
	}
}

// read reads one stream to its end.
func (r *reading) read(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+r.address+"/v1/public/events", nil)
	if err != nil {
		r.wrong = append(r.wrong, err.Error())
		return
	}
	req.Header.Set("Authorization", "Bearer "+r.key)
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Last-Event-ID", r.at)
	res, err := streamClient.Do(req)
	if err != nil {
		return // the line is down
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return // a node that starts
	}
	r.opened++
	event := ""
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "event":
			event = value
		case "id":
			if event != "" && !r.take(event, value) {
				return
			}
			event = ""
		}
		if r.last.Load() == r.until {
			return
		}
	}
}

// take records an event and reports whether it is the next one.
func (r *reading) take(event, id string) bool {
	last := r.last.Load()
	if want := fmt.Sprintf("%s.%d.", r.start, last+1); event == "reset" || !strings.HasPrefix(id, want) {
		r.wrong = append(r.wrong, fmt.Sprintf("after event %d comes %s %s", last, event, id))
		return false
	}
	r.at = id
	r.last.Add(1)
	return true
}

// streamClient makes a connection for each stream.
var streamClient = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// readByTime reads messages by the time of their creation, as a naive reader
// would, and returns their number.
func readByTime(ctx context.Context, t *testing.T, database string) int {
	conn, err := pgx.Connect(ctx, database)
	if err != nil {
		t.Error(err)
		return 0
	}
	defer func() { _ = conn.Close(context.Background()) }() // it only read
	last, seen := int64(0), 0
	for ctx.Err() == nil {
		var count int
		var newest int64
		err := conn.QueryRow(ctx, "SELECT count(*), COALESCE(max(created_at), 0) FROM messages WHERE created_at > $1", last).Scan(&count, &newest)
		if err == nil && count > 0 {
			seen += count
			last = newest
		}
		time.Sleep(time.Millisecond)
	}
	return seen
}

// A line forwards connections to two addresses in turn. From time to time it is
// down: it cuts all connections and accepts none.
type line struct {
	listener net.Listener
	to       []string
	next     atomic.Int64
	mu       sync.Mutex
	down     bool
	open     map[net.Conn]bool
}

func newLine(t *testing.T, to ...string) *line {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &line{listener: listener, to: to, open: map[net.Conn]bool{}}
	var running sync.WaitGroup
	running.Go(l.accept)
	running.Go(func() {
		up := time.NewTimer(soakPeriod - soakDown)
		defer up.Stop()
		for {
			select {
			case <-t.Context().Done():
				return
			case <-up.C:
			}
			l.set(true)
			time.Sleep(soakDown)
			l.set(false)
			up.Reset(soakPeriod - soakDown)
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		l.set(true)
		running.Wait()
	})
	return l
}

func (l *line) address() string { return l.listener.Addr().String() }

func (l *line) set(down bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.down = down
	if down {
		for conn := range l.open {
			_ = conn.Close() // that is the point
		}
		clear(l.open)
	}
}

func (l *line) accept() {
	for {
		in, err := l.listener.Accept()
		if err != nil {
			return // the test is over
		}
		go l.carry(in, l.to[int(l.next.Add(1))%len(l.to)])
	}
}

func (l *line) carry(in net.Conn, to string) {
	defer func() { _ = in.Close() }()
	out, err := net.Dial("tcp", to)
	if err != nil {
		return // that node is down
	}
	defer func() { _ = out.Close() }()
	l.mu.Lock()
	if l.down {
		l.mu.Unlock()
		return
	}
	l.open[in], l.open[out] = true, true
	l.mu.Unlock()
	var both sync.WaitGroup
	for _, pair := range [][2]net.Conn{{in, out}, {out, in}} {
		both.Go(func() {
			_, _ = io.Copy(pair[0], pair[1]) // until one side is cut
			_ = in.Close()
			_ = out.Close()
		})
	}
	both.Wait()
	l.mu.Lock()
	delete(l.open, in)
	delete(l.open, out)
	l.mu.Unlock()
}
