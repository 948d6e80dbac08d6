package follow_test

import (
	"slices"
	"testing"

	"parley/internal/desk"
	"parley/internal/follow"
	"parley/internal/store/storetest"
)

// TestLogState lets a follower come to the end of two logs, which then go on.
func TestLogState(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		d := desk.New(desk.Options{Store: w.store, Clock: w.now, IDs: w.ids, Log: storetest.Quiet()})
		read := func() follow.LogState {
			state, err := follow.ReadLogState(t.Context(), d)
			w.must(err)
			return state
		}
		if got := read(); got.Events != 0 || len(got.Lags) != 0 {
			t.Errorf("an empty store has %+v", got)
		}
		first, second := w.found(), w.found()
		w.emit(first, 3)
		w.emit(second, 5)
		f := w.recorder(follow.FromOldest, 100)
		if err := w.node(f).CatchUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := read(); got.Events != 8 || !slices.Equal(got.Lags, []follow.Lag{{Follower: "recorder"}}) {
			t.Errorf("at the end of the logs the state is %+v", got)
		}
		w.emit(first, 2)
		w.emit(second, 7)
		if got := read(); got.Events != 17 || !slices.Equal(got.Lags, []follow.Lag{{Follower: "recorder", Events: 9, Furthest: 7}}) {
			t.Errorf("behind the ends the state is %+v", got)
		}
	})
}
