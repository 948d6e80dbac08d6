package numbers_test

import (
	"context"
	"testing"
)

func TestNumberStats(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		b := w.node("b", w.now)
		c := w.talkWith(a, 12)
		w.posts(a, c, c)
		for n, want := range map[*node]int{a: 1, b: 0} {
			if held, open := n.NumberStats(); held != want || open != want {
				t.Errorf("%d numbers are held and %d open, want %d", held, open, want)
			}
			if got := n.MessagesWaiting(t.Context()); got != 2 {
				t.Errorf("%d messages wait, want 2", got)
			}
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if got := b.MessagesWaiting(gone); got != -1 {
			t.Errorf("without an answer, %d messages wait", got)
		}
	})
}
