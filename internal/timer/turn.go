package timer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/tracing"
)

// Round gives one turn to each workspace with timers that are due and reports
// whether any of them needs another; see [desk.Turns]. It does not wait for what
// runs outside transactions.
func (r *Runner) Round(ctx context.Context, deletes bool) (bool, error) {
	kinds, err := r.active(ctx, deletes)
	if err != nil || len(kinds) == 0 {
		return false, err
	}
	now := r.clock.Now()
	workspaces, readFailure := desk.View(r.desk, func(v *store.View) ([]parley.WorkspaceID, error) { return desk.SelectWorkspacesDue(v, kinds, now) }).Now(ctx)
	r.outside.order(workspaces)
	another, err := desk.Turns(ctx, workspaces, func(ctx context.Context, ws parley.WorkspaceID) (bool, error) { return r.turn(ctx, ws, kinds) })
	return another, errors.Join(readFailure, err)
}

// active returns the names of the kinds that may run now, in order.
func (r *Runner) active(ctx context.Context, deletes bool) ([]string, error) {
	if deletes {
		believed, err := r.desk.MayPurge(ctx)
		if err != nil {
			return nil, err
		}
		deletes = believed
	}
	var names []string
	for name, k := range r.kinds {
		if !k.Deletes || deletes {
			names = append(names, name)
		}
	}
	slices.Sort(names) // one statement to prepare
	return names, nil
}

// A share is what a workspace does in a turn.
type share struct {
	single []desk.Timer // run one by one, the one first that has waited longest
	many   []string     // kinds of which a batch runs
}

// turn runs timers of a workspace, and reports whether more may be due. After the
// timers that run one by one, it runs one batch of each other kind, so however many
// timers of such a kind are due, they hold up no other kind for longer than a batch.
func (r *Runner) turn(ctx context.Context, ws parley.WorkspaceID, kinds []string) (bool, error) {
	if r.outside.full(ws) { // timers that wait for a place must not hide the others
		kinds = slices.DeleteFunc(slices.Clone(kinds), func(name string) bool { return r.kinds[name].Run != nil })
	}
	if len(kinds) == 0 {
		return false, nil
	}
	due, err := desk.View(r.desk, func(v *store.View) (share, error) { return r.share(v, ws, kinds) }).Now(ctx)
	if err != nil {
		return false, err
	}
	more, err := r.singles(ctx, ws, due.single)
	for _, name := range due.many {
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		traced, span := r.desk.Base().Tracer.Begin(ctx, "timer "+name, tracing.Workspace(ws))
		again, failed := r.batch(traced, ws, r.kinds[name])
		span.End(failed)
		more, err = more || again, errors.Join(err, failed)
	}
	return more, err
}

// share returns what is due. Each kind is read by itself, because timers of one must
// not be passed on the way to another.
func (r *Runner) share(v *store.View, ws parley.WorkspaceID, kinds []string) (share, error) {
	var s share
	now := r.clock.Now()
	due, err := desk.SelectDueKinds(v, ws, kinds, now)
	for _, name := range due {
		if r.kinds[name].DoMany != nil {
			s.many = append(s.many, name)
			continue
		}
		found, failed := desk.SelectDueTimers(v, ws, name, now, turnTimers)
		s.single, err = append(s.single, found...), errors.Join(err, failed)
	}
	slices.SortStableFunc(s.single, func(a, b desk.Timer) int { return a.DueAt.Compare(b.DueAt) })
	s.single = s.single[:min(len(s.single), turnTimers)]
	return s, err
}

// singles runs timers one by one, and reports whether more may be due.
func (r *Runner) singles(ctx context.Context, ws parley.WorkspaceID, due []desk.Timer) (more bool, err error) {
	more = len(due) == turnTimers
	for _, timer := range due {
		k := r.kinds[timer.Kind]
		if k.Run != nil {
			started, failed := r.start(ctx, ws, timer, k)
			err = errors.Join(err, failed)
			more = more && started // else the same timers are still due in the next round
			continue
		}
		again, failed := r.single(ctx, ws, timer, func(t *desk.Tx) (time.Time, error) { return k.Do(t, timer) })
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if failed == nil && k.After != nil {
			k.After(ctx, ws, timer)
		}
		more, err = more || again, errors.Join(err, failed)
	}
	return more, err
}

