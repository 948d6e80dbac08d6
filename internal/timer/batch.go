package timer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"parley"
	"parley/internal/desk"
)

// batch runs timers of a kind with DoMany in one transaction, and reports whether more
// may be due. If that fails, it runs them one by one, so that one timer whose run fails
// holds up no other.
func (r *Runner) batch(ctx context.Context, ws parley.WorkspaceID, k Kind) (more bool, err error) {
	var due []desk.Timer
	again, err := desk.Write(ctx, r.desk, desk.Caller{Workspace: ws}, func(t *desk.Tx) (again bool, err error) {
		due, err = desk.SelectDueTimers(t, ws, k.Name, t.Now, k.Many)
		if err != nil || len(due) == 0 {
			return false, err
		}
		return doMany(t, k, due)
	})
	if err != nil && (ctx.Err() != nil || parley.KindOf(err) == parley.Unavailable) {
		return false, err // the transaction may still run, and set due
	}
	more = len(due) == k.Many
	switch {
	case err == nil:
		r.counts.runs.Add(int64(len(due)))
		return more || again, nil
	case len(due) == 0:
		return false, err
	case len(due) == 1:
		return false, r.failed(ctx, ws, due[0], err)
	}
	var failures []error
	for _, timer := range due {
		again, failed := r.single(ctx, ws, timer, func(t *desk.Tx) (time.Time, error) {
			next, err := timesOf(t, k, []desk.Timer{timer})
			if err != nil {
				return time.Time{}, err
			}
			return next[0], nil
		})
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		more, failures = more || again, append(failures, failed)
	}
	return more, errors.Join(failures...)
}

// doMany stores the effects of timers and when each is due next, unless the effects
// changed or deleted it. It reports whether one of them is due again.
func doMany(t *desk.Tx, k Kind, due []desk.Timer) (again bool, err error) {
	next, err := timesOf(t, k, due)
	if err != nil {
		return false, err
	}
	var ended []desk.Timer
	for i := range due {
		if next[i].IsZero() {
			ended = append(ended, due[i])
			continue
		}
		again = again || !next[i].After(t.Now)
		if err := desk.RepeatTimer(t, t.WS, &due[i], next[i]); err != nil {
			return false, err
		}
	}
	return again, desk.EndTimers(t, t.WS, k.Name, ended)
}

// timesOf runs timers, and returns when each is due next.
func timesOf(t *desk.Tx, k Kind, due []desk.Timer) ([]time.Time, error) {
	next, err := k.DoMany(t, due)
	if err == nil && len(next) != len(due) {
		err = fmt.Errorf("%d times for %d timers", len(next), len(due))
	}
	return next, err
}
