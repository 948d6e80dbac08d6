// Package schedule makes backups at regular intervals. One timer for the whole store
// runs on any node, writes a backup to a folder or a bucket, and deletes the backups
// that no rule keeps. The outcome of the last one is a row, which each node shows.
//
// It may import the vocabulary, the store, the desk, timer, audit and backup.
package schedule

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"parley"
	"parley/internal/audit"
	"parley/internal/audit/entry"
	"parley/internal/backup"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/timer"
)

// kind names the timer. It is stored, so it never changes.
const kind = "backup"

// MinEvery is the shortest time between two backups.
const MinEvery = time.Hour

// Limits of the lease of a run: a backup that takes longer fails, and after a crash
// the next one begins when the lease has expired.
const shortestLease, longestLease = time.Hour, 6 * time.Hour

// recordTime is how long a run waits for the audit logs.
const recordTime = 5 * time.Second

// A Shelf stores backups under their names; see blob.Shelf.
type Shelf interface {
	Write(ctx context.Context, name string, fill func(io.Writer) error) error
	List(ctx context.Context) ([]string, error)
	Delete(ctx context.Context, name string) error
}

// Options configure a Schedule.
type Options struct {
	Desk  *desk.Desk
	Shelf Shelf
	// Create writes a backup of the present moment.
	Create func(ctx context.Context, out io.Writer, now time.Time) (backup.Report, error)
	Every  time.Duration // at least MinEvery
	// Lost is how many lost files a backup may have before it counts as failed.
	Lost  int
	Keep  Keep
	Clock parley.Clock
	Log   *slog.Logger
}

// A Schedule makes backups.
type Schedule struct{ Options }

// New returns a Schedule. The caller must pass its Kind to the timers, and call Plan.
func New(o Options) *Schedule { return &Schedule{o} }

// Kind returns the kind of its timer. The timer belongs to the oldest workspace,
// because each timer belongs to one.
func (s *Schedule) Kind() timer.Kind {
	return timer.Kind{
		Name: kind, Farthest: s.Every, Lease: min(longestLease, max(shortestLease, s.Every/4)),
		Missing: SelectOldestWithoutBackups,
		Run:     s.run,
	}
}

// Plan stores the interval of backups; 0 ends the schedule, so that none is late.
func Plan(ctx context.Context, d *desk.Desk, every time.Duration) error {
	state, err := Read(d).Now(ctx)
	if err != nil || state.Every == every {
		return err
	}
	_, err = desk.Write(ctx, d, desk.Caller{}, func(t *desk.Tx) (struct{}, error) {
		if every == 0 {
			return struct{}{}, DeletePlan(t)
		}
		return struct{}{}, UpsertPlan(t, every, t.Now)
	})
	return err
}

// Read returns the state of the schedule. Without a schedule, Every is 0.
func Read(d *desk.Desk) desk.Read[State] {
	return desk.View(d, func(v *store.View) (State, error) {
		state, err := SelectState(v)
		if parley.KindOf(err) == parley.NotFound {
			err = nil
		}
		return state, err
	})
}

// A State is the outcome of scheduled backups.
type State struct {
	Every     time.Duration // 0: there is no schedule
	PlannedAt time.Time
	DoneAt    time.Time // when the last backup began, zero if there was none
	Took      time.Duration
	Bytes     int64
	Failures  int // since the schedule was planned
}

// Late reports whether a backup is overdue. It ignores times in the future, which come
// from a clock that was ahead.
func (s *State) Late(now time.Time) bool {
	var last time.Time
	for _, at := range []time.Time{s.PlannedAt, s.DoneAt} {
		if at.After(last) && !isFuture(at, now) {
			last = at
		}
	}
	return s.Every > 0 && now.Sub(last) > 2*s.Every
}

// isFuture reports whether a time comes from a clock that was ahead.
func isFuture(at, now time.Time) bool { return at.After(now.Add(parley.ClockSpare)) }

const (
	namePrefix, nameSuffix = "parley-", ".backup"
	nameTime               = "20060102T150405Z"
)

func nameOf(at time.Time) string { return namePrefix + at.UTC().Format(nameTime) + nameSuffix }