// single runs a timer with effects in the store alone, and reports whether it is due
// again.
func (r *Runner) single(ctx context.Context, ws parley.WorkspaceID, due desk.Timer, effects Finish) (again bool, err error) {
	ctx, span := r.desk.Base().Tracer.Begin(ctx, "timer "+due.Kind, tracing.Workspace(ws))
	next, err := r.finish(ctx, ws, due, effects)
	span.End(ignoreMoved(err))
	if err != nil && ctx.Err() == nil {
		err = r.failed(ctx, ws, due, err)
	}
	return err == nil && !next.IsZero() && !next.After(r.clock.Now()), err
}

// errMoved says that a timer is not what was read: another node ran it, or a verb
// changed or deleted it.
var errMoved = errors.New("the timer has moved")

func ignoreMoved(err error) error {
	if errors.Is(err, errMoved) {
		return nil
	}
	return err
}

// current returns the timer in the store, or errMoved if it is not the one that was
// read. The owner tells runs apart even if the timer was deleted and inserted again.
func current(t *desk.Tx, read desk.Timer) (desk.Timer, error) {
	now, err := desk.SelectTimer(t, t.WS, read.Kind, read.Name)
	same := now.Owner == read.Owner && now.DueAt.Equal(read.DueAt)
	if parley.KindOf(err) == parley.NotFound || err == nil && !same {
		return now, errMoved
	}
	return now, err
}

// finish stores the effects of a timer and when it is due next, in one transaction.
func (r *Runner) finish(ctx context.Context, ws parley.WorkspaceID, due desk.Timer, effects Finish) (time.Time, error) {
	next, err := desk.Write(ctx, r.desk, desk.Caller{Workspace: ws}, func(t *desk.Tx) (time.Time, error) {
		if _, err := current(t, due); err != nil {
			return time.Time{}, err
		}
		next, err := effects(t)
		if err != nil {
			return next, err
		}
		now, err := current(t, due)
		if errors.Is(err, errMoved) { // the effects changed or deleted the timer
			return time.Time{}, nil
		}
		if err != nil {
			return next, err
		}
		if next.IsZero() {
			return next, desk.DeleteTimer(t, ws, due.Kind, due.Name)
		}
		now.DueAt, now.Owner, now.Attempts = next, "", 0
		return next, desk.UpdateTimer(t, ws, &now)
	})
	if err == nil {
		r.counts.runs.Add(1)
	}
	return next, ignoreMoved(err)
}

// failed sets when a timer is tried next whose run failed, and returns the failure.
// If the store failed, the timer stays as it is.
func (r *Runner) failed(ctx context.Context, ws parley.WorkspaceID, due desk.Timer, failure error) error {
	r.counts.failures.Add(1)
	failure = fmt.Errorf("%s %s: %w", due.Kind, due.Name, failure)
	if parley.KindOf(failure) == parley.Unavailable {
		return failure
	}
	_, err := desk.Write(ctx, r.desk, desk.Caller{Workspace: ws}, func(t *desk.Tx) (struct{}, error) {
		now, err := current(t, due)
		if err != nil {
			return struct{}{}, ignoreMoved(err)
		}
		if now.Owner == "" { // no claim has counted the attempt
			now.Attempts++
		}
		now.DueAt, now.Owner = t.Now.Add(pauseAfter(now.Attempts)), ""
		return struct{}{}, desk.UpdateTimer(t, ws, &now)
	})
	return errors.Join(failure, err)
}

// pauseAfter returns how long a timer waits after failed attempts.
func pauseAfter(attempts int) time.Duration {
	if attempts == 0 {
		return 0
	}
	return min(firstPause<<min(attempts-1, 20), longestPause)
}
