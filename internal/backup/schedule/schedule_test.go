package schedule_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/audit"
	"parley/internal/backup"
	"parley/internal/backup/schedule"
	"parley/internal/blob"
	"parley/internal/desk"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/timer"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// A world is a store with two workspaces, and the shelf of its nodes.
type world struct {
	t       *testing.T
	options store.Options
	shelf   blob.Shelf
	clock   atomic.Int64
	ids     *parley.IDs
	broken  atomic.Bool // making a backup fails
	made    atomic.Int64
	lost    atomic.Int64 // files that backups lack
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		shelf, err := blob.OpenShelf(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		w := &world{t: t, options: o, shelf: shelf, ids: parley.NewIDs(nil)}
		w.clock.Store(time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC).UnixMilli())
		s := storetest.Open(t, o)
		for range 2 {
			ws := parley.WorkspaceID(w.ids.New(w.now()))
			w.must(s.Write(t.Context(), ws, func(tx *store.Tx) error {
				return tx.InsertWorkspace(&parley.Workspace{ID: ws, Name: "x", Epoch: "e", CreatedAt: w.now()})
			}))
		}
		test(t, w)
	})
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) now() time.Time { return time.UnixMilli(w.clock.Load()).UTC() }

// A node is a process with the schedule.
type node struct {
	w      *world
	desk   *desk.Desk
	timers *timer.Runner
}

func (w *world) node(every time.Duration, keep string) node {
	w.t.Helper()
	s, log := storetest.Open(w.t, w.options), slog.New(slog.DiscardHandler)
	d := desk.New(desk.Options{Store: s, Clock: w.now, IDs: w.ids, Log: log})
	kept, err := schedule.ParseKeep(keep)
	w.must(err)
	create := func(ctx context.Context, out io.Writer, now time.Time) (backup.Report, error) {
		w.made.Add(1)
		if w.broken.Load() {
			return backup.Report{}, errors.New("the disk is full")
		}
		report, err := backup.Create(ctx, out, backup.Source{Store: s, Program: "test", Engine: "sqlite", Now: now, Log: log}, nil)
		report.Lost = int(w.lost.Load())
		return report, err
	}
	planned := schedule.New(schedule.Options{Desk: d, Shelf: w.shelf, Create: create, Every: every, Keep: kept, Lost: 1, Clock: w.now, Log: log})
	w.must(schedule.Plan(w.t.Context(), d, every))
	return node{w, d, timer.New(d, []timer.Kind{planned.Kind()})}
}

// after lets time pass, and runs what is due.
func (n node) after(d time.Duration) {
	n.w.t.Helper()
	n.w.clock.Add(d.Milliseconds())
	n.w.must(errors.Join(n.timers.Sweep(n.w.t.Context()), n.timers.RunDue(n.w.t.Context(), true)))
}

func (n node) state() schedule.State {
	n.w.t.Helper()
	s, err := schedule.Read(n.desk).Now(n.w.t.Context())
	n.w.must(err)
	return s
}

// recorded returns what the audit logs of both workspaces say of backups, oldest first.
func (n node) recorded() []string {
	n.w.t.Helper()
	var all []string
	workspaces, err := n.desk.Workspaces(n.w.t.Context())
	n.w.must(err)
	for _, ws := range workspaces {
		page, err := audit.New(n.desk).Entries(ws.ID, audit.Filter{}, parley.Position{}, parley.MaxLimit).Now(n.w.t.Context())
		n.w.must(err)
		var actions []string
		for _, e := range slices.Backward(page.Items) {
			actions = append(actions, string(e.ActorType)+" "+string(e.Action))
		}
		if all != nil && !slices.Equal(all, actions) {
			n.w.t.Errorf("one workspace has %v, another %v", all, actions)
		}
		all = actions
	}
	return all
}

func (w *world) names() []string {
	w.t.Helper()
	names, err := w.shelf.List(w.t.Context())
	w.must(err)
	slices.Sort(names)
	return names
}

// TestSchedule has two nodes run for some days: each backup is made once, and old
// ones go.
func TestSchedule(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		a, b := w.node(24*time.Hour, "2"), w.node(24*time.Hour, "2")
		for range 4 {
			var both sync.WaitGroup
			w.clock.Add((12 * time.Hour).Milliseconds())
			for _, n := range []node{a, b} {
				both.Go(func() { n.after(0) })
			}
			both.Wait()
		}
		if got := w.made.Load(); got != 2 {
			t.Errorf("%d backups were made in two days", got)
		}
		a.after(12 * time.Hour)
		want := []string{"parley-20261122T220000Z.backup", "parley-20261123T220000Z.backup"}
		if got := w.names(); !slices.Equal(got, want) {
			t.Errorf("there are %v, want %v", got, want)
		}
		if s := b.state(); s.Bytes < 100 || !s.DoneAt.Equal(w.now()) || s.Failures != 0 || s.Late(w.now()) {
			t.Errorf("the state is %+v", s)
		}
	})
}

