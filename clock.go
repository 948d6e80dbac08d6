package parley

import (
	"context"
	"time"
)

// A Clock returns the current time. It is injected, so that tests control
// expiry, the sunset date and retries to the second.
type Clock func() time.Time

// Now returns the time in UTC, truncated to milliseconds, the precision of
// every stored time.
func (c Clock) Now() time.Time { return c().UTC().Truncate(time.Millisecond) }

// ClockSpare is how far the clock of another node may be ahead.
const ClockSpare = 10 * time.Minute

// Pause waits for d, or until the context ends.
func Pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
