package robustness_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"parley/internal/pgtest"
	"parley/internal/robustness/workload"
)

// TestServerKilled kills the server at random moments under load and starts it again.
// Every acknowledged change is there once, nothing is half done, and each change
// whose answer was lost is made once by its repetition.
func TestServerKilled(t *testing.T) {
	t.Parallel()
	for _, engine := range []struct {
		name        string
		short, long int
		database    func(testing.TB) string
	}{
		{"sqlite", 6, 500, func(testing.TB) string { return "" }},
		{"postgres", 4, 500, func(t testing.TB) string { return pgtest.URL(t) }},
	} {
		t.Run(engine.name, func(t *testing.T) {
			kills := times(t, engine.short, engine.long)
			t.Parallel()
			w := newWorld(t, t.TempDir(), engine.database(t))
			reader := w.follow()
			unknown, slowest := 0, time.Duration(0)
			for kill := range kills {
				l := w.underLoad(workload.Options{Writers: writers})
				w.Kill()
				l.End()
				unknown += l.Unknown()
				slowest = max(slowest, w.Start())
				w.settle(l, fmt.Sprintf("kill %d", kill+1))
			}
			w.whole()
			w.report(reader.End(w.log), "the stream")
			t.Logf("%d kills: %d changes acknowledged, 0 lost; %d whose answer was lost; %d events without a gap, all told by a stream that was opened %d times; ready again after %s at most",
				kills, w.acknowledged(), unknown, w.log.Seq(), reader.Opened(), slowest.Round(time.Millisecond))
			if unknown == 0 {
				t.Error("no kill met a change, so the test sees nothing")
			}
		})
	}
}

// longestAnswer is how long any answer may take while PostgreSQL is away. The short form
// runs beside other tests on a busy machine.
func longestAnswer() time.Duration {
	if torture {
		return 5 * time.Second
	}
	return 10 * time.Second
}

// TestPostgresKilled kills PostgreSQL under load and starts it again, while the server
// runs. Until it is back, changes are refused with 503 and Retry-After, and with nothing
// else; then their repetition succeeds. No answer takes long, and nothing is lost.
func TestPostgresKilled(t *testing.T) {
	kills := times(t, 3, 100)
	t.Parallel()
	cluster := pgtest.NewCluster(t)
	w := newWorld(t, t.TempDir(), cluster.URL("postgres"))
	reader := w.follow()
	var refused int64
	var slowest, latest time.Duration
	for kill := range kills {
		l := w.underLoad(workload.Options{Writers: writers, Patient: true})
		cluster.Kill()
		before := l.Refused()
		w.Until("the server is ready without PostgreSQL", func() error { return unready(w) })
		w.Until("no change is refused", func() error { return more(l.Refused, before) })
		if err := cluster.Start(); err != nil {
			t.Fatal(err)
		}
		w.Until("the server is not ready", w.Ready)
		ready, done := time.Now(), l.Acknowledged()
		w.Until("no change succeeds", func() error { return more(l.Acknowledged, done) })
		latest = max(latest, time.Since(ready))
		l.End()
		refused += l.Refused()
		slowest = max(slowest, l.Slowest())
		w.settle(l, fmt.Sprintf("kill %d", kill+1))
	}
	w.whole()
	w.report(reader.End(w.log), "the stream")
	t.Logf("%d kills of PostgreSQL: %d changes acknowledged, 0 lost; %d refusals, all 503 with Retry-After; the slowest answer took %s; a change succeeded %s after the server was ready at the latest; %d events without a gap",
		kills, w.acknowledged(), refused, slowest.Round(time.Millisecond), latest.Round(time.Millisecond), w.log.Seq())
	if slowest > longestAnswer() {
		t.Errorf("an answer took %s, want %s at most", slowest, longestAnswer())
	}
	if torture && latest > 2*time.Second {
		t.Errorf("a change succeeded only %s after the server was ready", latest)
	}
}

// unready returns an error while the server is ready.
func unready(w *world) error {
	if w.Ready() == nil {
		return errors.New("it is ready")
	}
	return nil
}

// more returns an error while a number has not grown.
func more(now func() int64, than int64) error {
	if got := now(); got <= than {
		return fmt.Errorf("it is still %d", got)
	}
	return nil
}

// TestOlderStoreIsNoticed is the control of the other tests: after changes were
// acknowledged, the store is put back to an older copy. The check must see that.
func TestOlderStoreIsNoticed(t *testing.T) {
	times(t, 1, 1)
	t.Parallel()
	w := newWorld(t, t.TempDir(), "")
	w.Stop()
	file := filepath.Join(w.Data, "parley.db")
	older, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	w.Start()
	l := w.underLoad(workload.Options{Writers: writers})
	l.End()
	w.check(l, "before")
	w.Stop()
	if err := os.WriteFile(file, older, 0o600); err != nil {
		t.Fatal(err)
	}
	w.Start()
	wrong := l.Check(t.Context(), w.log)
	if int64(len(wrong)) < l.Acknowledged()/2 {
		t.Errorf("%d changes are lost, and the check sees %d faults", l.Acknowledged(), len(wrong))
	}
}
