package timer_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/timer"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// A world is a store with workspaces, and the nodes that share it.
type world struct {
	t       testing.TB
	options store.Options
	store   *store.Store // of the test itself
	clock   atomic.Int64
	lived   atomic.Int64 // how long the processes live, in milliseconds
	ids     *parley.IDs
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) { test(t, newWorld(t, o)) })
}

func newWorld(t testing.TB, o store.Options) *world {
	t.Helper()
	w := &world{t: t, options: o, ids: parley.NewIDs(nil)}
	w.clock.Store(time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC).UnixMilli())
	w.store = storetest.Open(t, o)
	return w
}

func (w *world) now() time.Time { return time.UnixMilli(w.clock.Load()).UTC() }

// advance lets time pass.
func (w *world) advance(d time.Duration) {
	w.clock.Add(d.Milliseconds())
	w.lived.Add(d.Milliseconds())
}

// node returns a Runner of a process of its own.
func (w *world) node(kinds ...timer.Kind) *timer.Runner {
	w.t.Helper()
	return timer.New(desk.New(desk.Options{
		Store: storetest.Open(w.t, w.options), Clock: w.now, IDs: w.ids, Log: slog.New(slog.DiscardHandler),
		Elapsed: func() time.Duration { return time.Duration(w.lived.Load()) * time.Millisecond },
	}), kinds)
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) write(ws parley.WorkspaceID, fn func(tx *store.Tx) error) {
	w.t.Helper()
	w.must(w.store.Write(w.t.Context(), ws, fn))
}

func (w *world) found() parley.WorkspaceID {
	w.t.Helper()
	ws := parley.WorkspaceID(w.ids.New(w.now()))
	w.write(ws, func(tx *store.Tx) error {
		return tx.InsertWorkspace(&parley.Workspace{ID: ws, Name: "x", Epoch: "e", CreatedAt: w.now()})
	})
	return ws
}

// set gives a timer of the kind "k" a time, as a verb would.
func (w *world) set(ws parley.WorkspaceID, name string, in time.Duration) {
	w.t.Helper()
	w.write(ws, func(tx *store.Tx) error {
		due := w.now().Add(in)
		return errors.Join(desk.InsertTimer(tx, ws, "k", name, due), desk.UpdateTimer(tx, ws, &desk.Timer{Kind: "k", Name: name, DueAt: due}))
	})
}

// timer returns a timer of the kind "k"; one without a kind if there is none.
func (w *world) timer(ws parley.WorkspaceID, name string) desk.Timer {
	w.t.Helper()
	var t desk.Timer
	err := w.store.View(w.t.Context(), func(v *store.View) (err error) {
		t, err = desk.SelectTimer(v, ws, "k", name)
		return err
	})
	if parley.KindOf(err) != parley.NotFound {
		w.must(err)
	}
	return t
}

// effects returns what timers stored, in alphabetical order.
func (w *world) effects(ws parley.WorkspaceID) []string {
	w.t.Helper()
	var names []string
	w.must(w.store.View(w.t.Context(), func(v *store.View) error {
		page, err := v.Products(ws, true, parley.Position{}, 200)
		names = nil
		for _, p := range page.Items {
			names = append(names, p.Name)
		}
		return err
	}))
	slices.Sort(names)
	return names
}

// record stores an effect.
func (w *world) record(t *desk.Tx, name string) error {
	return t.InsertProduct(t.WS, &parley.Product{ID: w.ids.New(t.Now), Name: name, CreatedAt: t.Now, UpdatedAt: t.Now})
}

// once is a kind that records the name of each timer and deletes it.
func (w *world) once() timer.Kind {
	return timer.Kind{Name: "k", Farthest: time.Hour, Do: func(t *desk.Tx, due desk.Timer) (time.Time, error) { return time.Time{}, w.record(t, due.Name) }}
}

// runByTwo has two nodes run timers of a kind until they had all effects, and requires
// that each happened once.
func (w *world) runByTwo(k timer.Kind, ws parley.WorkspaceID, want []string) {
	w.t.Helper()
	var running sync.WaitGroup
	for range 2 {
		node := w.node(k)
		running.Go(func() {
			for len(w.effects(ws)) < len(want) && w.t.Context().Err() == nil {
				_ = node.RunDue(w.t.Context(), false) // runs fail on purpose
				w.advance(10 * time.Minute)
			}
		})
	}
	running.Wait()
	if got := w.effects(ws); !slices.Equal(got, want) {
		w.t.Errorf("the effects are %v", got)
	}
}

