package timer_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/timer"
)

// batches is a kind "k" that records the name of each timer, ten in a transaction, and
// deletes it.
func (w *world) batches() timer.Kind {
	return timer.Kind{Name: "k", Farthest: time.Hour, Many: 10, DoMany: func(t *desk.Tx, due []desk.Timer) ([]time.Time, error) {
		var err error
		for _, one := range due {
			err = errors.Join(err, w.record(t, one.Name))
		}
		return make([]time.Time, len(due)), err
	}}
}

// setMany gives timers of the kind "k" the same time, and returns their names.
func (w *world) setMany(ws parley.WorkspaceID, count int) []string {
	w.t.Helper()
	names := make([]string, count)
	storetest.Fill(w.t, w.store, ws, count, func(tx *store.Tx, i int) error {
		names[i] = fmt.Sprintf("%06d", i)
		return desk.SetTimer(tx, ws, "k", names[i], w.now())
	})
	return names
}

// TestBatchesOnce has two nodes run batches, some of which fail after they stored their
// effects: each timer takes effect once.
func TestBatchesOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws := w.found()
		want := w.setMany(ws, 60)
		var runs atomic.Int64
		k := w.batches()
		whole := k.DoMany
		k.DoMany = func(t *desk.Tx, due []desk.Timer) ([]time.Time, error) {
			next, err := whole(t, due)
			switch runs.Add(1) % 5 {
			case 1:
				panic("the run panicked")
			case 3:
				err = errors.Join(err, errors.New("the process ended"))
			}
			return next, err
		}
		w.runByTwo(k, ws, want)
	})
}

// TestBatchFailsAlone makes one timer of a batch fail: the others take effect at once,
// and only the one that fails waits, longer each time.
func TestBatchFailsAlone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws := w.found()
		names := w.setMany(ws, 25)
		bad := names[3]
		k := w.batches()
		whole, tries := k.DoMany, 0
		k.DoMany = func(t *desk.Tx, due []desk.Timer) ([]time.Time, error) {
			next, err := whole(t, due)
			if slices.ContainsFunc(due, func(one desk.Timer) bool { return one.Name == bad }) {
				if len(due) == 1 {
					tries++
				}
				err = errors.Join(err, errors.New("no"))
			}
			return next, err
		}
		node := w.node(k)
		if err := node.RunDue(t.Context(), false); err == nil {
			t.Error("a run that failed was not reported")
		}
		w.must(node.RunDue(t.Context(), false))
		others := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == bad })
		if got := w.effects(ws); !slices.Equal(got, others) {
			t.Errorf("the effects are %v", got)
		}
		for _, want := range []time.Duration{2 * time.Second, 4 * time.Second} {
			if got := w.timer(ws, bad).DueAt.Sub(w.now()); got != want {
				t.Errorf("the timer that failed waits for %v, want %v", got, want)
			}
			w.advance(want)
			_ = node.RunDue(t.Context(), false) // fails on purpose
		}
		if tries != 3 || node.Stats() != (timer.Stats{Runs: 24, Failures: 3}) {
			t.Errorf("there were %d tries and %+v", tries, node.Stats())
		}
	})
}

// TestBatchHoldsUpNothing makes many timers of one kind due before one of another kind:
// that one runs in the first round.
func TestBatchHoldsUpNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws := w.found()
		w.setMany(ws, 35)
		w.advance(time.Minute)
		w.write(ws, func(tx *store.Tx) error { return desk.SetTimer(tx, ws, "single", "a", w.now()) })
		single := w.once()
		single.Name = "single"
		node := w.node(w.batches(), single)
		if more, err := node.Round(t.Context(), false); err != nil || !more {
			t.Errorf("after a batch nothing is left: %v", err)
		}
		if got := w.effects(ws); len(got) != 11 || !slices.Contains(got, "a") {
			t.Errorf("the effects of the first round are %v", got)
		}
		ages, err := node.DueAges(t.Context())
		if err != nil || ages["k"] != time.Minute || ages["single"] != 0 || len(ages) != 2 {
			t.Errorf("what is due is %v old: %v", ages, err)
		}
		w.must(node.RunDue(t.Context(), false))
		if got := w.effects(ws); len(got) != 36 {
			t.Errorf("at the end there are %d effects", len(got))
		}
	})
}

