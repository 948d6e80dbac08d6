// Package clockwatch decides whether a clock is trusted when something is deleted by age.
package clockwatch

import (
	"sync"
	"time"
)

const (
	// clockAhead is how far the clock may be ahead of the latest change in the
	// store when the process starts: a day without any change is rare. Changes of
	// the last hour prove nothing, because a clock that is ahead makes them too.
	clockAhead = 24 * time.Hour
	// clockJump is how far the clock may run ahead of the running time of the
	// process.
	clockJump = time.Minute
	// clockProbation is how long a clock that was found ahead must run on
	// before it is trusted again: long enough to be corrected, or noticed.
	clockProbation = time.Hour
)

// A Watch compares the clock with the running time of the process, which does not
// depend on the clock's setting.
type Watch struct {
	Elapsed func() time.Duration // nil: the clock is always trusted

	mu       sync.Mutex
	known    bool // the fields below are set
	at       time.Time
	lived    time.Duration
	doubted  bool
	doubtful time.Duration // when the clock was found ahead
}

// Believes reports whether the clock is trusted, and whether a doubt begins now.
// now is the time that it shows. newest, which is called once, returns the time of
// about the latest change in the store that is no later than a time, or zero.
func (w *Watch) Believes(now time.Time, newest func(until time.Time) (time.Time, error)) (believed, doubtBegins bool, err error) {
	if w.Elapsed == nil {
		return true, false, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	lived := w.Elapsed()
	ahead := w.known && now.Sub(w.at)-(lived-w.lived) > clockJump
	if !w.known {
		latest, err := newest(now.Add(-clockProbation))
		if err != nil {
			return false, false, err
		}
		ahead = !latest.IsZero() && now.Sub(latest) > clockAhead
	}
	doubtBegins = ahead && !w.doubted
	if ahead {
		w.doubted, w.doubtful = true, lived
	}
	w.known, w.at, w.lived = true, now, lived
	if w.doubted && lived-w.doubtful >= clockProbation {
		w.doubted = false
	}
	return !w.doubted, doubtBegins, nil
}