// TestOnce has two nodes run timers while some runs fail after they stored their
// effects: each timer takes effect once.
func TestOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws := w.found()
		var want []string
		for i := range 60 {
			want = append(want, fmt.Sprintf("%02d", i))
			w.set(ws, want[i], 0)
		}
		var runs atomic.Int64
		k := w.once()
		k.Do = func(t *desk.Tx, due desk.Timer) (time.Time, error) {
			err := w.record(t, due.Name)
			switch runs.Add(1) % 4 {
			case 1:
				panic("the run panicked")
			case 2:
				err = errors.Join(err, errors.New("the process ended"))
			}
			return time.Time{}, err
		}
		w.runByTwo(k, ws, want)
	})
}

// TestEffectsApartFromTimer is the control of TestOnce: effects that are stored in a
// transaction of their own happen twice.
func TestEffectsApartFromTimer(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws := w.found()
		w.set(ws, "a", 0)
		ended := false
		k := timer.Kind{Name: "k", Lease: time.Minute, Run: func(ctx context.Context, ws parley.WorkspaceID, due desk.Timer) (timer.Finish, error) {
			err := w.store.Write(ctx, ws, func(tx *store.Tx) error { return w.record(&desk.Tx{Tx: tx, WS: ws, Now: w.now()}, due.Name) })
			if !ended {
				ended = true
				err = errors.Join(err, errors.New("the process ended"))
			}
			return func(*desk.Tx) (time.Time, error) { return time.Time{}, nil }, err
		}}
		node := w.node(k)
		for range 2 {
			w.must(node.RunDue(t.Context(), false))
			w.advance(time.Minute)
		}
		if got := w.effects(ws); len(got) != 2 {
			t.Errorf("effects apart from the timer are %v, so the test sees nothing", got)
		}
	})
}

// TestChangedMeanwhile changes and deletes timers while they run: the run stores
// nothing.
func TestChangedMeanwhile(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws := w.found()
		later := w.now().Add(time.Minute) // as the lease of the run
		change := map[string]func(tx *store.Tx) error{
			"later": func(tx *store.Tx) error {
				return desk.UpdateTimer(tx, ws, &desk.Timer{Kind: "k", Name: "later", DueAt: later})
			},
			"deleted": func(tx *store.Tx) error { return desk.DeleteTimer(tx, ws, "k", "deleted") },
			"replaced": func(tx *store.Tx) error {
				return errors.Join(desk.DeleteTimer(tx, ws, "k", "replaced"), desk.InsertTimer(tx, ws, "k", "replaced", later))
			},
			"kept": func(*store.Tx) error { return nil },
		}
		acts := timer.Kind{Name: "k", Lease: time.Minute, Run: func(ctx context.Context, ws parley.WorkspaceID, due desk.Timer) (timer.Finish, error) {
			err := w.store.Write(ctx, ws, change[due.Name])
			return func(t *desk.Tx) (time.Time, error) { return time.Time{}, w.record(t, due.Name) }, err
		}}
		for name := range change {
			w.set(ws, name, 0)
		}
		node := w.node(acts)
		for range 4 { // two runs of a workspace at a time
			w.must(node.RunDue(t.Context(), false))
		}
		if got := w.effects(ws); !slices.Equal(got, []string{"kept"}) {
			t.Errorf("the effects are %v", got)
		}
		for _, name := range []string{"later", "replaced"} {
			if got := w.timer(ws, name); got.Owner != "" || !got.DueAt.Equal(later) {
				t.Errorf("the timer that was changed is %+v", got)
			}
		}
		for _, name := range []string{"deleted", "kept"} {
			if got := w.timer(ws, name); got.Kind != "" {
				t.Errorf("there is still the timer %+v", got)
			}
		}
	})
}

// TestLease ends a process in the middle of a run: another node runs the timer once
// the lease has expired, and not before.
func TestLease(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws := w.found()
		w.set(ws, "a", 0)
		ctx, end := context.WithCancel(t.Context())
		acts := timer.Kind{Name: "k", Lease: time.Minute}
		acts.Run = func(context.Context, parley.WorkspaceID, desk.Timer) (timer.Finish, error) {
			end()
			return nil, context.Canceled
		}
		_ = w.node(acts).RunDue(ctx, false) // ends with its context
		acts.Run = func(context.Context, parley.WorkspaceID, desk.Timer) (timer.Finish, error) {
			return func(t *desk.Tx) (time.Time, error) { return time.Time{}, w.record(t, "b") }, nil
		}
		other := w.node(acts)
		for _, look := range []struct {
			after time.Duration
			want  int
		}{{0, 0}, {59 * time.Second, 0}, {time.Second, 1}, {time.Hour, 1}} {
			w.advance(look.after)
			w.must(other.RunDue(t.Context(), false))
			if got := w.effects(ws); len(got) != look.want {
				t.Errorf("after %v more the effects are %v", look.after, got)
			}
		}
	})
}

