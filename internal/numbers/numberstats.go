package numbers

import (
	"context"
	"time"

	"parley/internal/desk"
	"parley/internal/store"
)

// statsTime is how long the store may take to count.
const statsTime = 2 * time.Second

// NumberStats returns how many numbers this process holds, and of how many of
// them it keeps the client running.
func (s *Service) NumberStats() (held, open int) {
	return len(s.held.pick(func(*heldNumber) bool { return true })),
		len(s.held.pick(func(n *heldNumber) bool { return n.openAt.IsZero() }))
}

// MessagesWaiting returns how many messages of the whole store wait for their
// channel, or -1 where the store does not tell within two seconds.
func (s *Service) MessagesWaiting(ctx context.Context) int {
	ctx, cancel := context.WithTimeout(ctx, statsTime)
	defer cancel()
	waiting, err := desk.View(ctx, s.desk, func(v *store.View) (int, error) { return v.Waiting() })
	if err != nil {
		return -1
	}
	return waiting
}
