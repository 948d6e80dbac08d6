package backup

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

// TestPacer works in small and in long steps: it rests once for each stint, and never
// longer than one. A context that ends ends the work.
func TestPacer(t *testing.T) {
	for name, c := range map[string]struct {
		step  time.Duration
		steps int
		rests int
	}{
		"small steps": {stint / 5, 50, 10},
		"long steps":  {3 * stint, 4, 4},
		"little work": {stint / 100, 50, 0},
	} {
		now, rests := time.Date(2026, 12, 1, 3, 0, 0, 0, time.UTC), 0
		ended := errors.New("the context ended")
		p := &pacer{began: now, now: func() time.Time { return now }}
		p.sleep = func(ctx context.Context, d time.Duration) error {
			rests++
			now = now.Add(d)
			if d != stint {
				t.Errorf("%s: it rests %v", name, d)
			}
			if ctx.Err() != nil {
				return ended
			}
			return nil
		}
		ctx, cancel := context.WithCancel(t.Context())
		for range c.steps {
			now = now.Add(c.step)
			if err := p.rest(ctx); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if rests != c.rests {
			t.Errorf("%s: it rests %d times, want %d", name, rests, c.rests)
		}
		cancel()
		now = now.Add(stint)
		if _, err := io.ReadAll(pacedReader{strings.NewReader("x"), ctx, p}); !errors.Is(err, ended) {
			t.Errorf("%s: reading ends with %v", name, err)
		}
	}
}
