package desk_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/settings"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/vault"
)

// TestPositionsOfAnotherHistory sets a store back to an older copy, like a
// restore or a failover to a lagging replica, lets both continue, and queries
// the copy with the positions of a reader of the original. A position that the
// copy never had is a reset, however many events either has; a position that
// both have is continued.
func TestPositionsOfAnotherHistory(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		const common, own = 4, 7
		first, closeFirst := openHistory(t, o)
		founded, err := access.New(first).CreateWorkspace(t.Context(), "Home", "owner@home.example")
		if err != nil {
			t.Fatal(err)
		}
		h := &historyTest{t: t, ws: founded.Workspace.ID}
		h.write(first, common)
		closeFirst()
		copied := storetest.Copy(t, o)
		first, _ = openHistory(t, o)
		second, _ := openHistory(t, copied)
		fork := h.end(first).Seq
		h.write(first, own)
		told := h.positions(first)
		for n := 0; n <= 2*own; n++ {
			for _, at := range told {
				text := fmt.Sprintf("%d events behind the fork, at %s of a log forked at %d", n, at, fork)
				for _, types := range [][]parley.EventType{nil, {parley.LabelCreated}} {
					p, err := second.EventsOfTypes(h.ws, desk.EventQuery{After: parley.Some(at), Types: types, Limit: 200}).Now(t.Context())
					if err != nil || p.Reset != (at.Seq > fork) {
						t.Fatalf("%s: reset is %t (%v)", text, p.Reset, err)
					}
					if p.Next != h.end(second) {
						t.Fatalf("%s: the page ends at %s, the log at %s", text, p.Next, h.end(second))
					}
				}
				tail, err := second.EventsAfter(t.Context(), h.ws, at, 200)
				if behind := h.end(second).Seq > at.Seq; err != nil || tail.Lost != (behind && at.Seq > fork) {
					t.Fatalf("%s: who follows is lost: %t (%v)", text, tail.Lost, err)
				}
			}
			h.write(second, 1)
		}
	})
}

// A position from before events had checks matches the events of that time.
func TestPositionsOfUncheckedEvents(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		d, h := w.Desk, &historyTest{t: t, ws: w.Home.Workspace.ID}
		h.write(d, 3)
		end := h.end(d)
		for seq := int64(0); seq <= end.Seq; seq++ {
			p, err := d.Events(t.Context(), h.ws, parley.Some(parley.LogPosition{Epoch: end.Epoch, Seq: seq}), 1)
			if err != nil || p.Reset != (seq > 0) {
				t.Errorf("position %d without a check: reset is %t (%v)", seq, p.Reset, err)
			}
		}
	})
}

type historyTest struct {
	t  *testing.T
	ws parley.WorkspaceID
	n  int
}

func openHistory(t *testing.T, o store.Options) (d *desk.Desk, closed func()) {
	t.Helper()
	s, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)
	keys, err := vault.FromFile(filepath.Join(t.TempDir(), "master.key"))
	if err != nil {
		t.Fatal(err)
	}
	d = desk.New(desk.Options{Store: s, Vault: keys, Clock: func() time.Time { return now }, IDs: parley.NewIDs(nil), Log: storetest.Quiet()})
	closed = func() { _ = s.Close() }
	t.Cleanup(closed)
	return d, closed
}

// write adds events in separate transactions.
func (h *historyTest) write(d *desk.Desk, count int) {
	h.t.Helper()
	for range count {
		h.n++
		if _, err := settings.New(d).CreateLabel(h.t.Context(), desk.Caller{Workspace: h.ws}, fmt.Sprint("label ", h.n), ""); err != nil {
			h.t.Fatal(err)
		}
	}
}

func (h *historyTest) end(d *desk.Desk) parley.LogPosition {
	h.t.Helper()
	w, err := d.Workspace(h.t.Context(), h.ws)
	if err != nil {
		h.t.Fatal(err)
	}
	return w.End()
}

// positions returns the position after every event.
func (h *historyTest) positions(d *desk.Desk) (all []parley.LogPosition) {
	h.t.Helper()
	p, err := d.Events(h.t.Context(), h.ws, parley.Optional[parley.LogPosition]{}, 200)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, e := range p.Events {
		all = append(all, parley.LogPosition{Epoch: p.Next.Epoch, Seq: e.Seq, Check: e.Check})
	}
	return all
}

// TestPurgeDoubtsTheClock purges with a clock that is ahead, at the start and
// later.
func TestPurgeDoubtsTheClock(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		h := &historyTest{t: t, ws: w.Home.Workspace.ID}
		h.write(w.Desk, 5)
		right := w.Now()
		now, lived := right, time.Duration(0)
		purge := func(d *desk.Desk, when string, deletes bool) {
			t.Helper()
			before := len(h.positions(d))
			ok, err := d.MayPurge(t.Context())
			if err == nil && ok {
				_, err = desk.Write(t.Context(), d, desk.Caller{Workspace: h.ws}, func(t *desk.Tx) (int, error) { return t.Expire(parley.EventRetention, 100) })
			}
			if err != nil {
				t.Fatal(err)
			}
			if after := len(h.positions(d)); (after < before) != deletes {
				t.Errorf("%s: of %d events %d are left", when, before, after)
			}
		}
		open := func() *desk.Desk {
			return desk.New(desk.Options{
				Store: w.Store, Clock: func() time.Time { return now }, IDs: parley.NewIDs(nil), Log: storetest.Quiet(),
				Elapsed: func() time.Duration { return lived },
			})
		}
		now = right.Add(240 * time.Hour)
		purge(open(), "ahead at the start", false)
		h.write(w.Desk.WithClock(func() time.Time { return now }), 1)
		purge(open(), "ahead at another start, after a change", false)
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
