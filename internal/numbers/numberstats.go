package numbers

import (
	"context"
	"time"

	"parley/internal/desk"
	"parley/internal/store"
)

// statsTime is how long the store may take to count.
const statsTime = 2 * time.Second

// NumberStats returns how many numbers this process holds, and how many of them
// are open.
func (s *Service) NumberStats() (held, open int) {
	return len(s.held.pick(func(*heldNumber) bool { return true })),
		len(s.held.pick(func(n *heldNumber) bool { return n.openAt.IsZero() }))
}

// MessagesWaiting returns how many messages in the whole store are queued, or
// -1 if the store does not answer within two seconds.
func (s *Service) MessagesWaiting(ctx context.Context) int {
	ctx, cancel := context.WithTimeout(ctx, statsTime)
	defer cancel()
	waiting, err := desk.View(s.desk, func(v *store.View) (int, error) { return v.Waiting() }).Now(ctx)
	if err != nil {
		return -1
	}
	return waiting
}
