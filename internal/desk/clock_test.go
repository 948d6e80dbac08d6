package desk_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestMessagesKeepTheirOrder has two nodes, whose clocks differ and jump, post to
// a conversation by turns: it shows what was posted in that order.
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
		thread, err := a.Thread(t.Context(), w.ws, c, parley.Position{}, 200)
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

// TestPurgeDoubtsTheClock purges by a clock that is ahead, at the start and later.
func TestPurgeDoubtsTheClock(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		d, h := foundHistory(t, o)
		h.write(d, 5)
		s := storetest.Open(t, o)
		right := time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)
		now, lived := right, time.Duration(0)
		purge := func(d *desk.Desk, when string, deletes bool) {
			t.Helper()
			before := len(h.positions(d))
			if err := d.Purge(t.Context(), parley.EventRetention); err != nil {
				t.Fatal(err)
			}
			if after := len(h.positions(d)); (after < before) != deletes {
				t.Errorf("%s: of %d events %d are left", when, before, after)
			}
		}
		open := func() *desk.Desk {
			return desk.New(desk.Options{
				Store: s, Clock: func() time.Time { return now }, IDs: o.IDs, Log: storetest.Quiet(),
				Elapsed: func() time.Duration { return lived },
			})
		}
		now = right.Add(240 * time.Hour)
		purge(open(), "ahead at the start", false)
		now = right
		running := open()
		purge(running, "right", false)
		now, lived = right.Add(240*time.Hour), time.Minute
		purge(running, "a jump", false)
		now, lived = now.Add(59*time.Minute), lived+59*time.Minute
		purge(running, "an hour less a minute behind a jump", false)
		now, lived = now.Add(time.Minute), lived+time.Minute
		purge(running, "an hour behind a jump", true)
	})
}
