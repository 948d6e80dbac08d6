package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/store/storetest"
)

const (
	idleStreams = 10_000
	busyStreams = 2_000
	busyRate    = 500 // messages a second
)

// BenchmarkIdleStreams opens 10,000 streams on one node in a separate process,
// and posts one message at a time. "KB/stream" is the growth of the node's
// resident memory, "ms-to-all" the time from the post's answer until the last
// stream has the event; readers and node share the machine.
func BenchmarkIdleStreams(b *testing.B) {
	c := &cli{data: storetest.SQLite(b).Dir, logLevel: "error"}
	w := found(b, c)
	keys := moreKeys(b, c, w, idleStreams/100) // one opens 200 streams at most
	n := newNode(b, c, false)
	before := n.resident()
	x := openStreams(b, n, keys, idleStreams)
	grown := n.resident() - before
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(500 * time.Millisecond) {
		grown = min(grown, n.resident()-before) // garbage from opening is returned gradually
	}
	var took []time.Duration
	for b.Loop() {
		x.arrivals.Store(0)
		post(b, n, w)
		began := time.Now()
		for x.arrivals.Load() < idleStreams {
			time.Sleep(100 * time.Microsecond)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(grown)/1024/idleStreams, "KB/stream")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-to-all")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkBusyStreams posts 500 messages a second to 2,000 streams in 40
// workspaces. The times are from before the post until a stream has the event.
func BenchmarkBusyStreams(b *testing.B) {
	const workspaces = 40
	c := &cli{data: storetest.SQLite(b).Dir, logLevel: "error"}
	var founded []*soakWorkspace
	for range workspaces {
		founded = append(founded, found(b, c))
	}
	n := newNode(b, c, false)
	var streams []*opened
	for _, w := range founded {
		streams = append(streams, openStreams(b, n, []string{string(w.Secret)}, busyStreams/workspaces))
	}
	b.ResetTimer()
	ticker := time.NewTicker(time.Second / busyRate)
	defer ticker.Stop()
	var posts sync.WaitGroup
	for i := 0; b.Loop(); i++ {
		<-ticker.C
		posts.Go(func() { post(b, n, founded[i%workspaces]) })
	}
	posts.Wait()
	time.Sleep(time.Second) // for messages still in flight
	var times []time.Duration
	for _, x := range streams {
		x.mu.Lock()
		times = append(times, x.times...)
		x.mu.Unlock()
	}
	if len(times) == 0 {
		b.Fatal("nothing arrived")
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "ms-p50")
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "ms-p99")
	b.ReportMetric(0, "ns/op")
}

// opened are open streams and what arrived on them.
type opened struct {
	arrivals atomic.Int64
	mu       sync.Mutex
	times    []time.Duration // from the time in a message until it arrived
}

// moreKeys makes keys of a workspace.
func moreKeys(b *testing.B, c *cli, w *soakWorkspace, count int) []string {
	b.Helper()
	h, err := c.open(b.Context(), appOptions{log: storetest.Quiet(), clock: time.Now})
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := h.close(); err != nil {
			b.Error(err)
		}
	}()
	keys := make([]string, count)
	for i := range keys {
		_, secret, err := h.access.CreateKey(b.Context(), desk.Caller{Workspace: w.Workspace.ID}, access.NewKey{
			Name: fmt.Sprint("bench ", i), Scopes: []parley.Scope{parley.ConversationsRead},
		})
		if err != nil {
			b.Fatal(err)
		}
		keys[i] = string(secret)
	}
	return keys
}

// openStreams opens streams over bare connections, with one key after another.
func openStreams(b *testing.B, n *node, keys []string, count int) *opened {
	b.Helper()
	x := &opened{}
	var ready sync.WaitGroup
	gate := make(chan struct{}, 64) // at once
	for i := range count {
		ready.Go(func() {
			gate <- struct{}{}
			defer func() { <-gate }()
			conn, err := net.Dial("tcp", n.address)
			if err != nil {
				b.Error(err)
				return
			}
			b.Cleanup(func() { _ = conn.Close() })
			_, err = fmt.Fprintf(conn, "GET /v1/public/events HTTP/1.1\r\nHost: parley\r\nAccept: text/event-stream\r\nAuthorization: Bearer %s\r\n\r\n", keys[i%len(keys)])
			if err != nil {
				b.Error(err)
				return
			}
			in := bufio.NewReaderSize(conn, 1024)
			for {
				line, err := in.ReadSlice('\n')
				if err != nil {
					b.Errorf("a stream did not begin: %v", err)
					return
				}
				if bytes.HasPrefix(line, []byte("id: ")) {
					break
				}
			}
			go x.read(in)
		})
	}
	ready.Wait()
	return x
}

// read counts events until the stream ends.
func (x *opened) read(in *bufio.Reader) {
	for {
		line, err := in.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
		if _, after, ok := bytes.Cut(line, []byte(`"content":"at `)); ok {
			text, _, _ := bytes.Cut(after, []byte(`"`))
			if sent, err := strconv.ParseInt(string(text), 10, 64); err == nil {
				x.mu.Lock()
				x.times = append(x.times, time.Since(time.Unix(0, sent)))
				x.mu.Unlock()
			}
		}
		if bytes.HasPrefix(line, []byte("id: ")) {
			x.arrivals.Add(1)
		}
	}
}

// post posts a message with the time of sending.
func post(b *testing.B, n *node, w *soakWorkspace) {
	body := fmt.Sprintf(`{"content":"at %d"}`, time.Now().UnixNano())
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost,
		"http://"+n.address+"/v1/public/conversations/"+w.conversation.String()+"/messages", strings.NewReader(body))
	if err != nil {
		b.Error(err)
		return
	}
	req.Header.Set("Authorization", "Bearer "+string(w.Secret))
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		b.Error(err)
		return
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusCreated {
		b.Errorf("status %d", res.StatusCode)
	}
}

// resident returns the resident memory of the node in bytes.
func (n *node) resident() int {
	n.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", n.cmd.Process.Pid))
	if err != nil {
		n.t.Skipf("the memory of a process cannot be read here: %v", err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		n.t.Fatal(err)
	}
	return pages * os.Getpagesize()
}
