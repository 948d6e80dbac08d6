package snooze_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/snooze"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/timer"
	"parley/internal/vault"
)

// BenchmarkWake wakes a hundred thousand conversations that sleep until the same moment,
// on stores that wait for their disk, while somebody posts. It reports how long that takes,
// and how much longer a post takes meanwhile: half of them, and the slowest hundredth.
func BenchmarkWake(b *testing.B) {
	for name, options := range map[string]func(testing.TB) store.Options{"sqlite": storetest.SQLite, "postgres": storetest.DurablePostgres} {
		b.Run(name, func(b *testing.B) {
			o := options(b)
			if _, _, err := store.Migrate(b.Context(), o); err != nil {
				b.Fatal(err)
			}
			benchWake(b, storetest.Open(b, o))
		})
	}
}

func benchWake(b *testing.B, s *store.Store) {
	b.Helper()
	const count = 100_000
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	secrets, err := vault.FromBase64("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
	must(err)
	var ahead atomic.Int64
	clock := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	d := desk.New(desk.Options{Store: s, Vault: secrets, Clock: clock, IDs: parley.NewIDs(nil), Log: storetest.Quiet()})
	home, err := access.New(d).CreateWorkspace(b.Context(), "Acme", "ann@acme.example")
	must(err)
	by := desk.Caller{Workspace: home.Workspace.ID, Member: home.Owner.ID, Actor: parley.MemberActor(&home.Owner)}
	contact, err := d.SaveContact(b.Context(), by, desk.ContactFields{Name: parley.Some("Bob")})
	must(err)
	talk, err := d.CreateConversation(b.Context(), by, desk.NewConversation{ContactID: contact.Record.ID})
	must(err)
	node := timer.New(d, snooze.Kinds())
	posts := func(ctx context.Context) (p50, p99 time.Duration) {
		var took []time.Duration
		for ctx.Err() == nil {
			began := time.Now()
			_, err := d.PostMessage(b.Context(), by, talk.ID, desk.NewMessage{Content: "hello", Direction: parley.Outgoing})
			must(err)
			took = append(took, time.Since(began))
			time.Sleep(5 * time.Millisecond) // a load that leaves room
		}
		slices.Sort(took)
		return took[len(took)/2], took[len(took)*99/100]
	}
	for b.Loop() {
		b.StopTimer()
		until := clock().Add(time.Hour)
		ids := parley.NewIDs(nil)
		storetest.Fill(b, s, by.Workspace, count, func(tx *store.Tx, _ int) error {
			c := talk
			c.ID, c.Status, c.SnoozedUntil = ids.New(clock()), parley.Pending, until
			return errors.Join(tx.InsertConversation(by.Workspace, &c, c.CreatedAt), desk.SetTimer(tx, by.Workspace, desk.SnoozeTimer, c.ID.String(), until))
		})
		calm, cancel := context.WithTimeout(b.Context(), 3*time.Second)
		p50, p99 := posts(calm)
		cancel()
		ahead.Add(int64(2 * time.Hour))
		waking, done := context.WithCancel(b.Context())
		b.StartTimer()
		began := time.Now()
		go func() {
			defer done()
			if err := node.RunDue(b.Context(), false); err != nil {
				b.Error(err)
			}
		}()
		slow50, slow99 := posts(waking)
		b.ReportMetric(count/time.Since(began).Seconds(), "wakes/s")
		b.ReportMetric(float64(slow50)/float64(p50), "x-p50")
		b.ReportMetric(float64(slow99)/float64(p99), "x-p99")
		if runs := node.Stats().Runs; runs < count {
			b.Fatalf("%d conversations woke, want %d", runs, count)
		}
		b.Logf("a post took %s and %s, meanwhile %s and %s", p50, p99, slow50, slow99)
	}
}
