package robustness_test

import (
	"errors"
	"testing"
	"time"

	"parley/internal/robustness/server"
	"parley/internal/robustness/workload"
)

// TestOfflineClient lets a client miss very many events, and seven days less an hour: it
// resumes, is told all of them, and never "reset". Once the log no longer has its position,
// the client is told "reset", by the list and by the stream. As a control, a client that
// forgets its position must be seen to miss something.
func TestOfflineClient(t *testing.T) {
	t.Parallel()
	for name, database := range engines {
		t.Run(name, func(t *testing.T) {
			events := int64(times(t, 1500, 100_000))
			t.Parallel()
			x := underClock(t, server.Program(t), database(t))
			at := func(ahead time.Duration) {
				x.Stop()
				x.move(ahead)
				x.Start()
			}
			write := func(count int64) {
				l := x.load(workload.Options{Writers: 4 * writers, Patient: true})
				l.Wait(t.Context(), count)
				l.End()
			}
			write(20)
			client := workload.NewLog(x.client)
			x.report(client.Begins(t.Context()), "before it goes offline")
			left, first := client.Position(), client.Seq()
			for x.log.Seq() < first+events {
				write(max(1, min(2000, events)))
				x.report(x.log.Begins(t.Context()), "the log")
			}
			at(7*day - time.Hour)
			missed := x.log.Seq() - first
			begun := time.Now()
			reader := workload.Follow(t.Context(), client)
			x.Until("the client is behind", func() error { return more(reader.Seq, x.log.Seq()-1) })
			took := time.Since(begun)
			x.report(reader.End(x.log), "the client")

			forgetful := workload.Follow(t.Context(), workload.NewLog(x.client))
			x.Until("the stream is not open", func() error { return more(forgetful.Opened, 0) })
			at(8*day - 65*time.Minute) // so that the next start trusts its clock
			write(20)
			x.report(x.log.Begins(t.Context()), "the log")
			if len(forgetful.End(x.log)) == 0 {
				t.Error("control: a client without a position misses nothing")
			}
			at(8 * day)
			x.Until("the log still has the old position", func() error { return lost(x, left) })
			t.Logf("a client that missed %d events and 167 hours was told all of them after %s, by a stream that was opened %d times; past the retention it is told reset",
				missed, took.Round(10*time.Millisecond), reader.Opened())
		})
	}
}

// lost returns an error while a client can continue after a position.
func lost(x *clockWorld, position string) error {
	goesOn, err := x.client.Continues(x.t.Context(), position)
	if err == nil && goesOn {
		err = errors.New("the client continues")
	}
	return err
}
