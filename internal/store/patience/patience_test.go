package patience_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/internal/store/patience"
)

// TestContext lets a database answer until some time, and notes when a wait for it ends.
func TestContext(t *testing.T) {
	for name, c := range map[string]struct {
		last, ends time.Duration // the last answer; 0 for none
	}{
		"never answers":       {0, patience.Silence},
		"goes silent at once": {time.Second, time.Second + patience.Silence},
		"goes silent later":   {10 * time.Second, 10*time.Second + patience.Silence},
		"always answers":      {time.Hour, patience.Most},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun, pulse := time.Now(), patience.NewPulse()
				ctx, cancel := patience.Context(t.Context(), func() *patience.Pulse { return pulse })
				defer cancel()
				var beating sync.WaitGroup
				defer beating.Wait()
				beating.Go(func() {
					for ctx.Err() == nil && time.Since(begun) < c.last {
						time.Sleep(time.Second)
						pulse.Beat()
					}
				})
				<-ctx.Done()
				if took := time.Since(begun); took != c.ends {
					t.Errorf("it ended after %s, want %s", took, c.ends)
				}
				if !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
					t.Errorf("its cause is %v", context.Cause(ctx))
				}
			})
		})
	}
}

// TestNoPulse waits for what has no pulse, and for what has got one when it is asked for.
func TestNoPulse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var none *patience.Pulse
		none.Beat()
		begun := time.Now()
		ctx, cancel := patience.Context(t.Context(), func() *patience.Pulse { return none })
		defer cancel()
		later, cancelLater := patience.Context(t.Context(), sync.OnceValue(patience.NewPulse))
		defer cancelLater()
		<-ctx.Done()
		if took := time.Since(begun); took != patience.Silence {
			t.Errorf("it ended after %s, want %s", took, patience.Silence)
		}
		<-later.Done()
		if took := time.Since(begun); took != 2*patience.Silence {
			t.Errorf("with a pulse it ended after %s, want %s", took, 2*patience.Silence)
		}
	})
}

// TestCancel ends a wait, and the wait of a caller who has gone.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := false
		pulse := func() *patience.Pulse { asked = true; return nil }
		ctx, cancel := patience.Context(t.Context(), pulse)
		cancel()
		parent, leave := context.WithCancel(t.Context())
		left, cancelLeft := patience.Context(parent, pulse)
		defer cancelLeft()
		leave()
		for _, ended := range []context.Context{ctx, left} {
			if !errors.Is(context.Cause(ended), context.Canceled) {
				t.Errorf("it ended with %v, want an end by the caller", context.Cause(ended))
			}
		}
		time.Sleep(patience.Most)
		if asked {
			t.Error("an ended wait goes on")
		}
	})
}

// TestTryFor tries what succeeds at some time, and what never does.
func TestTryFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, failed := time.Now(), errors.New("not yet")
		after := func(wanted time.Duration) func(context.Context) error {
			return func(context.Context) error {
				if time.Since(begun) < wanted {
					return failed
				}
				return nil
			}
		}
		if err := patience.TryFor(t.Context(), 3*time.Second, after(time.Second)); err != nil || time.Since(begun) > 2*time.Second {
			t.Errorf("it gave %v after %s, want nothing soon after a second", err, time.Since(begun))
		}
		begun = time.Now()
		if err := patience.TryFor(t.Context(), 3*time.Second, after(time.Hour)); !errors.Is(err, failed) || time.Since(begun) != 3*time.Second {
			t.Errorf("it gave %v after %s, want the last failure after 3s", err, time.Since(begun))
		}
	})
}
