package numbers_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
)

// TestMessagesKeepTheirOrder posts to a conversation alternately from two nodes
// whose clocks differ and jump: it shows the messages in the order of posting.
func TestMessagesKeepTheirOrder(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		var skew time.Duration
		b := w.node("b", func() time.Time { return w.now().Add(skew) })
		w.pair(a)
		c := w.talkWith(a, 1)
		random := rand.New(rand.NewPCG(1, 2))
		var want []string
		for i := range 60 {
			n := a
			if random.IntN(2) == 0 {
				n = b
			}
			skew = time.Duration(random.IntN(7)-3) * time.Hour
			switch random.IntN(5) {
			case 0:
				w.advance(-time.Hour)
			case 1:
				w.advance(time.Duration(random.IntN(2)) * time.Second)
			}
			w.advance(time.Millisecond)
			text := fmt.Sprint("message ", i)
			if _, err := n.PostMessage(t.Context(), w.by(), c, desk.NewMessage{
				Content: text, ContentType: parley.Text, Direction: parley.Incoming,
			}); err != nil {
				t.Fatal(err)
			}
			want = append(want, text)
		}
		thread, err := a.Thread(parley.WholeWorkspace(w.ws), c, parley.Position{}, 200).Now(t.Context())
		w.must(err)
		var got []string
		for _, m := range thread.Messages.Items {
			got = append(got, m.Content)
		}
		if !slices.Equal(got, want) {
			t.Errorf("the conversation is\n%q, want\n%q", got, want)
		}
	})
}

// TestClockWasAhead queues messages while the clock is ahead, and sets it right.
func TestClockWasAhead(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		c := w.talkWith(a, 1)
		sent := 0
		for _, ahead := range []time.Duration{2 * time.Hour, 240 * time.Hour} {
			w.advance(ahead)
			w.posts(a, c, c)
			w.advance(-ahead)
			w.tend(a)
			w.deliver(a)
			w.deliver(a)
			sent += 2
			if got := w.texts(); len(got) != sent {
				t.Errorf("after a clock was ahead by %v the network has %q, want %d", ahead, got, sent)
			}
		}
	})
}