// TestScheduleFails lets backups fail until they are late: they are tried again,
// counted, and nothing is deleted. Then one succeeds.
func TestScheduleFails(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.node(24*time.Hour, "1")
		n.after(0)
		first := w.names()
		w.broken.Store(true)
		tries := w.made.Load()
		for range 5 {
			n.after(12 * time.Hour)
		}
		s := n.state()
		if got := w.made.Load() - tries; got < 2 || int64(s.Failures) != got {
			t.Errorf("after %d tries the state is %+v", got, s)
		}
		if !s.Late(w.now()) || s.Late(w.now().Add(-24*time.Hour)) {
			t.Errorf("the state %+v is not late, or was before", s)
		}
		if got := w.names(); !slices.Equal(got, first) {
			t.Errorf("there are %v, want %v", got, first)
		}
		w.broken.Store(false)
		n.after(6 * time.Hour)
		if s := n.state(); s.Late(w.now()) || len(w.names()) != 1 || slices.Equal(w.names(), first) {
			t.Errorf("the state is %+v, and there are %v", s, w.names())
		}
		if got := n.recorded(); !slices.Equal(got, []string{"server backup.created", "server backup.failed", "server backup.created"}) {
			t.Errorf("the audit log has %v", got)
		}
	})
}

// TestScheduleLosesFiles makes backups that lack more files than the operator
// allows: they count as failures, are not repeated at once, and delete nothing.
func TestScheduleLosesFiles(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.node(24*time.Hour, "1")
		w.lost.Store(1)
		n.after(0)
		w.lost.Store(2)
		for range 6 {
			n.after(12 * time.Hour)
		}
		s := n.state()
		if w.made.Load() != 4 || s.Failures != 3 || !s.Late(w.now()) || len(w.names()) != 4 {
			t.Errorf("%d backups were made, the state is %+v, and there are %v", w.made.Load(), s, w.names())
		}
		if got := n.recorded(); !slices.Equal(got, append([]string{"server backup.created"}, slices.Repeat([]string{"server backup.failed"}, 3)...)) {
			t.Errorf("the audit log has %v", got)
		}
		w.lost.Store(0)
		n.after(24 * time.Hour)
		if s := n.state(); s.Late(w.now()) || len(w.names()) != 1 {
			t.Errorf("the state is %+v, and there are %v", s, w.names())
		}
	})
}

// TestScheduleChanges shortens the time between backups, and ends the schedule.
func TestScheduleChanges(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.node(24*time.Hour, "9").after(0)
		n := w.node(2*time.Hour, "9")
		n.after(time.Hour)
		if got := w.made.Load(); got != 2 {
			t.Errorf("%d backups were made, want one more because the next was too far", got)
		}
		w.must(schedule.Plan(t.Context(), n.desk, 0))
		if s := n.state(); s.Every != 0 || s.Late(w.now().Add(1000*time.Hour)) {
			t.Errorf("without a schedule the state is %+v", s)
		}
	})
}

// TestScheduleFailsBehindAnother lets backups fail after another node ended the
// schedule: this one still has it, so it is late in time.
func TestScheduleFailsBehindAnother(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.node(24*time.Hour, "9")
		n.after(0)
		w.must(schedule.Plan(t.Context(), n.desk, 0))
		w.broken.Store(true)
		for range 10 {
			n.after(12 * time.Hour)
		}
		if s := n.state(); s.Failures == 0 || !s.Late(w.now()) {
			t.Errorf("the state is %+v", s)
		}
	})
}

// TestScheduleBehindAWrongClock makes backups under a clock that is ahead by a year,
// and then under the right one: what is made then stays, as the rules say, and what
// the wrong clock made is not deleted.
func TestScheduleBehindAWrongClock(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		right := w.now()
		w.clock.Store(right.AddDate(1, 0, 0).UnixMilli())
		w.node(24*time.Hour, "1").after(0)
		ahead := w.names()
		w.clock.Store(right.UnixMilli())
		n := w.node(24*time.Hour, "1")
		for range 3 {
			n.after(24 * time.Hour)
		}
		if got, want := w.names(), append([]string{"parley-20261124T100000Z.backup"}, ahead...); !slices.Equal(got, want) {
			t.Errorf("there are %v, want %v", got, want)
		}
	})
}

