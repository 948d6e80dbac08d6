package helpcenter

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/knowledge"
)

const (
	// freshTime is how long pages are served without a look at the event log.
	freshTime = 300 * time.Millisecond
	// eventPage is how many events one read of the log returns, and maxEventPages
	// how many reads a look takes at most. Beyond that, pages are rendered again.
	eventPage     = 256
	maxEventPages = 8
	// maxLogs is the most workspaces whose logs are watched.
	maxLogs = 10_000
)

// logs watch the event logs of the workspaces whose pages are read. A
// workspace's generation changes when its pages may have changed.
type logs struct {
	desk  *desk.Desk
	clock parley.Clock
	turns *httpjson.Turns
	last  atomic.Int64 // the latest generation of any workspace
	looks flights[parley.WorkspaceID, int64]

	mu  sync.Mutex
	all map[parley.WorkspaceID]*watched
}

// A watched is the log of a workspace.
type watched struct {
	generation atomic.Int64       // 0 before the first look
	lookedAt   atomic.Int64       // nanoseconds
	head       parley.LogPosition // of the one who looks
}

func newLogs(o *Options) *logs {
	return &logs{desk: o.Desk, clock: o.Clock, turns: o.Turns, all: map[parley.WorkspaceID]*watched{}}
}

func (l *logs) of(ws parley.WorkspaceID) *watched {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.all[ws]
	if w == nil {
		if len(l.all) >= maxLogs {
			clear(l.all) // generations never repeat, so every page is rendered again
		}
		w = &watched{}
		l.all[ws] = w
	}
	return w
}

// generation returns the generation of a workspace's pages, at most freshTime
// after it changed on any node.
func (l *logs) generation(ctx context.Context, ws parley.WorkspaceID) (int64, error) {
	w := l.of(ws)
	if generation := w.current(l.clock()); generation > 0 {
		return generation, nil
	}
	return l.looks.do(ctx, ws, func(ctx context.Context) (int64, error) {
		return httpjson.InTurn(ctx, l.turns, httpjson.Asker{Workspace: ws}, func(ctx context.Context) (int64, error) {
			now := l.clock()
			if generation := w.current(now); generation > 0 { // somebody looked just before
				return generation, nil
			}
			if err := l.look(ctx, ws, w); err != nil {
				return 0, err
			}
			w.lookedAt.Store(now.UnixNano())
			return w.generation.Load(), nil
		})
	})
}

// current returns the generation if somebody looked at the log lately, else 0.
func (w *watched) current(now time.Time) int64 {
	if age := time.Duration(now.UnixNano() - w.lookedAt.Load()); age >= 0 && age < freshTime {
		return w.generation.Load()
	}
	return 0
}

// look moves to the end of a log.
func (l *logs) look(ctx context.Context, ws parley.WorkspaceID, w *watched) error {
	heads, err := l.desk.LogHeads(ctx, []parley.WorkspaceID{ws})
	if err != nil {
		return err
	}
	if len(heads) == 0 {
		return errNoPage
	}
	head := heads[0].LogPosition
	if w.generation.Load() > 0 && head == w.head {
		return nil
	}
	changed := true
	if w.generation.Load() > 0 && head.Epoch == w.head.Epoch && head.Seq > w.head.Seq {
		if changed, err = l.changed(ctx, ws, w.head, head.Seq); err != nil {
			return err
		}
	}
	if changed {
		w.generation.Store(l.last.Add(1))
	}
	w.head = head
	return nil
}

// changed reports whether an event after a position, up to a number, can have
// changed public pages.
func (l *logs) changed(ctx context.Context, ws parley.WorkspaceID, after parley.LogPosition, to int64) (bool, error) {
	for range maxEventPages {
		tail, err := l.desk.EventsAfter(ctx, ws, after, eventPage)
		if err != nil || tail.Lost || len(tail.Events) == 0 || tail.Events[0].Seq != after.Seq+1 {
			return true, err
		}
		for i := range tail.Events {
			if knowledge.ChangesPublic(&tail.Events[i]) {
				return true, nil
			}
		}
		last := tail.Events[len(tail.Events)-1]
		if last.Seq >= to {
			return false, nil
		}
		after = parley.LogPosition{Epoch: after.Epoch, Seq: last.Seq, Check: last.Check}
	}
	return true, nil
}
