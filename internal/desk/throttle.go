package desk

import (
	"sync"
	"time"

	"parley"
)

// How many wrong passwords are taken in a window that begins with the first of
// them.
const (
	failureWindow   = 15 * time.Minute
	emailFailures   = 10 // for one e-mail address in a workspace, known or not
	addressFailures = 50 // from one network address
	maxThrottled    = 100_000
)

// A throttle slows down who guesses passwords. It counts in memory, so each
// node counts for itself; with 100,000 open windows a new one takes the place
// of another. It is safe for concurrent use.
type throttle struct {
	clock parley.Clock

	mu      sync.Mutex
	windows map[guessed]failures
	swept   time.Time
}

// guessed is by what failures are counted: an e-mail address, with the workspace
// that was named or none, or a network address. Who has an account in one
// workspace must not be able to clear what was guessed of another's.
type guessed struct {
	email     string
	workspace parley.WorkspaceID
	address   string
}

func (g guessed) limit() int {
	if g.address != "" {
		return addressFailures
	}
	return emailFailures
}

type failures struct {
	ends  time.Time
	count int
}

func newThrottle(clock parley.Clock) *throttle {
	return &throttle{clock: clock, windows: map[guessed]failures{}}
}

// A guess is one try of a password. It counts as a failure from its beginning,
// so that many at once do not slip through.
type guess struct {
	throttle *throttle
	subjects []guessed
}

// begin counts a try for the e-mail address in a workspace, or in all where none
// is named, and, if it is known, for the network address. Where either has had
// too many failures, nothing is counted and the error is Limited, with the time
// until its window ends.
func (t *throttle) begin(email string, ws parley.WorkspaceID, address string) (guess, error) {
	subjects := []guessed{{email: parley.EmailKey(email), workspace: ws}}
	if address != "" {
		subjects = append(subjects, guessed{address: address})
	}
	now := t.clock.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sweep(now)
	for _, s := range subjects {
		if f := t.windows[s]; now.Before(f.ends) && f.count >= s.limit() {
			return guess{}, &parley.Error{
				Kind: parley.Limited, RetryAfter: f.ends.Sub(now), Message: "too many wrong passwords; try again later",
			}
		}
	}
	for _, s := range subjects {
		t.count(s, now)
	}
	return guess{throttle: t, subjects: subjects}, nil
}

func (t *throttle) count(s guessed, now time.Time) {
	f, known := t.windows[s]
	if !known && len(t.windows) >= maxThrottled {
		for other := range t.windows {
			delete(t.windows, other)
			break
		}
	}
	if !now.Before(f.ends) {
		f = failures{ends: now.Add(failureWindow)}
	}
	f.count++
	t.windows[s] = f
}

// sweep drops the windows that ended, once in the time of a window.
func (t *throttle) sweep(now time.Time) {
	if now.Sub(t.swept) < failureWindow {
		return
	}
	for s, f := range t.windows {
		if !now.Before(f.ends) {
			delete(t.windows, s)
		}
	}
	t.swept = now
}

// succeed forgets the failures of the e-mail address, and takes this try out of
// those of the network address: who knows one password may still be guessing
// others.
func (g guess) succeed() {
	g.takeBack()
	g.throttle.mu.Lock()
	defer g.throttle.mu.Unlock()
	delete(g.throttle.windows, g.subjects[0])
}

// takeBack uncounts a try of which nobody knows whether the password was wrong.
func (g guess) takeBack() {
	g.throttle.mu.Lock()
	defer g.throttle.mu.Unlock()
	for _, s := range g.subjects {
		if f, ok := g.throttle.windows[s]; ok {
			f.count--
			g.throttle.windows[s] = f
		}
	}
}
