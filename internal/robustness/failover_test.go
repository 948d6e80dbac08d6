package robustness_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"parley/internal/robustness/failover"
	"parley/internal/robustness/workload"
)

// after is how many changes must succeed after a failover, before the next.
const after = 40

// unconfirmed is how long no machine confirms a commit: longer than the server waits for one.
const unconfirmed = 8 * time.Second

// failovers are what happens in turn to a primary, under load, until another machine is the
// primary. The old one comes back afterwards.
var failovers = []struct {
	name string
	do   func(*world, *failover.Cluster, *workload.Load, *workload.Reader)
}{
	{"a primary dies that waits for the others", dieUnconfirmed},
	{"an operator makes another machine the primary", func(_ *world, c *failover.Cluster, _ *workload.Load, _ *workload.Reader) { c.HandOver() }},
	{"a primary dies", func(_ *world, c *failover.Cluster, _ *workload.Load, _ *workload.Reader) { die(c, c.Primary()) }},
	{"a primary hangs, and goes on when another has replaced it", hang},
}

// die kills the primary and waits for another.
func die(c *failover.Cluster, primary *failover.Machine) {
	primary.Kill()
	c.Another(primary)
}

// dieUnconfirmed lets the primary wait for the confirmation of its commits for longer than
// the server waits, and kills it then. These changes are not acknowledged, and no stream may
// tell them, because they die with the primary.
func dieUnconfirmed(w *world, c *failover.Cluster, l *workload.Load, reader *workload.Reader) {
	w.t.Helper()
	primary := c.Primary()
	primary.Mute()
	time.Sleep(time.Second) // for what was confirmed before
	done, told := l.Acknowledged(), reader.Seq()
	time.Sleep(unconfirmed)
	done, told = l.Acknowledged()-done, reader.Seq()-told
	if done+told > 0 && c.Primary() == primary { // a busy machine may take it for dead, and replace it
		w.t.Errorf("%d changes were acknowledged and %d events told that no other machine has", done, told)
	}
	die(c, primary)
}

// hang stops the primary until another machine has replaced it. It then takes itself for the
// primary for a moment, and nothing may come of that.
func hang(w *world, c *failover.Cluster, l *workload.Load, _ *workload.Reader) {
	w.t.Helper()
	old := c.Primary()
	old.Freeze()
	c.Another(old)
	done := l.Acknowledged()
	w.Until("no change succeeds", func() error { return more(l.Acknowledged, done+after) })
	old.Thaw()
	c.Whole()
}

// TestFailover fails a cluster of three machines over under load. Replication is synchronous
// and strict, so every acknowledged change is there once, and the streams of two nodes tell
// each event once and never "reset".
func TestFailover(t *testing.T) {
	count := times(t, 2, 20)
	t.Parallel()
	cluster := failover.New(t, failover.Options{Synchronous: true})
	w := newWorld(t, t.TempDir(), cluster.URL())
	reader := w.follow()
	elsewhere := workload.NewLog(w.join())
	w.report(elsewhere.Begins(t.Context()), "at another node")
	other := workload.Follow(t.Context(), elsewhere)
	var refused int64
	var slowest time.Duration
	pauses := make([]time.Duration, 0, count)
	for n := range count {
		kind := failovers[n%len(failovers)]
		when := fmt.Sprintf("failover %d, %s", n+1, kind.name)
		l := w.underLoad(workload.Options{Writers: writers, Patient: true})
		begun := l.Acknowledged()
		cluster.Whole() // a busy machine may be taken for dead, and for a moment nobody may replace the next
		kind.do(w, cluster, l, reader)
		done := l.Acknowledged()
		w.Until("no change succeeds", func() error { return more(l.Acknowledged, done+after) })
		l.End()
		refused, slowest, pauses = refused+l.Refused(), max(slowest, l.Slowest()), append(pauses, l.Pause())
		w.settle(l, when)
		t.Logf("%s: %d changes acknowledged before, no change for %s", when, begun, l.Pause().Round(time.Millisecond))
		cluster.Revive()
		cluster.Whole()
	}
	w.whole()
	w.report(reader.End(w.log), "the stream")
	w.report(other.End(w.log), "the stream of another node")
	slices.Sort(pauses)
	t.Logf("%d failovers: %d changes acknowledged, 0 lost; %d refusals, all 503 with Retry-After; no change for %s in the middle, %s at most; the slowest answer took %s; %d events without a gap, told by two streams at two nodes that were opened %d times",
		count, w.acknowledged(), refused, pauses[len(pauses)/2].Round(time.Millisecond), pauses[len(pauses)-1].Round(time.Millisecond),
		slowest.Round(time.Millisecond), w.log.Seq(), reader.Opened()+other.Opened())
	if most := longestAnswer() + time.Second; slowest > most { // three machines on one keep it busy
		t.Errorf("an answer took %s, want %s at most", slowest, most)
	}
}