// TestLate says when a backup is missed, also while the times are of a clock that was
// ahead.
func TestLate(t *testing.T) {
	now := time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)
	day, year := 24*time.Hour, 365*24*time.Hour
	for name, c := range map[string]struct {
		planned, done time.Duration // from now
		want          bool
	}{
		"planned just now":                      {0, -1000 * day, false},
		"planned, and none in time":             {-3 * day, -1000 * day, true},
		"made in time":                          {-9 * day, -day, false},
		"made a little ahead":                   {-9 * day, time.Minute, false},
		"made ahead by a year, and planned":     {-9 * day, year, true},
		"made and planned ahead by a year":      {year, year, true},
		"planned ahead by a year, made in time": {year, -day, false},
	} {
		s := schedule.State{Every: day, PlannedAt: now.Add(c.planned), DoneAt: now.Add(c.done)}
		if s.Late(now) != c.want {
			t.Errorf("%s: late is %t", name, !c.want)
		}
	}
}

// TestKeep compares what rules keep with what one would mark in a calendar.
func TestKeep(t *testing.T) {
	day := func(text string) time.Time {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	made := []time.Time{
		day("2026-12-31T03:00:00Z"), day("2026-12-31T15:00:00Z"), day("2026-12-30T03:00:00Z"), day("2026-12-28T03:00:00Z"),
		day("2026-12-27T03:00:00Z"), day("2026-12-20T03:00:00Z"), day("2026-11-30T03:00:00Z"), day("2026-11-02T03:00:00Z"), day("2026-10-31T03:00:00Z"),
	}
	for rule, want := range map[string]string{
		"1":        "12-31T15",
		"3":        "12-31T15 12-31T03 12-30T03",
		"2d":       "12-31T15 12-30T03",
		"3w":       "12-31T15 12-27T03 12-20T03",
		"3m":       "12-31T15 11-30T03 10-31T03",
		"2d,2w,2m": "12-31T15 12-30T03 12-27T03 11-30T03",
		"1000":     "12-31T15 12-31T03 12-30T03 12-28T03 12-27T03 12-20T03 11-30T03 11-02T03 10-31T03",
	} {
		keep, err := schedule.ParseKeep(rule)
		if err != nil {
			t.Fatal(err)
		}
		doomed := keep.Doomed(made)
		var kept []string
		for _, at := range slices.SortedFunc(slices.Values(made), func(a, b time.Time) int { return b.Compare(a) }) {
			if !slices.Contains(doomed, at) {
				kept = append(kept, at.Format("01-02T15"))
			}
		}
		if got := strings.Join(kept, " "); got != want {
			t.Errorf("%s keeps %s, want %s", rule, got, want)
		}
	}
	for _, rule := range []string{"", "0", "d", "-1", "7x", "7d,", "1001", "7dd"} {
		if keep, err := schedule.ParseKeep(rule); err == nil {
			t.Errorf("%q is read as %v", rule, keep)
		}
	}
}

// TestKeepEnd compares when a backup is said to be deleted with a schedule that makes
// one at each interval: it is gone with the first one after that.
func TestKeepEnd(t *testing.T) {
	const day = 24 * time.Hour
	made := time.Date(2026, time.November, 30, 3, 0, 0, 0, time.UTC) // the last of its month
	for _, c := range []struct {
		rules string
		every time.Duration
		end   string
	}{
		{"14", day, "2026-12-14T03"},
		{"14", 12 * time.Hour, "2026-12-07T03"},
		{"7d", 12 * time.Hour, "2026-12-07T03"},
		{"7d", 2 * day, "2026-12-14T03"}, // days without a backup do not count
		{"4w", day, "2026-12-28T03"},
		{"7d,4w,6m", day, "2027-05-30T03"},
		{"6m,200", day, "2027-06-18T03"},
	} {
		keep, err := schedule.ParseKeep(c.rules)
		if err != nil {
			t.Fatal(err)
		}
		end := keep.End(made, c.every)
		if got := end.Format("2006-01-02T15"); got != c.end {
			t.Errorf("%s each %s: %s, want %s", c.rules, c.every, got, c.end)
		}
		there := []time.Time{made}
		for at := made.Add(c.every); at.Before(end.Add(c.every)); at = at.Add(c.every) {
			doomed := keep.Doomed(append(there, at))
			there = slices.DeleteFunc(append(there, at), func(at time.Time) bool { return slices.Contains(doomed, at) })
		}
		if slices.Contains(there, made) {
			t.Errorf("%s each %s: it is still there after %s", c.rules, c.every, c.end)
		}
	}
	if end := (schedule.Keep)(nil).End(made, day); !end.IsZero() {
		t.Errorf("without rules it ends at %s", end)
	}
}