// TimeOf parses a name that nameOf returned: when a backup was made.
func TimeOf(name string) (at time.Time, ok bool) {
	rest, first := strings.CutPrefix(name, namePrefix)
	rest, last := strings.CutSuffix(rest, nameSuffix)
	at, err := time.Parse(nameTime, rest)
	return at, first && last && err == nil
}

// run makes a backup, under the lease of the timer.
func (s *Schedule) run(ctx context.Context, _ parley.WorkspaceID, due desk.Timer) (timer.Finish, error) {
	begun := s.Clock.Now()
	name := nameOf(begun)
	var report backup.Report
	err := s.Shelf.Write(ctx, name, func(out io.Writer) (err error) {
		report, err = s.Create(ctx, out, begun)
		return err
	})
	if err != nil {
		err = fmt.Errorf("backup %s: %w", name, err)
		if errors.Is(ctx.Err(), context.Canceled) { // the server stops
			return nil, err
		}
		if due.Attempts <= 1 { // it is tried again soon, and again
			s.record(ctx, entry.BackupFailed)
		}
		return nil, errors.Join(err, s.fail(ctx))
	}
	if report.Lost > s.Lost {
		s.record(ctx, entry.BackupFailed)
		return s.incomplete(begun, name, report.Lost), nil
	}
	took := s.Clock.Now().Sub(begun)
	s.Log.Info("backup: made", "name", name, "bytes", report.Bytes, "messages", report.Messages, "files", report.Files, "lost", report.Lost, "took", took)
	s.record(ctx, entry.BackedUp)
	if err := s.prune(ctx, begun); err != nil {
		s.Log.Warn("backup: old backups not deleted", "error", err)
	}
	return func(t *desk.Tx) (time.Time, error) {
		return begun.Add(s.Every), errors.Join(UpsertPlan(t, s.Every, t.Now), UpdateDone(t, &State{DoneAt: begun, Took: took, Bytes: report.Bytes}))
	}, nil
}

// record says in the audit log of each workspace what became of a backup, even if the lease
// has expired. The backup does not depend on it.
func (s *Schedule) record(ctx context.Context, action entry.Action) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTime)
	defer cancel()
	if err := audit.New(s.Desk).RecordEverywhere(ctx, entry.Client{}, entry.Entry{Action: action}); err != nil {
		s.Log.Warn("backup: not in the audit log", "action", action, "error", err)
	}
}

// incomplete counts a backup that lacks files as a failure. The backup stays, because
// it has all rows, and no other is deleted, because an earlier one may have the files.
// An immediate retry would find no more files, so the next one comes as scheduled.
func (s *Schedule) incomplete(begun time.Time, name string, lost int) timer.Finish {
	s.Log.Error("backup: files lost, counted as failed, nothing deleted", "name", name, "lost", lost)
	return func(t *desk.Tx) (time.Time, error) {
		return begun.Add(s.Every), errors.Join(UpsertPlan(t, s.Every, t.Now), UpdateFailed(t))
	}
}

// fail counts a failure, even if the lease has expired. It stores the plan first,
// because another node may have ended the schedule that this one still has.
func (s *Schedule) fail(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_, err := desk.Write(ctx, s.Desk, desk.Caller{}, func(t *desk.Tx) (struct{}, error) {
		return struct{}{}, errors.Join(UpsertPlan(t, s.Every, t.Now), UpdateFailed(t))
	})
	return err
}

// prune deletes the backups that no rule keeps, but never the one that was just made.
// Backups with a time in the future were made while the clock was ahead: they are kept,
// and not counted.
func (s *Schedule) prune(ctx context.Context, just time.Time) error {
	names, err := s.Shelf.List(ctx)
	if err != nil {
		return err
	}
	var made []time.Time
	for _, name := range names {
		at, ok := TimeOf(name)
		switch {
		case !ok:
		case isFuture(at, just):
			s.Log.Warn("backup: the time in the name is in the future, neither counted nor deleted", "name", name)
		default:
			made = append(made, at)
		}
	}
	var errs []error
	for _, at := range s.Keep.Doomed(made) {
		if name := nameOf(at); name != nameOf(just) {
			errs = append(errs, s.Shelf.Delete(ctx, name))
		}
	}
	return errors.Join(errs...)
}
