package throttle

import (
	"sync"
	"time"

	"parley"
)

// Limits of requests for a new password in a day that begins with the first one, per node.
const (
	forgottenTime      = 24 * time.Hour
	forgottenAccount   = 3  // for one e-mail address
	forgottenAddress   = 20 // from one network address
	maxForgottenCounts = 100_000
)

// Requests counts requests for new passwords. With 100,000 counts a new one
// replaces another. It is safe for concurrent use.
type Requests struct {
	mu     sync.Mutex
	counts map[countKey]failures
}

// Allow counts a request and reports whether it is within all limits. One beyond a limit
// counts for none, so that nobody can use up the requests of others from one address.
func (f *Requests) Allow(email, address string, now time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.counts == nil {
		f.counts = map[countKey]failures{}
	}
	keys := []countKey{{account: parley.EmailKey(email)}, {address: address}}
	for i, limit := range []int{forgottenAccount, forgottenAddress} {
		if c := f.counts[keys[i]]; now.Before(c.ends) && c.count >= limit {
			return false
		}
	}
	for _, key := range keys {
		c, known := f.counts[key]
		if !known {
			makeRoom(f.counts, maxForgottenCounts)
		}
		if !now.Before(c.ends) {
			c = failures{ends: now.Add(forgottenTime)}
		}
		c.count++
		f.counts[key] = c
	}
	return true
}