// TestRunsThatEndTheProcess ends a process in each run: the timer waits longer each
// time, as after failures.
func TestRunsThatEndTheProcess(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws := w.found()
		w.set(ws, "a", 0)
		for _, want := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second} {
			ctx, end := context.WithCancel(t.Context())
			node := w.node(timer.Kind{Name: "k", Lease: time.Second, Run: func(context.Context, parley.WorkspaceID, desk.Timer) (timer.Finish, error) {
				end()
				return nil, context.Canceled
			}})
			_ = node.RunDue(ctx, false) // ends with its context
			got := w.timer(ws, "a").DueAt.Sub(w.now())
			if got != want {
				t.Errorf("the timer waits for %v, want %v", got, want)
			}
			w.advance(got)
		}
	})
}

// TestClockWasAhead gives timers and leases times by a clock that is ahead, and sets
// it right: they are due.
func TestClockWasAhead(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws := w.found()
		k := w.once()
		k.Farthest, k.Lease = 24*time.Hour, time.Minute
		w.set(ws, "far", 24*time.Hour)
		w.set(ws, "too far", 48*time.Hour) // as a clock that is a day ahead would
		hold := func(name string, until time.Duration) {
			t.Helper()
			w.set(ws, name, 0)
			held := desk.Timer{Kind: "k", Name: name, DueAt: w.now().Add(until), Attempts: 1, Owner: "p"}
			w.write(ws, func(tx *store.Tx) error { return desk.UpdateTimer(tx, ws, &held) })
		}
		hold("held", time.Minute)
		hold("held too long", 23*time.Hour)
		node := w.node(k)
		w.must(node.RunDue(t.Context(), false))
		if got := w.effects(ws); got != nil {
			t.Errorf("before the sweep the effects are %v", got)
		}
		w.must(node.Sweep(t.Context()))
		w.must(node.RunDue(t.Context(), false))
		if got := w.effects(ws); !slices.Equal(got, []string{"held too long", "too far"}) {
			t.Errorf("the effects are %v", got)
		}
	})
}

// TestMissing has two nodes create each workspace's missing timer, and create
// it again after it is deleted.
func TestMissing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		workspaces := []parley.WorkspaceID{w.found(), w.found()}
		k := timer.Kind{
			Name: "k", Farthest: time.Hour,
			Missing: func(v *store.View) ([]parley.WorkspaceID, error) { return desk.SelectWorkspacesWithoutTimer(v, "k") },
			Do:      func(t *desk.Tx, _ desk.Timer) (time.Time, error) { return t.Now.Add(time.Hour), w.record(t, "ran") },
		}
		nodes := []*timer.Runner{w.node(k), w.node(k)}
		tend := func() {
			t.Helper()
			var running sync.WaitGroup
			for _, node := range nodes {
				running.Go(func() {
					if err := errors.Join(node.Sweep(t.Context()), node.RunDue(t.Context(), false)); err != nil {
						t.Error(err)
					}
				})
			}
			running.Wait()
		}
		for hour := range 3 {
			tend()
			tend()
			for _, ws := range workspaces {
				if got := w.effects(ws); len(got) != hour+1 {
					t.Errorf("after %d hours there were %d runs", hour, len(got))
				}
			}
			w.advance(time.Hour)
		}
	})
}

// TestDeletes lets the clock run ahead: kinds that delete wait until the clock
// is trusted.
func TestDeletes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws := w.found()
		k := w.once()
		k.Deletes = true
		node := w.node(k)
		w.set(ws, "a", 0)
		w.must(node.RunDue(t.Context(), false))
		if got := w.effects(ws); got != nil {
			t.Errorf("between the sweeps the effects are %v", got)
		}
		w.must(node.RunDue(t.Context(), true))
		w.set(ws, "b", time.Minute)
		w.clock.Add((2 * time.Hour).Milliseconds()) // the process did not live that long
		w.must(node.RunDue(t.Context(), true))
		if got := w.effects(ws); !slices.Equal(got, []string{"a"}) {
			t.Errorf("by a clock that is ahead the effects are %v", got)
		}
		w.advance(time.Hour)
		w.must(node.RunDue(t.Context(), true))
		if got := w.effects(ws); !slices.Equal(got, []string{"a", "b"}) {
			t.Errorf("an hour later the effects are %v", got)
		}
	})
}

