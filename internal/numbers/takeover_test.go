package numbers_test

import (
	"context"
	"testing"
	"time"

	"parley/internal/chatapp/chatapptest"
)

// TestTakeOver lets a process die with a claimed message and a leased number;
// the next one has both at once, without any time passing.
func TestTakeOver(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		c := w.talkWith(a, 1)
		dead, die := context.WithCancel(t.Context())
		a.driver.Before(chatapptest.Send, func(ctx context.Context) error {
			die() // it stores nothing more
			<-ctx.Done()
			return ctx.Err()
		})
		w.posts(a, c)
		_ = a.Deliver(dead) // ends with the process
		b := w.node("b", w.now)
		w.tend(b)
		w.deliver(b)
		w.wantTexts()
		w.must(b.TakeOver(t.Context()))
		w.advance(time.Millisecond)
		w.tend(b)
		w.tend(b)
		w.deliver(b)
		w.wantTexts("b: 1")
	})
}
