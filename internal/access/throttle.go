package access

import (
	"sync"
	"time"

	"parley"
)

// How many wrong passwords are taken in a window that begins with the first of
// them, and how long an account waits after many from anywhere; see ADR 36.
const (
	failureWindow   = 15 * time.Minute
	accountFailures = 10 // for one account, from one network address or from one known browser
	addressFailures = 50 // from one network address

	// freeFailures of an account from anywhere cost nothing. Each one more makes
	// browsers that never signed in to it wait twice as long as before, up to
	// longestDelay, and is forgotten delayMemory after the last.
	freeFailures = 10
	longestDelay = 2 * time.Minute
	delayMemory  = time.Hour

	maxThrottled = 100_000
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

// guessed is by what failures are counted: an account, a network address, both,
// or an account and a browser that it knows. An account is an e-mail address in
// all workspaces together, so that naming one gives no further guesses.
type guessed struct {
	account string
	address string
	device  string
}

// slow says that failures delay the next try, and forbid none.
func (g guessed) slow() bool { return g.account != "" && g.address == "" && g.device == "" }

func (g guessed) limit() int {
	if g.account == "" {
		return addressFailures
	}
	return accountFailures
}

// failures are those of one subject. ends is when they are forgotten, last when
// the newest of them was counted.
type failures struct {
	ends, last time.Time
	count      int
}

// wait is how long the next try has to wait.
func (f failures) wait(g guessed, now time.Time) time.Duration {
	switch {
	case !now.Before(f.ends):
		return 0
	case g.slow():
		return f.last.Add(delay(f.count)).Sub(now)
	case f.count >= g.limit():
		return f.ends.Sub(now)
	default:
		return 0
	}
}

// delay is how long an account waits after so many failures from anywhere.
func delay(failed int) time.Duration {
	if failed < freeFailures {
		return 0
	}
	return min(time.Second<<min(failed-freeFailures, 10), longestDelay)
}

func newThrottle(clock parley.Clock) *throttle {
	return &throttle{clock: clock, windows: map[guessed]failures{}}
}

// A guess is one try of a password. It counts as a failure from its beginning,
// so that many at once do not slip through.
type guess struct {
	throttle *throttle
	subjects []guessed
	at       time.Time
	before   time.Time // when the account's last failure was, before this one
	// last says that it used up what its window allows.
	last bool
}

// A guesser is who tries a password.
type guesser struct {
	email   string
	address string // of the network; "" if it is not known
	device  string // names a browser that signed in to the account before; "" for none
}

// subjects are by what a try counts. One from a known browser counts for that
// browser alone: whatever others do, from the same address too, cannot keep
// its owner out, and whoever stole it has as few guesses as anybody.
func (g guesser) subjects() []guessed {
	account := parley.EmailKey(g.email)
	if g.device != "" {
		return []guessed{{account: account, device: g.device}}
	}
	subjects := []guessed{{account: account}}
	if g.address == "" {
		return append(subjects, guessed{account: account, device: "unknown"})
	}
	return append(subjects, guessed{account: account, address: g.address}, guessed{address: g.address})
}

// begin counts a try. Where there were too many failures, nothing is counted and
// the error is Limited, with the time until the next try.
func (t *throttle) begin(by guesser) (guess, error) {
	g := guess{throttle: t, subjects: by.subjects()}
	now := t.clock.Now()
	g.at = now
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sweep(now)
	var wait time.Duration
	for _, s := range g.subjects {
		wait = max(wait, t.windows[s].wait(s, now))
	}
	if wait > 0 {
		return guess{}, &parley.Error{
			Kind: parley.Limited, RetryAfter: wait, Message: "too many wrong passwords; try again later",
		}
	}
	for _, s := range g.subjects {
		if s.slow() {
			g.before = t.windows[s].last
		}
		t.count(s, now)
		g.last = g.last || !s.slow() && t.windows[s].wait(s, now) > 0
	}
	return g, nil
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
	if s.slow() {
		f.ends = now.Add(delayMemory)
	}
	f.count++
	f.last = now
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

// succeed forgets the failures of the account, and takes this try out of those
// of the network address: who knows one password may still be guessing others.
func (g guess) succeed() {
	g.takeBack()
	g.throttle.mu.Lock()
	defer g.throttle.mu.Unlock()
	for _, s := range g.subjects {
		if s.account != "" {
			delete(g.throttle.windows, s)
		}
	}
}

// takeBack uncounts a try of which nobody knows whether the password was wrong.
func (g guess) takeBack() {
	g.throttle.mu.Lock()
	defer g.throttle.mu.Unlock()
	for _, s := range g.subjects {
		if f, ok := g.throttle.windows[s]; ok {
			f.count--
			if s.slow() && f.last.Equal(g.at) {
				f.last = g.before
			}
			g.throttle.windows[s] = f
		}
	}
}
