package numbers_test

import (
	"context"
	"testing"
	"time"

	"parley"
	"parley/internal/numbers"
	"parley/internal/store"
)

// spare is how far ahead another node's clock may be.
const spare = 10 * time.Minute

// TestNumberLeaseOfAClockAhead finds the lease of a dead process whose clock
// was ahead: a lease that ends later than possible has expired, any other
// counts.
func TestNumberLeaseOfAClockAhead(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		a.GiveNumbersBack(t.Context())
		b := w.node("b", w.now)
		longest := 12*time.Second + spare
		for _, c := range []struct {
			ends time.Duration
			over bool
		}{{longest, false}, {longest + time.Millisecond, true}, {240 * time.Hour, true}} {
			w.must(a.store.Write(t.Context(), w.ws, func(tx *store.Tx) error {
				lease, err := numbers.SelectNumberLease(tx, w.ws, w.number)
				if err != nil {
					return err
				}
				lease.Owner, lease.Generation, lease.Until = "dead", lease.Generation+1, w.now().Add(c.ends)
				return numbers.UpdateNumberLease(tx, w.ws, w.number, lease)
			}))
			w.tend(b)
			if taken := w.network.Node(host) == "b"; taken != c.over {
				t.Errorf("a lease that ends in %v: taken %v, want %v", c.ends, taken, c.over)
			}
			b.GiveNumbersBack(t.Context())
		}
	})
}

// TestGroupLeaseOfAClockAhead does the same with the key of a group creation.
func TestGroupLeaseOfAClockAhead(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		longest := 15*time.Second + spare
		for _, c := range []struct {
			key      string
			ends     time.Duration
			over     bool
			patience time.Duration
		}{
			{"runs", longest, false, 300 * time.Millisecond}, // it waits, in real time, for whoever has the key
			{"later than possible", longest + time.Millisecond, true, 20 * time.Second},
			{"ten days ahead", 240 * time.Hour, true, 20 * time.Second},
		} {
			before := w.network.Groups()
			w.must(a.store.Write(t.Context(), w.ws, func(tx *store.Tx) error {
				return numbers.UpsertGroupRequest(tx, w.ws, &numbers.GroupRequest{
					Key: c.key, NumberID: w.number, Name: c.key, StartedAt: w.now(), Owner: "dead", LeaseUntil: w.now().Add(c.ends),
				})
			}))
			ctx, cancel := context.WithTimeout(t.Context(), c.patience)
			_, err := a.CreateGroup(ctx, w.by(), numbers.NewGroup{Name: c.key, Participants: []parley.Phone{ann}, Key: c.key})
			cancel()
			if made := w.network.Groups() > before; made != c.over || (err == nil) != c.over {
				t.Errorf("%s: made %v, want %v: %v", c.key, made, c.over, err)
			}
		}
	})
}
