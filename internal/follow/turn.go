package follow

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/tracing"
)

// CatchUp runs turns until no workspace needs another.
func (r *Runner) CatchUp(ctx context.Context) error {
	for {
		more, err := r.Round(ctx)
		if err != nil || !more {
			return err
		}
	}
}

// Round gives one turn to each workspace that is behind and reports whether any of
// them needs another. Workspaces with the least work come first. Each round asks
// again which workspaces are behind, so no workspace waits for the backlog of
// another; see [desk.Turns].
func (r *Runner) Round(ctx context.Context) (bool, error) {
	f := &r.follower
	workspaces, readFailure := desk.View(r.desk, func(v *store.View) ([]parley.WorkspaceID, error) {
		return v.WorkspacesBehind(f.Name, f.Version)
	}).Now(ctx)
	another, err := desk.Turns(ctx, workspaces, func(ctx context.Context, ws parley.WorkspaceID) (bool, error) {
		if r.resting.rests(ws, r.clock.Now()) {
			return false, nil
		}
		more, failed := r.turn(ctx, ws)
		if failed != nil && ctx.Err() == nil {
			r.counts.failures.Add(1)
			if parley.KindOf(failed) != parley.Unavailable { // the store failed, not the follower
				r.resting.failed(ws, r.clock.Now())
			}
		}
		return more, failed
	})
	return another, errors.Join(readFailure, err)
}

// A plan is what a turn has read.
type plan struct {
	to      store.FollowerPosition // where the turn ends; its Step is 0 if there is nothing to do
	prepare Prepare
	events  []parley.Event
	newest  int64 // the number of the newest event
	more    bool  // there is, or may be, another turn
	loss    Loss
	missed  int64 // events that the follower skips
}

// turn gives a workspace its turn and reports whether it may need another.
func (r *Runner) turn(ctx context.Context, ws parley.WorkspaceID) (bool, error) {
	p, err := desk.Snapshot(r.desk, func(v *store.View) (plan, error) { return r.plan(v, ws) }).Now(ctx)
	if err != nil || p.to.Step == 0 {
		return false, err
	}
	ctx, span := r.desk.Base().Tracer.Begin(ctx, "follow "+r.follower.Name, tracing.Workspace(ws))
	more, err := r.advance(ctx, ws, &p)
	span.End(err)
	return more, err
}

// advance prepares and stores what a turn has read, and reports whether the workspace
// may need another turn.
func (r *Runner) advance(ctx context.Context, ws parley.WorkspaceID, p *plan) (more bool, err error) {
	var step Step
	if p.prepare != nil {
		if step, err = r.prepare(ctx, p.prepare); err != nil {
			return false, err
		}
		if err := p.take(step); err != nil {
			return false, err
		}
	}
	overtaken := errors.New("another node finished this turn")
	_, err = desk.Write(ctx, r.desk, desk.Caller{Workspace: ws}, func(t *desk.Tx) (struct{}, error) {
		// The position comes first, so that the loser of a race does no work under the
		// lock.
		moved, err := t.MoveFollower(ws, r.follower.Name, p.to)
		if err == nil && !moved {
			err = overtaken
		}
		if err == nil && step.Store != nil {
			err = step.Store(t)
		}
		if err == nil && r.follower.Moved != nil {
			err = r.follower.Moved(t, p.to)
		}
		return struct{}{}, err
	})
	if errors.Is(err, overtaken) {
		r.counts.overtaken.Add(1)
		return false, nil // that node continues
	}
	if err != nil {
		return false, err
	}
	r.counts.turns.Add(1)
	r.resting.succeeded(ws)
	r.tell(p)
	if step.After != nil {
		step.After(ctx)
	}
	return p.more, nil
}

