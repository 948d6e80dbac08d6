package follow_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/follow"
	"parley/internal/store"
)

// TestOnce runs two nodes over a growing log while some of their turns are cut off
// before, during and after storing. Each event takes effect once.
func TestOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws := w.found()
		const count = 240
		var turns atomic.Int64
		var running sync.WaitGroup
		for range 2 {
			f := w.recorder(follow.FromOldest, 7)
			whole := f.Events
			f.Events = func(ctx context.Context, ws parley.WorkspaceID, events []parley.Event) (follow.Step, error) {
				step, err := whole(ctx, ws, events)
				switch turns.Add(1) % 5 {
				case 1:
					return step, context.Canceled // the process ended
				case 2:
					panic("the follower panicked")
				case 3:
					store := step.Store
					step.Store = func(t *desk.Tx) error { return errors.Join(store(t), errors.New("the process ended")) }
				}
				return step, err
			}
			node := w.node(f)
			running.Go(func() {
				for len(w.effects(ws)) < count && t.Context().Err() == nil {
					_ = node.CatchUp(t.Context()) // turns fail on purpose
					w.advance(time.Minute)        // the rest of a turn that failed
				}
			})
		}
		for range count / 8 {
			w.emit(ws, 8)
		}
		running.Wait()
		if got := w.effects(ws); !slices.Equal(got, numbers(1, count)) {
			t.Errorf("%d events had the effects %v", count, got)
		}
		if p := w.position(ws, "recorder"); p.Log.Seq != count || p.Missed != 0 {
			t.Errorf("the follower stands at %+v", p)
		}
	})
}

// TestEffectsApartFromPosition is the control of TestOnce: a follower that stores
// its effects and its position in two transactions repeats effects.
func TestEffectsApartFromPosition(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws := w.found()
		w.emit(ws, 3)
		f := w.recorder(follow.FromOldest, 7)
		whole := f.Events
		ends := true
		f.Events = func(ctx context.Context, ws parley.WorkspaceID, events []parley.Event) (follow.Step, error) {
			step, err := whole(ctx, ws, events)
			err = errors.Join(err, w.store.Write(ctx, ws, func(tx *store.Tx) error {
				return step.Store(&desk.Tx{Tx: tx, WS: ws, Now: w.now()})
			}))
			if ends {
				err, ends = errors.Join(err, errors.New("the process ended")), false
			}
			return follow.Step{Events: step.Events}, err
		}
		node := w.node(f)
		for range 3 {
			_ = node.CatchUp(t.Context()) // the first one fails
			w.advance(time.Minute)
		}
		if got := w.effects(ws); slices.Equal(got, numbers(1, 3)) {
			t.Error("effects apart from the position were not seen twice, so the test sees nothing")
		}
	})
}

// TestOvertaken lets a node finish a turn that another node is preparing. The later
// node stores nothing.
func TestOvertaken(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws := w.found()
		w.emit(ws, 5)
		f := w.recorder(follow.FromOldest, 100)
		fast := w.node(f)
		if _, err := fast.Round(t.Context()); err != nil { // begins
			t.Fatal(err)
		}
		whole := f.Events
		f.Events = func(ctx context.Context, ws parley.WorkspaceID, events []parley.Event) (follow.Step, error) {
			if err := fast.CatchUp(ctx); err != nil {
				return follow.Step{}, err
			}
			return whole(ctx, ws, events)
		}
		slow := w.node(f)
		w.must(slow.CatchUp(t.Context()))
		if got := slow.Stats(); got.Overtaken != 1 || got.Turns != 0 {
			t.Errorf("the slow node counts %+v", got)
		}
		if got := w.effects(ws); !slices.Equal(got, numbers(1, 5)) {
			t.Errorf("the effects are %v", got)
		}
	})
}

