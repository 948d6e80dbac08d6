package tenants

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	publicEvents    = "/v1/public/events"
	dashboardEvents = "/v1/dashboard/events"
	withheld        = "withheld"
)

// An event is an event of a log.
type event struct {
	Seq            int64
	Type           string
	CreatedAt      string
	ConversationID string `json:"conversationId"`
	Data           json.RawMessage
}

// name is a sum of what an event is in the answers of both interfaces.
func (e *event) name() uint64 {
	var d struct{ ID string }
	_ = json.Unmarshal(e.Data, &d) // an event without a record has the name of its time
	sum := fnv.New64a()
	_, _ = io.WriteString(sum, e.Type+" "+e.CreatedAt+" "+e.ConversationID+" "+d.ID)
	return sum.Sum64()
}

// told is what a stream has told of an event.
type told struct {
	seq  int64
	name uint64 // 0: that there is one which it may not tell
	may  []string
	// reset: the stream goes on after this event, and tells nothing of those before.
	reset bool
}

// A stream follows the log of a workspace and resumes after each end, on any node.
type stream struct {
	workspace *workspace
	what      string
	path      string

	mu       sync.Mutex
	who      caller
	id       string // of the key or the member
	may      []string
	position string
	told     []told
	open     bool
	fresh    bool // its caller is a new member
}

// follow begins to read a stream after a position.
func (w *workspace) follow(ctx context.Context, what, path string, who caller, position string, may []string) *stream {
	s := &stream{workspace: w, what: what, path: path, who: who, may: may, position: position}
	w.streams = append(w.streams, s)
	w.fleet.count(func(c *Counts) { c.Streams++ })
	w.fleet.running.Go(func() {
		for ctx.Err() == nil {
			s.read(ctx)
			wait(ctx, 50*time.Millisecond)
		}
	})
	return s
}

func (s *stream) at() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.position
}

func (s *stream) caller() (caller, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.who, s.id
}

// become gives the stream another caller.
func (s *stream) become(who caller, id string, may []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.who, s.id, s.may = who, id, may
	s.fresh = who.cookie != ""
}

// ends requires that the stream ends soon after its caller was revoked, and opens no more.
func (s *stream) ends(ctx context.Context, who caller) {
	f := s.workspace.fleet
	for deadline := time.Now().Add(revokedWithin); ctx.Err() == nil; time.Sleep(50 * time.Millisecond) {
		res, err := s.request(ctx, who)
		if err != nil {
			continue // the test ends
		}
		_ = res.Body.Close()
		s.mu.Lock()
		open := s.open
		s.mu.Unlock()
		if !open && res.StatusCode == http.StatusUnauthorized {
			break
		}
		if time.Now().After(deadline) {
			f.faultf("%s was revoked, and the stream is open: %t, another is answered %d", s.what, open, res.StatusCode)
			return
		}
	}
	s.become(caller{}, "", nil)
}

func (s *stream) request(ctx context.Context, who caller) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.workspace.fleet.node()+s.path, nil)
	if err != nil {
		return nil, err
	}
	who.sign(req)
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Last-Event-ID", s.at())
	return streams.Do(req)
}

// streams makes a connection for each stream.
var streams = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// read reads a stream to its end, which comes by chance after some seconds.
func (s *stream) read(ctx context.Context) {
	who, _ := s.caller()
	if who == (caller{}) {
		return
	}
	ctx, stop := context.WithTimeout(ctx, 2*time.Second+time.Duration(rand.Int64N(int64(20*time.Second))))
	defer stop()
	res, err := s.request(ctx, who)
	if err != nil {
		return
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	if res.StatusCode != http.StatusOK {
		return // it was revoked, which its workspace finds out
	}
	s.mu.Lock()
	may := s.may
	s.open = true
	s.mu.Unlock()
	s.workspace.fleet.count(func(c *Counts) { c.Opened++ })
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	var name, position, data string
	for lines.Scan() {
		field, value, _ := strings.Cut(lines.Text(), ": ")
		switch field {
		case "event":
			name = value
		case "id":
			position = value
		case "data":
			data = value
		case "":
			if name != "" {
				s.take(name, position, data, may)
			}
			name, position, data = "", "", ""
		}
	}
	s.mu.Lock()
	s.open = false
	s.mu.Unlock()
}

// take takes what the stream has told: an event, or a signal, which has no position.
func (s *stream) take(name, position, data string, may []string) {
	f := s.workspace.fleet
	if foreign(data, s.workspace.mark) {
		f.faultf("the stream of %s is told of another workspace: %s", s.what, name)
	}
	if position == "" {
		return
	}
	var e event
	err := json.Unmarshal([]byte(data), &e)
	s.mu.Lock()
	defer s.mu.Unlock()
	t := told{seq: e.Seq, may: may}
	switch {
	case name == "reset" && s.fresh: // a member is not told what was before them
		s.fresh, t.reset = false, true
		_, after, _ := strings.Cut(position, ".")
		number, _, _ := strings.Cut(after, ".")
		t.seq, err = strconv.ParseInt(number, 10, 64)
	case name == "reset":
		err = errors.New("the stream lost its place")
	case name != withheld:
		t.name = e.name()
	}
	if err != nil {
		f.faultf("the stream of %s is told %s, %v", s.what, name, err)
	}
	s.position, s.told = position, append(s.told, t)
}

// compare requires that the stream has told each event of the log since it began, once and
// in order, and that it has told what the key may read and withheld the rest.
func (s *stream) compare(log []event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.workspace.fleet
	hidden := int64(0)
	for n, t := range s.told {
		if t.reset {
			continue
		}
		if n > 0 && t.seq != s.told[n-1].seq+1 || t.seq < 1 || t.seq > int64(len(log)) {
			f.faultf("the stream of %s is told an event of the wrong number", s.what)
			return
		}
		e := &log[t.seq-1]
		want := e.name()
		if !mayRead(t.may, e.Type) {
			want = 0
			hidden++
		}
		if t.name != want {
			f.faultf("the stream of %s, which may read %v, is told something else than %s", s.what, t.may, e.Type)
		}
	}
	if last := len(s.told) - 1; last < 0 || s.told[last].seq != int64(len(log)) {
		f.faultf("the stream of %s is not told all events", s.what)
	}
	f.count(func(c *Counts) { c.Deliveries += int64(len(s.told)); c.Withheld += hidden })
}
