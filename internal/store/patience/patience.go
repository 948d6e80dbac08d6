// Package patience limits how long somebody waits for a database. One that has gone silent
// is given up soon. One that answers each statement, but takes its time or makes
// transactions repeat, gets longer.
package patience

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// Silence is how long somebody waits while nothing is answered. A request must be
	// answered within five seconds when the database is away; this leaves half a second.
	Silence = 4500 * time.Millisecond
	// Most is how long somebody waits in all. It is less than clients and proxies
	// usually wait for an answer, which is 30 seconds or more.
	Most = 25 * time.Second
)

// A Pulse is when a database last answered those who wait for it together. A nil Pulse
// never beats.
type Pulse struct {
	begun time.Time
	last  atomic.Int64 // nanoseconds after begun
}

// NewPulse returns a pulse that has just beaten.
func NewPulse() *Pulse { return &Pulse{begun: time.Now()} }

// Beat tells that the database has answered.
func (p *Pulse) Beat() {
	if p != nil {
		p.last.Store(int64(time.Since(p.begun)))
	}
}

// silent returns how long ago the pulse last beat, or Silence if it never does.
func (p *Pulse) silent() time.Duration {
	if p == nil {
		return Silence
	}
	return time.Since(p.begun) - time.Duration(p.last.Load())
}

// A wait ends a context when its time is over.
type wait struct {
	begun time.Time
	pulse func() *Pulse

	mu    sync.Mutex
	timer *time.Timer
}

// Context returns a context that ends when Silence has passed since it began and since the
// last beat of a pulse, and after Most in any case. The pulse is asked for when the time
// seems to be over, because it may be another one by then. The cause of such an end is
// [context.DeadlineExceeded].
func Context(parent context.Context, pulse func() *Pulse) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	w := &wait{begun: time.Now(), pulse: pulse}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(Silence, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if ctx.Err() != nil {
			return
		}
		if left := w.left(); left > 0 {
			w.timer.Reset(left)
			return
		}
		cancel(context.DeadlineExceeded)
	})
	return ctx, func() {
		cancel(nil)
		w.timer.Stop()
	}
}

// left returns how long there is to wait from now on.
func (w *wait) left() time.Duration {
	return min(Silence-w.pulse().silent(), Most-time.Since(w.begun))
}

// TryFor calls fn until it succeeds, with growing pauses, and gives up after most. It
// returns the last error of fn.
func TryFor(ctx context.Context, most time.Duration, fn func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		err := fn(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}