// TestLost takes the log away from under followers and lets them decide.
func TestLost(t *testing.T) {
	const count = 20
	position := func(seq int64) store.FollowerPosition {
		return store.FollowerPosition{Step: 1, Version: 1, Log: parley.LogPosition{Epoch: "e", Seq: seq}}
	}
	for _, lost := range []struct {
		name   string
		at     func(store.FollowerPosition) store.FollowerPosition // of 5, whose event is kept
		oldest int                                                 // the oldest event kept
		loss   follow.Loss
	}{
		{"never started", nil, 1, follow.Loss{Reason: follow.NeverStarted}},
		{"new version", func(p store.FollowerPosition) store.FollowerPosition { p.Version = 0; return p }, 1, follow.Loss{Reason: follow.NewVersion}},
		{"other epoch", func(p store.FollowerPosition) store.FollowerPosition { p.Log.Epoch = "f"; return p }, 1, follow.Loss{Reason: follow.OtherHistory}},
		{"ahead", func(p store.FollowerPosition) store.FollowerPosition { p.Log.Seq = 21; return p }, 1, follow.Loss{Reason: follow.OtherHistory}},
		{"other check", func(p store.FollowerPosition) store.FollowerPosition { p.Log.Check = "other"; return p }, 1, follow.Loss{Reason: follow.OtherHistory}},
		{"behind", func(store.FollowerPosition) store.FollowerPosition { return position(2) }, 11, follow.Loss{Reason: follow.Behind, Gone: 8}},
		{"just not behind", func(store.FollowerPosition) store.FollowerPosition { return position(10) }, 11, follow.Loss{}},
		{"good", func(p store.FollowerPosition) store.FollowerPosition { return p }, 1, follow.Loss{}},
	} {
		t.Run(lost.name, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				for _, start := range []follow.Start{follow.FromOldest, follow.FromEnd} {
					ws := w.found()
					w.emit(ws, 5)
					good := position(5)
					w.must(w.store.View(t.Context(), func(v *store.View) (err error) {
						good.Log.Check, err = v.EventCheck(ws, 5)
						return err
					}))
					w.emit(ws, count-5)
					w.remove(ws, lost.oldest-1)
					if lost.at != nil {
						w.place(ws, lost.at(good))
					}
					var told []follow.Loss
					f := w.recorder(start, 100)
					f.Lost = func(l follow.Loss) follow.Start {
						told = append(told, l)
						return start
					}
					node := w.node(f)
					w.must(node.CatchUp(t.Context()))
					want := lost.loss
					want.Workspace = ws
					if lost.loss.Reason != "" && !slices.Equal(told, []follow.Loss{want}) || lost.loss.Reason == "" && told != nil {
						t.Errorf("the follower was told %+v, want %+v", told, want)
					}
					first, missed := lost.oldest, int(lost.loss.Gone)
					switch {
					case lost.loss.Reason == "" && lost.name == "good":
						first = 6
					case lost.loss.Reason == follow.Behind && start == follow.FromEnd:
						first, missed = count+1, count-2
					case lost.loss.Reason != "" && start == follow.FromEnd:
						first = count + 1
					}
					if got := w.effects(ws); !slices.Equal(got, numbers(first, count)) {
						t.Errorf("from start %d the effects are %v, want those from %d on", start, got, first)
					}
					if got := w.position(ws, "recorder"); got.Missed != int64(missed) || node.Stats().Missed != int64(missed) || got.Log.Seq != count {
						t.Errorf("the follower stands at %+v and the process counts %+v, want %d missed", got, node.Stats(), missed)
					}
				}
				if skipped := lost.loss.Reason == follow.Behind; w.logged.has("follow: events skipped") != skipped {
					t.Errorf("that events were skipped was logged: %v", !skipped)
				}
			})
		})
	}
}

// remove deletes the events up to a number, as the retention does.
func (w *world) remove(ws parley.WorkspaceID, count int) {
	w.t.Helper()
	if count == 0 {
		return
	}
	w.must(w.store.Write(w.t.Context(), ws, func(tx *store.Tx) error {
		_, err := tx.DeleteEvents(ws, w.now().Add(time.Hour), count)
		return err
	}))
}

// place puts the recorder somewhere.
func (w *world) place(ws parley.WorkspaceID, p store.FollowerPosition) {
	w.t.Helper()
	w.must(w.store.Write(w.t.Context(), ws, func(tx *store.Tx) error {
		_, err := tx.MoveFollower(ws, "recorder", p)
		return err
	}))
}
