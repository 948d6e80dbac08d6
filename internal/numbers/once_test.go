package numbers_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
)

// TestAnswersOutliveAClockJump repeats a post with a key while the clock is ten
// days ahead and the purge runs: there is one message. Normally the key counts
// for a day and until the purge.
func TestAnswersOutliveAClockJump(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		c := w.talkWith(a, 1)
		var lived time.Duration
		n := w.nodeLiving("b", func() time.Duration { return lived })
		pass := func(d time.Duration) {
			lived += d
			w.advance(d)
		}
		by := w.by()
		by.Once = &desk.Once{
			Route: "post", Key: "k",
			Render: func(any) (int, []byte) { return http.StatusCreated, []byte("{}") },
		}
		post := func(when string, messages int) {
			t.Helper()
			ok, err := n.Desk.MayPurge(t.Context())
			w.must(err)
			if ok {
				_, err := desk.Write(t.Context(), n.Desk, w.by(), func(t *desk.Tx) (int, error) { return t.Expire(parley.EventRetention, 100) })
				w.must(err)
			}
			_, err = n.PostMessage(t.Context(), by, c, desk.NewMessage{Content: "once", ContentType: parley.Text, Direction: parley.Outgoing})
			var replay *desk.Replay
			if err != nil && !errors.As(err, &replay) {
				t.Fatal(err)
			}
			if got := len(w.talk(n, c)); got != messages {
				t.Errorf("%s: the conversation has %d messages, want %d", when, got, messages)
			}
		}
		post("first", 1)
		w.advance(240 * time.Hour)
		post("ten days ahead", 1)
		w.advance(-240 * time.Hour)
		pass(2 * time.Hour)
		post("set right", 1)
		for range 21 {
			pass(time.Hour)
		}
		post("after 23 hours", 1)
		pass(time.Hour + time.Millisecond)
		post("after a day", 2)
	})
}
