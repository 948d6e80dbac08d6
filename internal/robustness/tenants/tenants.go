// Package tenants runs many workspaces side by side on a server, and streams of their logs
// by keys of different scopes and by members, while keys are revoked and members removed.
// It finds out whether a stream was ever told of another workspace, or not all of its own.
//
// It is only for tests and imports nothing of this module.
package tenants

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A Fleet is workspaces on nodes that share a store.
type Fleet struct {
	nodes      []string // base URLs
	http       *http.Client
	workspaces []*workspace

	running sync.WaitGroup
	stop    context.CancelFunc
	written atomic.Int64 // events, as far as answers tell

	mu     sync.Mutex
	wrong  map[string]int // faults, and how often
	counts Counts
}

// Counts is what a fleet has done.
type Counts struct {
	Events     int64 // in the logs
	Deliveries int64 // of events by streams
	Withheld   int64 // of these, that there was one which the key may not read
	Streams    int   // that were followed
	Opened     int64 // how often, on any node
	Revoked    int   // keys and members
	Foreign    int   // positions of another workspace that were refused
}

// New returns a fleet without workspaces.
func New(nodes ...string) *Fleet {
	return &Fleet{nodes: nodes, http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}, wrong: map[string]int{}}
}

// Counts returns what the fleet has done so far.
func (f *Fleet) Counts() Counts {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.counts
}

func (f *Fleet) count(change func(*Counts)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.counts)
}

func (f *Fleet) faultf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wrong[fmt.Sprintf(format, args...)]++
}

// node returns the URL of any node.
func (f *Fleet) node() string { return f.nodes[rand.IntN(len(f.nodes))] }

// A caller is who sends a request: a key, or a member by a cookie.
type caller struct{ key, cookie string }

func (c caller) sign(req *http.Request) {
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	if c.cookie != "" {
		req.Header.Set("Cookie", c.cookie)
	}
}

// send sends a request to any node and takes the answer, whose status must be one of those
// for success. It repeats what was refused for now.
func (f *Fleet) send(ctx context.Context, who caller, method, path string, body, into any) (http.Header, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	for {
		req, err := http.NewRequestWithContext(ctx, method, f.node()+path, bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		who.sign(req)
		req.Header.Set("Content-Type", "application/json")
		res, err := f.http.Do(req)
		if err != nil {
			return nil, err
		}
		answer, err := io.ReadAll(res.Body)
		_ = res.Body.Close() // it was read
		switch {
		case err != nil:
			return nil, err
		case res.StatusCode == http.StatusServiceUnavailable || res.StatusCode == http.StatusTooManyRequests:
			time.Sleep(100 * time.Millisecond)
			continue
		case res.StatusCode/100 != 2:
			return nil, fmt.Errorf("%s %s is answered %d: %.300s", method, path, res.StatusCode, answer)
		case into == nil:
			return res.Header, nil
		}
		return res.Header, json.Unmarshal(answer, into)
	}
}

// Run lets all workspaces write until there are so many events, while streams follow, and
// keys and members come and go. It returns what is wrong.
func (f *Fleet) Run(ctx context.Context, events int64) []string {
	ctx, f.stop = context.WithCancel(ctx)
	defer f.stop()
	for n, w := range f.workspaces {
		if err := w.begin(ctx, f.workspaces[(n+1)%len(f.workspaces)]); err != nil {
			return []string{err.Error()}
		}
	}
	writing, ended := context.WithCancel(ctx)
	defer ended()
	var writers sync.WaitGroup
	for _, w := range f.workspaces {
		writers.Go(func() { w.write(ctx, writing.Done()) })
		writers.Go(func() { w.churn(ctx, writing.Done()) })
	}
	for f.written.Load() < events && ctx.Err() == nil {
		time.Sleep(10 * time.Millisecond) // writers send no signal, which would slow them
	}
	ended()
	writers.Wait()
	for _, w := range f.workspaces {
		w.check(ctx)
	}
	f.stop()
	f.running.Wait()
	return f.faults()
}

// faults returns what is wrong, each with how often it happened.
func (f *Fleet) faults() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := []string{}
	for _, fault := range slices.Sorted(maps.Keys(f.wrong)) {
		all = append(all, fmt.Sprintf("%s (%d times)", fault, f.wrong[fault]))
	}
	return all
}

// foreign reports whether a text has the mark of a workspace that is not the given one.
func foreign(text, mark string) bool {
	for rest := text; ; {
		at := strings.Index(rest, markStart)
		if at < 0 {
			return false
		}
		rest = rest[at:]
		if !strings.HasPrefix(rest, mark) {
			return true
		}
		rest = rest[len(markStart):]
	}
}
