// Package throttle slows down the guessing of passwords and codes, and limits requests for
// new passwords and the codes that go to providers. It counts in memory, per node.
//
// It may import the vocabulary.
package throttle

import (
	"sync"
	"time"

	"parley"
)

// Limits of wrong passwords within a window that begins with the first one, and
// delays of an account after many from anywhere; see ADR 36.
const (
	failureWindow   = 15 * time.Minute
	accountFailures = 10 // of one account, from one network address or one known browser
	addressFailures = 50 // from one network address

	// freeFailures of an account from anywhere have no effect. Each further one
	// doubles the delay for browsers that never signed in to the account, up to
	// longestDelay. The failures are forgotten delayMemory after the last one.
	freeFailures = 10
	longestDelay = 2 * time.Minute
	delayMemory  = time.Hour

	maxThrottled = 100_000
)

// A Throttle slows down the guessing of passwords. It counts in memory and per
// node. With 100,000 open windows a new one replaces another. It is safe for
// concurrent use.
type Throttle struct {
	clock parley.Clock

	mu      sync.Mutex
	windows map[countKey]failures
	swept   time.Time
}

// A countKey is what failures are counted by: an account, a network address,
// both, or an account and a browser known to it. An account is an e-mail
// address across all workspaces, so that naming a workspace allows no more
// guesses.
type countKey struct {
	account string
	address string
	device  string
}

// slow says that failures only delay the next attempt, and never forbid it.
func (g countKey) slow() bool { return g.account != "" && g.address == "" && g.device == "" }

func (g countKey) limit() int {
	if g.account == "" {
		return addressFailures
	}
	return accountFailures
}

// failures are the failures of one key. ends is when they are forgotten, last
// is the time of the latest one.
type failures struct {
	ends, last time.Time
	count      int
}

// wait is how long the next attempt must wait.
func (f failures) wait(g countKey, now time.Time) time.Duration {
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

// delay is the delay of an account after a number of failures from anywhere.
func delay(failed int) time.Duration {
	if failed < freeFailures {
		return 0
	}
	return min(time.Second<<min(failed-freeFailures, 10), longestDelay)
}

// New returns a Throttle that has counted nothing.
func New(clock parley.Clock) *Throttle {
	return &Throttle{clock: clock, windows: map[countKey]failures{}}
}

// An Attempt is one attempt to sign in. It counts as a failure from its start,
// so that concurrent attempts cannot exceed the limit.
type Attempt struct {
	throttle *Throttle
	keys     []countKey
	at       time.Time
	before   time.Time // the time of the account's previous failure
	// Last says that this attempt used up the window.
	Last bool
}

// A Source is the origin of an attempt to sign in.
type Source struct {
	Email   string
	Address string // on the network; "" if unknown
	Device  string // the name of a browser that has signed in to the account; "" if unknown
}

// keys returns what an attempt counts by. An attempt from a known browser
// counts only for that browser. So others cannot lock its owner out, even from
// the same address, and a thief of the browser has as few guesses as anybody.
func (g Source) keys() []countKey {
	account := parley.EmailKey(g.Email)
	if g.Device != "" {
		return []countKey{{account: account, device: g.Device}}
	}
	keys := []countKey{{account: account}}
	if g.Address == "" {
		return append(keys, countKey{account: account, device: "unknown"})
	}
	return append(keys, countKey{account: account, address: g.Address}, countKey{address: g.Address})
}

// Begin counts an attempt. After too many failures it counts nothing, and the
// error is Limited, with the time until the next attempt.
func (t *Throttle) Begin(by Source) (Attempt, error) {
	g := Attempt{throttle: t, keys: by.keys()}
	now := t.clock.Now()
	g.at = now
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sweep(now)
	var wait time.Duration
	for _, s := range g.keys {
		wait = max(wait, t.windows[s].wait(s, now))
	}
	if wait > 0 {
		return Attempt{}, &parley.Error{
			Kind: parley.Limited, RetryAfter: wait, Message: "too many wrong passwords; try again later",
		}
	}
	for _, s := range g.keys {
		if s.slow() {
			g.before = t.windows[s].last
		}
		t.count(s, now)
		g.Last = g.Last || !s.slow() && t.windows[s].wait(s, now) > 0
	}
	return g, nil
}

// makeRoom deletes one of the counts, whichever, if there are as many as allowed.
func makeRoom[K comparable, V any](counts map[K]V, most int) {
	if len(counts) < most {
		return
	}
	for other := range counts {
		delete(counts, other)
		return
	}
}

func (t *Throttle) count(s countKey, now time.Time) {
	f, known := t.windows[s]
	if !known {
		makeRoom(t.windows, maxThrottled)
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

// sweep drops ended windows, at most once per window.
func (t *Throttle) sweep(now time.Time) {
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

// Succeed forgets the failures of the account, and uncounts this attempt for
// the network address, since whoever knows one password may still be guessing
// others.
func (g Attempt) Succeed() {
	g.Cancel()
	g.throttle.mu.Lock()
	defer g.throttle.mu.Unlock()
	for _, s := range g.keys {
		if s.account != "" {
			delete(g.throttle.windows, s)
		}
	}
}

// Cancel uncounts an attempt that did not show whether the password was wrong.
func (g Attempt) Cancel() {
	g.throttle.mu.Lock()
	defer g.throttle.mu.Unlock()
	for _, s := range g.keys {
		if f, ok := g.throttle.windows[s]; ok {
			f.count--
			if s.slow() && f.last.Equal(g.at) {
				f.last = g.before
			}
			g.throttle.windows[s] = f
		}
	}
}
