package desk

import (
	"sync"
	"time"
)

const (
	// clockAhead is how far the clock may be beyond the newest thing in the store
	// when the process starts: a day without any change is rare.
	clockAhead = 24 * time.Hour
	// clockJump is how far it may run ahead of the time that the process lives.
	clockJump = time.Minute
	// clockProbation is how long a clock must run on before it is believed that
	// was found ahead: long enough for it to be set right, or for somebody to see it.
	clockProbation = time.Hour
)

// A clockWatch tells whether the clock can be believed where something is
// deleted by it. It compares the clock with how long the process lives, which
// no setting of the clock changes.
type clockWatch struct {
	elapsed func() time.Duration // nil: the clock is always believed

	mu       sync.Mutex
	known    bool // what is below holds
	at       time.Time
	lived    time.Duration
	doubted  bool
	doubtful time.Duration // when it was found ahead
}

// believes reports whether the clock, which says now, can be believed, and whether
// it could be until now. newest is the time of the newest thing in the store.
func (w *clockWatch) believes(now, newest time.Time) (believed, doubtBegins bool) {
	if w.elapsed == nil {
		return true, false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	lived := w.elapsed()
	ahead := !w.known && !newest.IsZero() && now.Sub(newest) > clockAhead ||
		w.known && now.Sub(w.at)-(lived-w.lived) > clockJump
	doubtBegins = ahead && !w.doubted
	if ahead {
		w.doubted, w.doubtful = true, lived
	}
	w.known, w.at, w.lived = true, now, lived
	if w.doubted && lived-w.doubtful >= clockProbation {
		w.doubted = false
	}
	return !w.doubted, doubtBegins
}
