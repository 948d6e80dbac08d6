package robustness_test

import (
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"parley/internal/pgtest"
	"parley/internal/robustness/distributed"
	"parley/internal/robustness/server"
	"parley/internal/robustness/workload"
)

// TestDistributedEngine lets clients write to two nodes over an engine that behaves like a
// distributed one: serializable by default, no LISTEN, one commit in five failed or cut
// off, and a delay for each statement. No change takes effect twice, and hardly any is
// refused.
func TestDistributedEngine(t *testing.T) {
	changes := int64(times(t, 30, 1200))
	t.Parallel()
	cluster := pgtest.NewCluster(t)
	e := distributed.New(t, cluster.URL("postgres"))
	e.Delay = 50 * time.Millisecond
	w := newWorld(t, t.TempDir(), cluster.URL("postgres")) // which makes the tables
	w.Stop()
	w.Database = e.URL()
	w.Start()
	other := w.join()
	loads := []*workload.Load{}
	e.Begin()
	// The first node has followed the log from the beginning; the second one joins.
	for _, client := range []*workload.Client{w.client, other} {
		loads = append(loads, workload.Begin(t.Context(), client, workload.Options{Writers: 2, Patient: true}))
	}
	w.loads = append(w.loads, loads...)
	var all sync.WaitGroup
	for _, l := range loads {
		all.Go(func() {
			l.Wait(t.Context(), changes/2)
			l.End()
		})
	}
	all.Wait()
	var done, refused int64
	var slowest time.Duration
	for _, l := range loads {
		w.settle(l, "on a distributed engine")
		done, refused, slowest = done+l.Acknowledged(), refused+l.Refused(), max(slowest, l.Slowest())
	}
	failed, cut, listens := e.Counts()
	t.Logf("%d requests, %d changes acknowledged, none twice; %d requests refused; the slowest answer took %s; %d commits failed, %d were cut off, %d LISTEN were refused",
		done+refused, done, refused, slowest.Round(time.Millisecond), failed, cut, listens)
	if failed+cut == 0 || listens == 0 {
		t.Error("the engine did not misbehave, so nothing is tested")
	}
	if most := done / 1000; refused > most {
		t.Errorf("%d of %d requests were refused, want %d at most", refused, done+refused, most)
	}
	w.Database = cluster.URL("postgres")
	w.whole()
}

// join starts another node over the same store, and returns a client of it.
func (w *world) join() *workload.Client {
	w.t.Helper()
	return workload.NewClient(w.t, w.joined().URL(), w.key)
}

// joined starts another node over the same store.
func (w *world) joined() *server.Server {
	w.t.Helper()
	second := server.New(w.t, w.t.TempDir(), w.Database)
	second.File = w.File
	copyFile(w.t, filepath.Join(w.Data, "master.key"), filepath.Join(second.Data, "master.key"))
	if err := os.Symlink(filepath.Join(w.Data, "attachments"), filepath.Join(second.Data, "attachments")); err != nil {
		w.t.Fatal(err)
	}
	second.Start()
	return second
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}
