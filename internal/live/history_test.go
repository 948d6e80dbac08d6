package live_test

import (
	"fmt"
	"testing"

	"parley"
)

// TestLogOfAnotherHistory replaces the history that an open stream follows, as
// a failover to a lagging replica does. Whatever the length of the new history,
// the stream is told to reload and continues from there.
func TestLogOfAnotherHistory(t *testing.T) {
	for _, length := range []int64{8, 10, 11, 13, 400} {
		w := newWorld(t, worldOptions{})
		w.append(w.ws, parley.MessageCreated, 10)
		w.change(w.ws, func(h *history) { h.check("a", 6) })
		live := w.open("after=first.10.a10").begin()
		live.next()
		eventually(t, "the stream is open", func() bool { return w.hub.Stats().Streams == 1 })
		w.change(w.ws, func(h *history) {
			h.seq, h.events = 6, h.events[:6]
			for h.seq < length {
				h.seq++
				h.events = append(h.events, parley.Event{Seq: h.seq, Type: parley.MessageCreated, Data: []byte("{}")})
			}
			h.check("b", 6)
		})
		w.bell.Ring([]parley.WorkspaceID{w.ws})
		if f, want := live.next(), fmt.Sprintf("first.%d.b%d", length, length); f.event != "reset" || f.id != want {
			t.Errorf("a history of %d events: the stream tells %+v, want a reset to %s", length, f, want)
		}
		w.append(w.ws, parley.MessageCreated, 1)
		if f, want := live.next(), fmt.Sprintf("first.%d", length+1); f.event != string(parley.MessageCreated) || f.id != want {
			t.Errorf("a history of %d events: the stream goes on with %+v, want %s", length, f, want)
		}
	}
}

// check gives the events behind a number the checks of a history.
func (h *history) check(name string, behind int64) {
	for i := range h.events {
		if e := &h.events[i]; e.Seq > behind {
			e.Check = fmt.Sprint(name, e.Seq)
		}
	}
}
