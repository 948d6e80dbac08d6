package follow_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/follow"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// A world is a store with workspaces, and the nodes that share it.
type world struct {
	t       *testing.T
	options store.Options
	store   *store.Store // of the test itself
	clock   atomic.Int64
	logged  lines
	ids     *parley.IDs
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := &world{t: t, options: o, ids: parley.NewIDs(nil)}
		w.clock.Store(time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC).UnixMilli())
		w.store = storetest.Open(t, o)
		test(t, w)
	})
}

func (w *world) now() time.Time { return time.UnixMilli(w.clock.Load()).UTC() }

func (w *world) advance(d time.Duration) { w.clock.Add(d.Milliseconds()) }

// node returns a Runner of a process of its own.
func (w *world) node(f follow.Follower) *follow.Runner {
	w.t.Helper()
	d := desk.New(desk.Options{
		Store: storetest.Open(w.t, w.options), Clock: w.now, IDs: w.ids, Log: slog.New(slog.NewTextHandler(&w.logged, nil)),
	})
	return follow.New(d, f, nil)
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// found makes a workspace whose log is empty.
func (w *world) found() parley.WorkspaceID {
	w.t.Helper()
	ws := parley.WorkspaceID(w.ids.New(w.now()))
	w.must(w.store.Write(w.t.Context(), ws, func(tx *store.Tx) error {
		return tx.InsertWorkspace(&parley.Workspace{ID: ws, Name: "x", Epoch: "e", CreatedAt: w.now()})
	}))
	return ws
}

// emit puts events into a log.
func (w *world) emit(ws parley.WorkspaceID, count int) {
	w.t.Helper()
	w.must(w.store.Write(w.t.Context(), ws, func(tx *store.Tx) error {
		for range count {
			tx.Emit(ws, parley.Event{Type: parley.MessageCreated, CreatedAt: w.now(), Data: []byte(`{}`)})
		}
		return nil
	}))
}

// position returns where a follower is.
func (w *world) position(ws parley.WorkspaceID, name string) store.FollowerPosition {
	w.t.Helper()
	var p store.FollowerPosition
	w.must(w.store.View(w.t.Context(), func(v *store.View) (err error) {
		p, err = v.FollowerPosition(ws, name)
		return err
	}))
	return p
}

// effects returns what followers stored: the numbers of events, in order.
func (w *world) effects(ws parley.WorkspaceID) []string {
	w.t.Helper()
	var names []string
	w.must(w.store.View(w.t.Context(), func(v *store.View) error {
		names = nil
		after := parley.Position{}
		for {
			page, err := v.Products(ws, true, after, 100)
			if err != nil {
				return err
			}
			for _, p := range page.Items {
				names = append(names, p.Name)
			}
			if after = page.Next; !page.HasMore {
				return nil
			}
		}
	}))
	slices.SortFunc(names, func(a, b string) int { return number(a) - number(b) })
	return names
}

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// numbers are those of events.
func numbers(from, to int) []string {
	var all []string
	for n := from; n <= to; n++ {
		all = append(all, fmt.Sprint(n))
	}
	return all
}

// recorder returns a follower that stores a row for each event, limited to most
// events per turn, and continues after a loss as start says.
func (w *world) recorder(start follow.Start, most int) follow.Follower {
	return follow.Follower{
		Name: "recorder", Version: 1,
		Lost: func(follow.Loss) follow.Start { return start },
		Events: func(_ context.Context, _ parley.WorkspaceID, events []parley.Event) (follow.Step, error) {
			taken := events[:min(most, len(events))]
			return follow.Step{Events: len(taken), Store: func(t *desk.Tx) error { return w.record(t, taken) }}, nil
		},
	}
}

func (w *world) record(t *desk.Tx, events []parley.Event) error {
	for i := range events {
		p := parley.Product{ID: w.ids.New(t.Now), Name: fmt.Sprint(events[i].Seq), CreatedAt: t.Now, UpdatedAt: t.Now}
		if err := t.InsertProduct(t.WS, &p); err != nil {
			return err
		}
	}
	return nil
}

// lines are what was logged.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) has(text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Contains(l.text.String(), text)
}
