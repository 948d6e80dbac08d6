// Package timer runs scheduled work. A timer is a row with a kind, a name and a due time, which
// a verb inserts, changes or deletes in its own transaction. Any node may run it when it is
// due.
//
// A kind with effects in the store alone has Do: its effects and the next due time
// are stored in one transaction, so they happen once. DoMany is the same for many
// timers in one transaction. A kind with effects outside has Run: the run first takes a
// lease on the timer by moving its due time, so a crash makes the timer due again, and
// the effects happen at least once. A run whose timer was changed or deleted meanwhile
// stores nothing.
//
// The package stands over the desk, whose transactions runs use, and below the
// packages that have timers. It may import the vocabulary, the store and the desk.
package timer

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

const (
	// poll is the longest delay of a timer that is due.
	poll = time.Second
	// sweepPause is the time between two looks for missing and misdated timers, and
	// between two tries to delete while the clock is in doubt.
	sweepPause = time.Minute
	// turnTimers is the most timers that a workspace runs in one turn.
	turnTimers = 20
	// firstPause and longestPause bound the pause after a failed run.
	firstPause, longestPause = 2 * time.Second, 10 * time.Minute
	// leaseSpare is how long before the end of its lease a run is cancelled.
	leaseSpare = 2 * time.Second
)

// A Finish stores the effects of a run and returns when the timer is due next; zero
// to delete it. It may run more than once.
type Finish func(t *desk.Tx) (next time.Time, err error)

// A Kind defines what happens when timers are due. It has one of Do, DoMany and Run.
// Its functions may be called concurrently.
type Kind struct {
	// Name identifies the kind in the store. It must never change.
	Name string
	// Do stores the effects of a timer that is due.
	Do func(t *desk.Tx, due desk.Timer) (next time.Time, err error)
	// After, if set, is called after the effects of Do were stored, to tell of them. If the
	// process ends before, it is not.
	After func(ctx context.Context, ws parley.WorkspaceID, ran desk.Timer)
	// DoMany is Do for at most Many timers in one transaction, for kinds of which
	// thousands may be due at the same moment. It returns when each timer is due next,
	// in their order. If it fails, it is called again for each timer alone.
	DoMany func(t *desk.Tx, due []desk.Timer) (next []time.Time, err error)
	Many   int // 1 to 200; only with DoMany
	// Run acts outside transactions. Its context ends shortly before Lease does.
	Run   func(ctx context.Context, ws parley.WorkspaceID, due desk.Timer) (Finish, error)
	Lease time.Duration
	// Missing, if set, returns the workspaces that need a nameless timer of this kind
	// and have none. They get one that is due.
	Missing func(v *store.View) ([]parley.WorkspaceID, error)
	// Farthest is the longest time ahead that timers of this kind are given. A later
	// time was given by a clock that was ahead, and counts as due.
	Farthest time.Duration
	// Deletes says that the kind deletes data by its age, so it waits while the clock
	// is in doubt. It runs up to a minute late.
	Deletes bool
}

// A Runner runs the timers of some kinds in all workspaces.
type Runner struct {
	kinds   map[string]Kind
	desk    *desk.Desk
	clock   parley.Clock
	ids     *parley.IDs
	log     *slog.Logger
	outside outside
	counts  struct{ runs, failures atomic.Int64 }
}

// New returns a Runner.
func New(d *desk.Desk, kinds []Kind) *Runner {
	base := d.Base()
	r := &Runner{kinds: map[string]Kind{}, desk: d, clock: base.Clock, ids: base.IDs, log: base.Log}
	for _, k := range kinds {
		r.kinds[k.Name] = k
	}
	return r
}

// Stats are counts since a Runner was created.
type Stats struct {
	Runs     int64 // runs whose effects were stored
	Failures int64 // runs that failed
}

// Stats returns the counts.
func (r *Runner) Stats() Stats {
	return Stats{Runs: r.counts.runs.Load(), Failures: r.counts.failures.Load()}
}

// DueAges returns how long the timers of each kind have been due, of all workspaces:
// the age of the one that has waited longest. Kinds without a due timer have 0.
func (r *Runner) DueAges(ctx context.Context) (map[string]time.Duration, error) {
	now := r.clock.Now()
	waits, err := desk.View(r.desk, func(v *store.View) ([]desk.Wait, error) { return desk.SelectWaits(v, now) }).Now(ctx)
	ages := make(map[string]time.Duration, len(r.kinds))
	for name := range r.kinds {
		ages[name] = 0
	}
	for _, w := range waits {
		if _, ours := ages[w.Kind]; ours {
			ages[w.Kind] = now.Sub(w.Since)
		}
	}
	return ages, err
}

// Run runs timers until the context ends.
func (r *Runner) Run(ctx context.Context) {
	defer r.outside.running.Wait()
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	var swept time.Time
	for {
		sweep := time.Since(swept) >= sweepPause
		var err error
		if sweep {
			swept = time.Now()
			err = r.Sweep(ctx)
		}
		if err = errors.Join(err, r.rounds(ctx, sweep)); err != nil && ctx.Err() == nil {
			r.log.Warn("timer: round failed, retrying", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// RunDue runs what is due in all workspaces, turn by turn, and returns when that is
// done. Kinds that delete run only if deletes is set.
func (r *Runner) RunDue(ctx context.Context, deletes bool) error {
	defer r.outside.running.Wait()
	return r.rounds(ctx, deletes)
}

func (r *Runner) rounds(ctx context.Context, deletes bool) error {
	for {
		more, err := r.Round(ctx, deletes)
		if err != nil || !more {
			return err
		}
	}
}

// Sweep inserts missing timers, and makes timers due whose time was given by a clock
// that was ahead.
func (r *Runner) Sweep(ctx context.Context) error {
	now := r.clock.Now()
	var failures []error
	for _, k := range r.kinds {
		if k.Missing != nil {
			failures = append(failures, r.each(ctx, k.Missing, func(t *desk.Tx) error { return desk.InsertTimer(t, t.WS, k.Name, "", t.Now) }))
		}
		span := desk.TimerSpan{
			Kind:     k.Name,
			Farthest: now.Add(max(k.Farthest, k.Lease, longestPause) + parley.ClockSpare),
			Lease:    now.Add(max(k.Lease, longestPause) + parley.ClockSpare),
		}
		failures = append(failures, r.each(ctx,
			func(v *store.View) ([]parley.WorkspaceID, error) { return desk.SelectMisdatedTimers(v, span) },
			func(t *desk.Tx) error { return desk.RedateTimers(t, t.WS, span, t.Now) }))
	}
	return errors.Join(failures...)
}

// each runs do in a transaction of each workspace that find returns.
func (r *Runner) each(ctx context.Context, find func(*store.View) ([]parley.WorkspaceID, error), do func(*desk.Tx) error) error {
	workspaces, err := desk.View(r.desk, find).Now(ctx)
	for _, ws := range workspaces {
		_, failed := desk.Write(ctx, r.desk, desk.Caller{Workspace: ws}, func(t *desk.Tx) (struct{}, error) { return struct{}{}, do(t) })
		err = errors.Join(err, failed)
	}
	return err
}