// TestBatchTimes has the effects of a batch set, delete and repeat its own timers, and
// another node move one before: each ends as the last one said.
func TestBatchTimes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws := w.found()
		names := w.setMany(ws, 5)
		later := w.now().Add(time.Minute)
		moved := false
		k := w.batches()
		k.DoMany = func(t *desk.Tx, due []desk.Timer) ([]time.Time, error) {
			if len(due) != 5 {
				return nil, fmt.Errorf("%d timers are due", len(due))
			}
			moved = true
			return []time.Time{{}, later, {}, {}, later}, errors.Join(
				desk.SetTimer(t, t.WS, "k", names[2], later.Add(time.Hour)), desk.DeleteTimer(t, t.WS, "k", names[4]))
		}
		w.must(w.node(k).RunDue(t.Context(), false))
		want := []time.Time{{}, later, later.Add(time.Hour), {}, {}}
		for i, name := range names {
			if got := w.timer(ws, name).DueAt; !got.Equal(want[i]) {
				t.Errorf("the timer %d is due at %v, want %v", i, got, want[i])
			}
		}
		if !moved {
			t.Error("nothing ran")
		}
	})
}

// TestCanceledAtAnyMoment ends a node at every moment of a batch, also while its
// transaction runs: another node runs each timer, and each takes effect once.
func TestCanceledAtAnyMoment(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var asked, moment atomic.Int64
		var end context.CancelFunc
		dying := timer.New(desk.New(desk.Options{
			Store: storetest.Open(t, w.options), IDs: w.ids, Log: slog.New(slog.DiscardHandler),
			Clock: func() time.Time {
				if asked.Add(1) == moment.Load() {
					end()
				}
				return w.now()
			},
		}), []timer.Kind{w.batches()})
		other := w.node(w.batches())
		for {
			ws := w.found()
			names := w.setMany(ws, 20)
			var ctx context.Context
			ctx, end = context.WithCancel(t.Context())
			asked.Store(0)
			at := moment.Add(1)
			_ = dying.RunDue(ctx, false) // ends with its context
			ended := ctx.Err() != nil
			end()
			w.must(other.RunDue(t.Context(), false))
			if got := w.effects(ws); !slices.Equal(got, names) {
				t.Fatalf("a node that ended at moment %d left the effects %v", at, got)
			}
			if ended {
				continue
			}
			if at < 5 {
				t.Errorf("a batch has only %d moments", at)
			}
			return
		}
	})
}

// waitForAnalyze waits until PostgreSQL has gathered its statistics of timers by itself,
// which it does once a minute.
func waitForAnalyze(b *testing.B, w *world) {
	b.Helper()
	for deadline := time.Now().Add(3 * time.Minute); ; time.Sleep(time.Second) {
		var done bool
		w.must(w.store.View(b.Context(), func(v *store.View) (err error) {
			done, err = store.OneAcross(v, "table", store.Only[bool], "SELECT n_mod_since_analyze < 1000 FROM pg_stat_user_tables WHERE relname = 'timers'")
			return err
		}))
		switch {
		case done:
			return
		case time.Now().After(deadline):
			b.Fatal("PostgreSQL has not analyzed the table")
		}
	}
}

// BenchmarkDueTimers runs a hundred thousand timers that are due at the same moment, on
// stores that wait for their disk.
func BenchmarkDueTimers(b *testing.B) {
	const count = 100_000
	for name, options := range map[string]func(testing.TB) store.Options{"sqlite": storetest.SQLite, "postgres": storetest.DurablePostgres} {
		b.Run(name, func(b *testing.B) {
			o := options(b)
			if _, _, err := store.Migrate(b.Context(), o); err != nil {
				b.Fatal(err)
			}
			w := newWorld(b, o)
			ws := w.found()
			node := w.node(timer.Kind{Name: "k", Farthest: time.Hour, Many: 200, DoMany: func(_ *desk.Tx, due []desk.Timer) ([]time.Time, error) {
				return make([]time.Time, len(due)), nil
			}}, timer.Kind{Name: "other", Do: func(*desk.Tx, desk.Timer) (time.Time, error) { return time.Time{}, nil }})
			for b.Loop() {
				b.StopTimer()
				w.setMany(ws, count)
				if name == "postgres" {
					waitForAnalyze(b, w)
				}
				b.StartTimer()
				if err := node.RunDue(b.Context(), false); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(count*float64(b.N)/b.Elapsed().Seconds(), "timers/s")
		})
	}
}
