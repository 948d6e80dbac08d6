package access

import (
	"context"
	"errors"
	"sync"
	"time"

	"parley"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/store"
)

// Limits of requests for a new password in a day that begins with the first one, per node.
const (
	forgottenTime      = 24 * time.Hour
	forgottenAccount   = 3  // for one e-mail address
	forgottenAddress   = 20 // from one network address
	maxForgottenCounts = 100_000
)

// A forgottenCounter counts requests for new passwords. With 100,000 counts a new one
// replaces another. It is safe for concurrent use.
type forgottenCounter struct {
	mu     sync.Mutex
	counts map[throttleKey]failures
}

// allow counts a request and reports whether it is within all limits. One beyond a limit
// counts for none, so that nobody can use up the requests of others from one address.
func (f *forgottenCounter) allow(email, address string, now time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.counts == nil {
		f.counts = map[throttleKey]failures{}
	}
	keys := []throttleKey{{account: parley.EmailKey(email)}, {address: address}}
	for i, limit := range []int{forgottenAccount, forgottenAddress} {
		if c := f.counts[keys[i]]; now.Before(c.ends) && c.count >= limit {
			return false
		}
	}
	for _, key := range keys {
		c, known := f.counts[key]
		if !known && len(f.counts) >= maxForgottenCounts {
			for other := range f.counts {
				delete(f.counts, other)
				break
			}
		}
		if !now.Before(c.ends) {
			c = failures{ends: now.Add(forgottenTime)}
		}
		c.count++
		f.counts[key] = c
	}
	return true
}

// Forgot creates a link for a new password for each member with an e-mail address, which
// also is to send. An earlier link stops working. It does nothing for an unknown address,
// and after too many requests: neither is an error, because the answer must not tell
// strangers who is a member.
func (svc *Service) Forgot(ctx context.Context, email, address string, also Also) error {
	if !svc.forgotten.allow(email, address, svc.clock.Now()) {
		svc.log.Warn("access: too many requests for a new password", "address", address)
		return nil
	}
	logins, err := desk.View(svc.desk, func(v *store.View) ([]Login, error) { return SelectLoginsByEmail(v, email, maxLogins) }).Now(ctx)
	for _, login := range logins {
		by := desk.Caller{Workspace: login.Workspace, Client: entry.Client{Address: address}}
		_, failed := svc.ResetPassword(ctx, by, login.Member.ID, also)
		err = errors.Join(err, failed)
	}
	return err
}
