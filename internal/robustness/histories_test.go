package robustness_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"

	"parley/internal/pgtest"
	"parley/internal/robustness/histories"
	"parley/internal/robustness/server"
)

// threeNodes starts three nodes over one PostgreSQL. Each reaches it by a line of its own,
// and so do the clients each node.
func threeNodes(t *testing.T) histories.Options {
	t.Helper()
	database, err := url.Parse(pgtest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	socket := database.Query().Get("host") + "/.s.PGSQL.5432"
	w := &world{Server: server.New(t, t.TempDir(), database.String()), t: t}
	_, w.key = w.Found()
	o := histories.Options{Key: w.key}
	for n := range 3 {
		line := histories.NewLine(t, "unix", socket)
		w.Database = "postgres://" + database.User.Username() + "@" + line.Address() + database.Path + "?sslmode=disable"
		node := w.Server
		if n > 0 {
			node = w.joined()
		} else {
			node.Start()
		}
		front := histories.NewLine(t, "tcp", strings.TrimPrefix(node.URL(), "http://"))
		o.Nodes, o.Lines = append(o.Nodes, "http://"+front.Address()), append(o.Lines, line, front)
	}
	return o
}

// TestHistories lets clients change and read the same records through three nodes on
// PostgreSQL, while the lines to nodes and database are cut and held. All answers of each
// history must be as if everything had happened one after another, at a moment between
// question and answer; a change without an answer may happen later, or never. As a control,
// clients that now and then answer from what they read before must be seen.
func TestHistories(t *testing.T) {
	count := times(t, 2, 200)
	t.Parallel()
	o := threeNodes(t)
	o.Size = 100
	if torture {
		o.Size = 500
	}
	var sum histories.Result
	for n := range count {
		r, err := histories.Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != porcupine.Ok {
			t.Errorf("history %d of %d operations is not linearizable: %s", n+1, r.Operations, r.Verdict)
		}
		sum.Operations, sum.Unknown, sum.Unread, sum.Faults = sum.Operations+r.Operations, sum.Unknown+r.Unknown, sum.Unread+r.Unread, sum.Faults+r.Faults
	}
	o.Stale, o.Lines = true, o.Lines[:1]
	o.Size = 500
	stale, err := histories.Run(t.Context(), o)
	if err != nil || stale.Verdict != porcupine.Illegal {
		t.Errorf("the history of clients that read stale answers is %s, %v", stale.Verdict, err)
	}
	t.Logf("%d histories of %d operations on three nodes, %d cuts and pauses: all linearizable; %d changes whose outcome is unknown, %d reads without an answer; with stale reads the checker says %s",
		count, sum.Operations, sum.Faults, sum.Unknown, sum.Unread, stale.Verdict)
	if sum.Faults == 0 {
		t.Error("no line broke, so nothing is tested")
	}
}