// prepare runs the follower's code outside transactions. A panic must not end the
// process, because the next process would meet the same event.
func (r *Runner) prepare(ctx context.Context, do Prepare) (step Step, err error) {
	defer func() {
		if p := recover(); p != nil {
			r.log.Error("follow: follower panicked", "follower", r.follower.Name, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return do(ctx)
}

// take moves the plan's end to the end of the step.
func (p *plan) take(step Step) error {
	if p.events == nil { // from the tables
		p.to.Place, p.more = step.Place, true
		return nil
	}
	if step.Events < 1 || step.Events > len(p.events) {
		return fmt.Errorf("the follower took %d of %d events", step.Events, len(p.events))
	}
	last := &p.events[step.Events-1]
	p.to.Log.Seq, p.to.Log.Check = last.Seq, last.Check
	p.more = last.Seq < p.newest
	return nil
}

// tell logs and counts a loss that a turn has resolved.
func (r *Runner) tell(p *plan) {
	r.counts.missed.Add(p.missed)
	if p.loss.Reason == "" || p.loss.Reason == NeverStarted {
		return
	}
	attributes := []any{"follower", r.follower.Name, "workspace", p.loss.Workspace, "reason", p.loss.Reason, "missed", p.missed}
	if p.missed > 0 {
		r.log.Warn("follow: events skipped", attributes...)
		return
	}
	r.log.Info("follow: position lost, starting over", attributes...)
}

// plan reads what the next turn of a workspace needs.
func (r *Runner) plan(v *store.View, ws parley.WorkspaceID) (plan, error) {
	w, err := v.Workspace(ws)
	if err != nil {
		return plan{}, err
	}
	oldest, err := v.OldestEvent(ws)
	if err != nil {
		return plan{}, err
	}
	at, err := v.FollowerPosition(ws, r.follower.Name)
	if err != nil && parley.KindOf(err) != parley.NotFound {
		return plan{}, err
	}
	if at.Version > r.follower.Version {
		idle := at.Place == "" && at.Log == w.End()
		if idle || r.resting.stands(ws, at.Step, r.clock.Now()) {
			return plan{}, nil // a node of that version continues
		}
	}
	reason, err := r.lost(v, &w, at, oldest)
	if err != nil {
		return plan{}, err
	}
	p := plan{to: at, newest: w.Seq}
	p.to.Step++
	switch {
	case reason != "":
		p.loss = Loss{Workspace: ws, Reason: reason}
		if reason == Behind {
			p.loss.Gone = oldest - 1 - at.Log.Seq
		}
		return p, p.begin(v, r, &w, oldest)
	case at.Place != "":
		p.prepare, err = r.follower.Tables.Read(v, ws, at.Place)
		return p, err
	case at.Log.Seq == w.Seq:
		return plan{}, nil
	}
	p.events, err = v.Events(ws, at.Log.Seq, batch)
	if err == nil && len(p.events) == 0 {
		err = fmt.Errorf("the log ends at %d and has no event after %d", w.Seq, at.Log.Seq)
	}
	p.prepare = func(ctx context.Context) (Step, error) { return r.follower.Events(ctx, ws, p.events) }
	return p, err
}

// lost returns why the follower cannot continue from a position, or "".
func (r *Runner) lost(v *store.View, w *parley.Workspace, at store.FollowerPosition, oldest int64) (Reason, error) {
	switch {
	case at.Step == 0:
		return NeverStarted, nil
	case at.Version != r.follower.Version || at.Place != "" && r.follower.Tables == nil:
		return NewVersion, nil
	case at.Log.Epoch != w.Epoch || at.Log.Seq > w.Seq:
		return OtherHistory, nil
	case at.Log.Seq+1 < oldest:
		return Behind, nil
	case at.Log.Seq == w.Seq && at.Log.Check != w.Check:
		return OtherHistory, nil
	case at.Log.Seq == w.Seq || at.Log.Seq == 0:
		return "", nil
	}
	check, err := v.EventCheck(w.ID, at.Log.Seq)
	if parley.KindOf(err) == parley.NotFound {
		return "", nil // it was deleted, but no event after it: the numbers decide
	}
	if err == nil && check != at.Log.Check {
		return OtherHistory, nil
	}
	return "", err
}

// begin moves the position to where the follower wants to start.
func (p *plan) begin(v *store.View, r *Runner, w *parley.Workspace, oldest int64) error {
	before := p.to.Log.Seq
	p.to.Version, p.to.Place = r.follower.Version, ""
	p.to.Log = w.End()
	p.more = true
	start := r.follower.Lost(p.loss)
	switch {
	case start == FromTables && r.follower.Tables == nil:
		return fmt.Errorf("the follower %s has no tables to start from", r.follower.Name)
	case start == FromTables:
		p.to.Place = r.follower.Tables.First
		return nil
	case start == FromOldest && oldest > 0:
		p.to.Log.Seq, p.to.Log.Check = oldest-1, ""
	}
	if p.loss.Reason == Behind {
		p.missed = p.to.Log.Seq - before
		p.to.Missed += p.missed
	}
	return nil
}