// TestFailoverLoses fails a cluster over that does not wait for its other machines: what the
// primary has acknowledged but not sent dies with it. Every stream that has told such an
// event is then told "reset", and so is a client that comes back with its position after the
// log has grown past it. That something is lost shows that TestFailover could see it.
func TestFailoverLoses(t *testing.T) {
	count := times(t, 1, 20)
	t.Parallel()
	cluster := failover.New(t, failover.Options{})
	w := newWorld(t, t.TempDir(), cluster.URL())
	w.report(w.log.Begins(t.Context()), "in the beginning")
	reader := workload.FollowHistories(t.Context(), w.log)
	lost, untold, resets := 0, 0, 0
	var pauses []time.Duration
	for n := range count {
		when := fmt.Sprintf("failover %d", n+1)
		old := cluster.Primary()
		position, l := w.lose(old, reader)
		begun := time.Now()
		next := w.load(workload.Options{Writers: writers, Patient: true})
		cluster.Another(old)
		next.Wait(t.Context(), 1)
		pauses = append(pauses, time.Since(begun))
		next.Wait(t.Context(), 2*after) // the log grows past what is lost
		next.End()
		records, err := l.Lost(t.Context())
		if err != nil || records == 0 {
			t.Errorf("%s: %d records are lost, %v, so nothing is tested", when, records, err)
		}
		log := workload.NewLog(w.client)
		w.report(next.Check(t.Context(), log), when)
		events, told, wrong := reader.Lost(log)
		w.report(wrong, when+", the stream")
		if events == 0 {
			t.Errorf("%s: no lost event was told, so nothing is tested", when)
		}
		if continues, err := w.client.Continues(t.Context(), position); continues || err != nil {
			t.Errorf("%s: a client continues after an event that is lost, %v", when, err)
		}
		if t.Failed() {
			t.FailNow()
		}
		lost, untold, resets = lost+records, untold+events, resets+told
		cluster.Revive()
		cluster.Whole()
	}
	w.Verify(t)
	slices.Sort(pauses)
	t.Logf("%d failovers without synchronous replication: %d acknowledged records are lost; %d lost events were told, and each stream then said reset (%d times in all); no change for %s in the middle, %s at most",
		count, lost, untold, resets, pauses[len(pauses)/2].Round(time.Millisecond), pauses[len(pauses)-1].Round(time.Millisecond))
}

// lose kills the primary after changes that it has acknowledged and sent to no other
// machine. It returns the position of the last event that the reader was told, and the load.
func (w *world) lose(old *failover.Machine, reader *workload.Reader) (string, *workload.Load) {
	w.t.Helper()
	ctx, stop := context.WithCancel(w.t.Context())
	defer stop()
	l := workload.Begin(ctx, w.client, workload.Options{Writers: writers})
	l.Wait(ctx, 2*writers)
	old.Mute()
	done, told := l.Acknowledged(), reader.Seq()
	l.Wait(ctx, done+after)
	w.Until("the stream is behind", func() error { return more(reader.Seq, told+after/2) })
	stop()
	l.End()
	position := reader.Position()
	old.Kill()
	return position, l
}
