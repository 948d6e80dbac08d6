package follow_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/follow"
	"parley/internal/store"
)

// TestFair fills the log of one workspace: another one has its turn in the next
// round, not when that queue ends.
func TestFair(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		heavy, light := w.found(), w.found()
		node := w.node(w.recorder(follow.FromOldest, 5))
		w.emit(heavy, 100)
		round := func() bool {
			t.Helper()
			more, err := node.Round(t.Context())
			w.must(err)
			return more
		}
		round() // both begin
		round()
		w.emit(light, 1)
		round()
		if got := w.effects(light); !slices.Equal(got, numbers(1, 1)) {
			t.Errorf("after one round more the light workspace has %v", got)
		}
		if got := len(w.effects(heavy)); got != 10 {
			t.Errorf("after two turns the heavy workspace has %d effects, want 10", got)
		}
		for round() {
		}
		if got := w.effects(heavy); !slices.Equal(got, numbers(1, 100)) {
			t.Errorf("at the end the heavy workspace has %v", got)
		}
	})
}

// TestRest has a follower that fails on an event of one workspace: the others
// continue, and that one is retried less and less often, whatever the clock
// does.
func TestRest(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		bad, good := w.found(), w.found()
		w.emit(bad, 1)
		w.emit(good, 3)
		f := w.recorder(follow.FromOldest, 5)
		whole := f.Events
		tries, broken := 0, true
		f.Events = func(ctx context.Context, ws parley.WorkspaceID, events []parley.Event) (follow.Step, error) {
			if ws == bad && broken {
				if tries++; tries%2 == 0 {
					panic("an event that nobody expected")
				}
				return follow.Step{}, errors.New("an event that nobody expected")
			}
			return whole(ctx, ws, events)
		}
		node := w.node(f)
		look := func(want int) {
			t.Helper()
			_, _ = node.Round(t.Context()) // fails on purpose
			if tries != want {
				t.Errorf("there were %d tries, want %d", tries, want)
			}
		}
		look(0) // both begin
		look(1)
		if got := w.effects(good); !slices.Equal(got, numbers(1, 3)) {
			t.Errorf("the other workspace has %v", got)
		}
		look(1)
		w.advance(time.Second)
		look(2)
		w.advance(time.Second)
		look(2)
		w.advance(time.Second)
		look(3)
		w.advance(-2 * time.Hour) // the clock was ahead
		look(4)
		look(4)
		broken = false
		w.advance(time.Minute)
		w.must(node.CatchUp(t.Context()))
		if got := w.effects(bad); !slices.Equal(got, numbers(1, 1)) || node.Stats().Failures != 4 {
			t.Errorf("at the end that workspace has %v, after %+v", got, node.Stats())
		}
	})
}

// TestSteps refuses impossible steps of a follower.
func TestSteps(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws := w.found()
		w.emit(ws, 2)
		for _, taken := range []int{0, -1, 3} {
			f := w.recorder(follow.FromOldest, 5)
			f.Events = func(context.Context, parley.WorkspaceID, []parley.Event) (follow.Step, error) {
				return follow.Step{Events: taken}, nil
			}
			if err := w.node(f).CatchUp(t.Context()); err == nil {
				t.Errorf("%d of two events were taken", taken)
			}
		}
		if err := w.node(w.recorder(follow.FromTables, 5)).CatchUp(t.Context()); err != nil {
			t.Errorf("a follower that has begun needs no tables: %v", err)
		}
		other := w.recorder(follow.FromTables, 5)
		other.Name = "other"
		if err := w.node(other).CatchUp(t.Context()); err == nil {
			t.Error("a follower without tables began with them")
		}
	})
}

// TestTables starts with the records in the store while the log continues.
func TestTables(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws := w.found()
		w.emit(ws, 2)
		var places []string
		f := w.recorder(follow.FromTables, 5)
		f.Tables = &follow.Tables{First: "a", Read: func(v *store.View, of parley.WorkspaceID, place string) (follow.Prepare, error) {
			_, err := v.Workspace(of)
			return func(context.Context) (follow.Step, error) {
				places = append(places, place)
				w.emit(ws, 1)
				return follow.Step{
					Place: map[string]string{"a": "b"}[place],
					Store: func(t *desk.Tx) error { return w.record(t, []parley.Event{{Seq: -int64(len(place))}}) },
				}, nil
			}, err
		}}
		var moves int
		f.Moved = func(*desk.Tx, store.FollowerPosition) error {
			moves++
			return nil
		}
		node := w.node(f)
		w.must(node.CatchUp(t.Context()))
		if want := append([]string{"-1", "-1"}, numbers(3, 4)...); !slices.Equal(w.effects(ws), want) || !slices.Equal(places, []string{"a", "b"}) {
			t.Errorf("of the places %v and the log came %v, want %v", places, w.effects(ws), want)
		}
		if turns := node.Stats().Turns; turns != 4 || int64(moves) < turns {
			t.Errorf("there were %d turns and %d moves", turns, moves)
		}
	})
}

// TestVersions runs nodes of two versions, as during an upgrade: the older one
// leaves the workspace to the newer one, unless that one is gone.
func TestVersions(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws := w.found()
		w.emit(ws, 2)
		f := w.recorder(follow.FromEnd, 5)
		older := w.node(f)
		f.Version = 2
		newer := w.node(f)
		w.must(older.CatchUp(t.Context()))
		w.must(newer.CatchUp(t.Context()))
		if got := w.position(ws, "recorder").Version; got != 2 {
			t.Fatalf("the version is %d", got)
		}
		for range 3 {
			w.emit(ws, 1)
			w.must(older.CatchUp(t.Context()))
			w.must(newer.CatchUp(t.Context()))
			w.must(older.CatchUp(t.Context()))
			w.advance(40 * time.Second)
		}
		if p := w.position(ws, "recorder"); p.Version != 2 || !slices.Equal(w.effects(ws), numbers(3, 5)) {
			t.Errorf("beside a newer node the follower stands at %+v and stored %v", p, w.effects(ws))
		}
		for range 3 { // nothing happens
			w.must(older.CatchUp(t.Context()))
			w.advance(10 * time.Minute)
		}
		w.emit(ws, 1)
		w.must(older.CatchUp(t.Context())) // sees it stand
		if got := w.position(ws, "recorder").Version; got != 2 {
			t.Errorf("the older node took over at once")
		}
		w.advance(time.Minute)
		w.must(older.CatchUp(t.Context()))
		if got := w.position(ws, "recorder"); got.Version != 1 || got.Log.Seq != 6 {
			t.Errorf("without a newer node the follower stands at %+v", got)
		}
	})
}
