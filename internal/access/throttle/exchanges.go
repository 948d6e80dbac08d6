package throttle

import (
	"sync"
	"time"

	"parley"
)

// Limits of the codes that go to the providers of workspaces, per node.
const (
	exchangeTime       = time.Minute // which begins with the first code from an address
	exchangesOfAddress = 30          // from one network address in that time
	exchangesAtOnce    = 20          // of one workspace
	maxExchangeCounts  = 100_000
)

// Exchanges bounds the codes that go to providers, under the names of their clients:
// strangers can cause them. With 100,000 network addresses a new one replaces another. The
// zero value has counted nothing. It is safe for concurrent use.
type Exchanges struct {
	mu        sync.Mutex
	addresses map[string]failures
	underWay  map[parley.WorkspaceID]int
}

// Begin counts an exchange with the provider of a workspace, which is under way until end is
// called. Beyond a limit it counts nothing, and the error is Limited, with the time until the
// next one.
func (e *Exchanges) Begin(ws parley.WorkspaceID, address string, now time.Time) (end func(), err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	c, known := e.addresses[address]
	if !now.Before(c.ends) {
		c = failures{ends: now.Add(exchangeTime)}
	}
	switch {
	case c.count >= exchangesOfAddress:
		return nil, &parley.Error{
			Kind: parley.Limited, RetryAfter: c.ends.Sub(now), Message: "too many sign-ins with a provider from your network address; try again later",
		}
	case e.underWay[ws] >= exchangesAtOnce:
		return nil, &parley.Error{
			Kind: parley.Limited, RetryAfter: time.Second, Message: "too many are signing in with the provider now; try again",
		}
	}
	if e.addresses == nil {
		e.addresses, e.underWay = map[string]failures{}, map[parley.WorkspaceID]int{}
	}
	if !known {
		makeRoom(e.addresses, maxExchangeCounts)
	}
	c.count++
	e.addresses[address] = c
	e.underWay[ws]++
	return sync.OnceFunc(func() { e.ended(ws) }), nil
}

func (e *Exchanges) ended(ws parley.WorkspaceID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.underWay[ws]--; e.underWay[ws] == 0 {
		delete(e.underWay, ws)
	}
}
