package timer

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/tracing"
)

const (
	// runsAtOnce is the most runs of a process that act outside transactions at a
	// time, and runsOfWorkspace of one workspace.
	runsAtOnce      = 8
	runsOfWorkspace = 2
)

// outside are the runs that act outside transactions. The zero value is empty.
type outside struct {
	running sync.WaitGroup

	mu     sync.Mutex
	all    int
	of     map[parley.WorkspaceID]int
	starts uint64
	served map[parley.WorkspaceID]uint64 // the last start of each workspace
}

// order sorts workspaces by the last run that they started, the oldest first. So a
// workspace with many timers does not take each place that becomes free.
func (o *outside) order(workspaces []parley.WorkspaceID) {
	o.mu.Lock()
	defer o.mu.Unlock()
	slices.SortStableFunc(workspaces, func(a, b parley.WorkspaceID) int { return cmp.Compare(o.served[a], o.served[b]) })
}

// full reports whether a workspace cannot start a run now.
func (o *outside) full(ws parley.WorkspaceID) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.isFull(ws)
}

func (o *outside) isFull(ws parley.WorkspaceID) bool {
	return o.all >= runsAtOnce || o.of[ws] >= runsOfWorkspace
}

// enter reports whether a workspace may start a run now. Each enter that returns
// true needs a leave.
func (o *outside) enter(ws parley.WorkspaceID) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.isFull(ws) {
		return false
	}
	if o.served == nil {
		o.served, o.of = map[parley.WorkspaceID]uint64{}, map[parley.WorkspaceID]int{}
	}
	o.all++
	o.of[ws]++
	o.starts++
	o.served[ws] = o.starts
	return true
}

func (o *outside) leave(ws parley.WorkspaceID) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all--
	if o.of[ws]--; o.of[ws] == 0 {
		delete(o.of, ws)
	}
}

// start claims a timer and runs it in a goroutine, and reports whether it did. A
// slow run keeps no other timer waiting, as long as there is room.
func (r *Runner) start(ctx context.Context, ws parley.WorkspaceID, due desk.Timer, k Kind) (bool, error) {
	if !r.outside.enter(ws) {
		return false, nil
	}
	held, err := r.claim(ctx, ws, due, k.Lease)
	if err != nil {
		r.outside.leave(ws)
		return false, ignoreMoved(err)
	}
	r.outside.running.Go(func() {
		defer r.outside.leave(ws)
		effects, err := r.act(ctx, ws, held, k)
		if err == nil {
			_, err = r.finish(ctx, ws, held, effects)
		}
		if err == nil || ctx.Err() != nil { // the lease of a process that ends runs out
			return
		}
		r.log.Warn("timer: run failed, retrying", "workspace", ws, "error", r.failed(ctx, ws, held, err))
	})
	return true, nil
}

// claim takes the lease of a timer. The attempt counts from here, so that a run that
// ends the process is not repeated at full speed.
func (r *Runner) claim(ctx context.Context, ws parley.WorkspaceID, due desk.Timer, lease time.Duration) (desk.Timer, error) {
	owner := r.ids.NewText(20)
	return desk.Write(ctx, r.desk, desk.Caller{Workspace: ws}, func(t *desk.Tx) (desk.Timer, error) {
		held, err := current(t, due)
		if err != nil {
			return held, err
		}
		held.Owner, held.DueAt = owner, t.Now.Add(max(lease, pauseAfter(held.Attempts))).Truncate(time.Millisecond)
		held.Attempts++
		return held, desk.UpdateTimer(t, ws, &held)
	})
}

// act runs what a kind does outside transactions, for less than its lease. A panic
// must not end the process, because the next process would run the same timer.
func (r *Runner) act(ctx context.Context, ws parley.WorkspaceID, held desk.Timer, k Kind) (effects Finish, err error) {
	ctx, span := r.desk.Base().Tracer.Begin(ctx, "timer "+k.Name, tracing.Workspace(ws))
	defer func() { span.End(err) }() // after a panic, too
	defer func() {
		if p := recover(); p != nil {
			r.log.Error("timer: run panicked", "kind", k.Name, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	// A slow database may have answered long after the lease began.
	spare := k.Lease - max(k.Lease-leaseSpare, k.Lease/2)
	work, cancel := context.WithTimeout(ctx, min(k.Lease, held.DueAt.Sub(r.clock.Now()))-spare)
	defer cancel()
	return k.Run(work, ws, held)
}

// Graceful returns a context that ends a while after another one, so that a server which
// stops learns what became of an effect outside that has begun.
func Graceful(ctx context.Context, spare time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(spare, cancel) })
	return longer, func() { stop(); cancel() }
}
