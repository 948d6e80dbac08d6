package workload

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A Reader follows the event stream of a workspace, and resumes after each end of it.
type Reader struct {
	client *Client
	stop   context.CancelFunc
	ended  sync.WaitGroup
	opened atomic.Int64
	seq    atomic.Int64
	heard  func(name string) // if set, it gets the first event instead

	mu       sync.Mutex
	position string
	wrong    []string
	told     [][]event // what a stream that may be reset has told, from reset to reset; nil for others
}

// Follow begins to read the stream after what a log has read.
func Follow(ctx context.Context, log *Log) *Reader {
	return (&Reader{client: log.client, position: log.position}).follow(ctx, log.seq)
}

func (r *Reader) follow(ctx context.Context, seq int64) *Reader {
	ctx, r.stop = context.WithCancel(ctx)
	r.seq.Store(seq)
	r.ended.Go(func() {
		for ctx.Err() == nil {
			r.read(ctx)
			time.Sleep(repeatPause)
		}
	})
	return r
}

// Begins reads the log to its end, so that a reader can follow from there.
func (g *Log) Begins(ctx context.Context) (wrong []string) { return g.read(ctx) }

// End waits until the reader has read as much as a log, and ends it. It returns what is
// wrong: an event that is missing, told twice, or in the wrong order.
func (r *Reader) End(log *Log) (wrong []string) {
	for deadline := time.Now().Add(settleTime); r.seq.Load() < log.seq && time.Now().Before(deadline); {
		time.Sleep(repeatPause)
	}
	r.stop()
	r.ended.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	if got := r.seq.Load(); got != log.seq {
		r.wrong = append(r.wrong, fmt.Sprintf("the stream has told %d events of %d", got, log.seq))
	}
	return r.wrong
}

// Opened returns how often the stream was opened.
func (r *Reader) Opened() int64 { return r.opened.Load() }

// read reads a stream to its end. Only its head goes through the contract gate, which
// would wait for the end of the body.
func (r *Reader) read(ctx context.Context) {
	res, err := r.client.stream(ctx, r.Position())
	if err != nil {
		return // the server is down
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	if res.StatusCode == http.StatusServiceUnavailable {
		return
	}
	g, err := gate()
	if err == nil {
		err = g.Check(res.Request, res.StatusCode, res.Header, nil)
	}
	if err != nil || res.StatusCode != http.StatusOK {
		r.faultf("the stream is answered %d, %v", res.StatusCode, err)
		return
	}
	r.opened.Add(1)
	r.take(bufio.NewScanner(res.Body))
}

// stream opens the event stream after a position; "" is now.
func (c *Client) stream(ctx context.Context, after string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+public+"/events", nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+c.key)
	req.Header.Set("Accept", "text/event-stream")
	if after != "" {
		req.Header.Set("Last-Event-ID", after)
	}
	return streams.Do(req)
}

// streams makes a connection for each stream.
var streams = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// take reads the events of a stream. A cut may end it within one.
func (r *Reader) take(lines *bufio.Scanner) {
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
				r.event(name, position, data)
			}
			name, data = "", ""
		}
	}
}

func (r *Reader) event(name, position, data string) {
	if r.heard != nil {
		r.heard(name)
		r.heard = func(string) {}
		return
	}
	var e event
	err := json.Unmarshal([]byte(data), &e)
	reset := name == "reset" && r.told != nil
	if err != nil || !reset && (name == "reset" || e.Seq != r.seq.Load()+1) {
		r.faultf("after event %d the stream tells %s %s, %v", r.seq.Load(), name, position, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case reset:
		r.told = append(r.told, nil)
	case r.told != nil:
		r.told[len(r.told)-1] = append(r.told[len(r.told)-1], e)
	}
	r.position = position
	r.seq.Store(e.Seq)
}

func (r *Reader) faultf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wrong = append(r.wrong, fmt.Sprintf(format, args...))
}