// TestRetry makes a run fail: it is retried less and less often, and the others
// continue.
func TestRetry(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws := w.found()
		tries, broken := 0, true
		k := w.once()
		whole := k.Do
		k.Do = func(t *desk.Tx, due desk.Timer) (time.Time, error) {
			if due.Name == "bad" && broken {
				tries++
				return time.Time{}, errors.New("no")
			}
			return whole(t, due)
		}
		w.set(ws, "bad", 0)
		w.set(ws, "good", 0)
		node := w.node(k)
		for _, look := range []struct {
			after time.Duration
			want  int
		}{{0, 1}, {time.Second, 1}, {time.Second, 2}, {2 * time.Second, 2}, {2 * time.Second, 3}} {
			w.advance(look.after)
			_ = node.RunDue(t.Context(), false) // fails on purpose
			if tries != look.want {
				t.Errorf("after %v more there were %d tries, want %d", look.after, tries, look.want)
			}
		}
		if got := w.effects(ws); !slices.Equal(got, []string{"good"}) {
			t.Errorf("the effects are %v", got)
		}
		w.set(ws, "bad", 0) // set again, it is due at once
		broken = false
		w.must(node.RunDue(t.Context(), false))
		if got := w.effects(ws); !slices.Equal(got, []string{"bad", "good"}) || node.Stats().Failures != 3 {
			t.Errorf("at the end the effects are %v, after %+v", got, node.Stats())
		}
	})
}

// TestFair fills one workspace with timers: that of another one runs in the first
// round, and long runs leave it a slot.
func TestFair(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		heavy, light := w.found(), w.found()
		for i := range 50 {
			w.set(heavy, fmt.Sprintf("%02d", i), -time.Hour)
		}
		w.set(light, "a", 0)
		node := w.node(w.once())
		if _, err := node.Round(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		if len(w.effects(light)) != 1 || len(w.effects(heavy)) != 20 {
			t.Errorf("after a round the effects are %d and %d, want 1 and 20", len(w.effects(light)), len(w.effects(heavy)))
		}
		w.set(light, "b", 0)
		slow, began := make(chan struct{}), make(chan string, 100)
		acts := timer.Kind{Name: "k", Lease: time.Hour, Run: func(_ context.Context, ws parley.WorkspaceID, due desk.Timer) (timer.Finish, error) {
			began <- due.Name
			if ws == heavy {
				<-slow
			}
			return func(t *desk.Tx) (time.Time, error) { return time.Time{}, w.record(t, due.Name) }, nil
		}}
		node = w.node(acts)
		if _, err := node.Round(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		var names []string
		for range 3 {
			names = append(names, <-began)
		}
		if text := strings.Join(names, " "); !strings.Contains(text, "b") || len(began) != 0 {
			t.Errorf("beside slow runs began %q and %d more", text, len(began))
		}
		close(slow)
		for len(w.effects(heavy)) < 50 && t.Context().Err() == nil {
			w.must(node.RunDue(t.Context(), false))
		}
	})
}

// TestWaitingHidesNothing makes many timers of a workspace wait for a slot:
// those with effects in the store alone still run.
func TestWaitingHidesNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws := w.found()
		for i := range 30 {
			w.write(ws, func(tx *store.Tx) error {
				return desk.InsertTimer(tx, ws, "slow", fmt.Sprint(i), w.now().Add(-time.Hour))
			})
		}
		w.set(ws, "a", 0)
		release := make(chan struct{})
		node := w.node(w.once(), timer.Kind{Name: "slow", Lease: time.Hour, Run: func(context.Context, parley.WorkspaceID, desk.Timer) (timer.Finish, error) {
			<-release
			return func(*desk.Tx) (time.Time, error) { return time.Time{}, nil }, nil
		}})
		for range 2 {
			if _, err := node.Round(t.Context(), false); err != nil {
				t.Error(err)
			}
		}
		if got := w.effects(ws); !slices.Equal(got, []string{"a"}) {
			t.Errorf("beside timers that wait the effects are %v", got)
		}
		close(release)
		w.must(node.RunDue(t.Context(), false))
	})
}
