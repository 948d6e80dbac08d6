package robustness_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"parley/internal/pgtest"
	"parley/internal/robustness/server"
	"parley/internal/robustness/workload"
)

func TestMain(m *testing.M) {
	code := m.Run()
	server.Clean()
	pgtest.Stop()
	os.Exit(code)
}

// writers is how many clients write at the same time.
const writers = 4

// torture makes tests take their long form.
var torture = os.Getenv("PARLEY_TORTURE") != ""

// times returns how often to destroy something: PARLEY_TORTURE_TIMES in the long form, if
// it is set.
func times(t *testing.T, short, long int) int {
	t.Helper()
	if testing.Short() {
		t.Skip("kills another process, which the race detector does not watch")
	}
	if !torture {
		return short
	}
	if text := os.Getenv("PARLEY_TORTURE_TIMES"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("PARLEY_TORTURE_TIMES: must be a number: %v", err)
		}
		return n
	}
	return long
}

// A world is a server with one workspace, and what was read of its log.
type world struct {
	*server.Server

	t         *testing.T
	workspace string // its id
	key       string
	client    *workload.Client
	log       *workload.Log
	loads     []*workload.Load
}

// newWorld starts a server over an empty store.
func newWorld(t *testing.T, data, database string) *world {
	t.Helper()
	w := &world{Server: server.New(t, data, database), t: t}
	w.found()
	return w
}

// found creates the workspace and starts the server.
func (w *world) found() {
	w.t.Helper()
	w.workspace, w.key = w.Found()
	w.client = workload.NewClient(w.t, w.URL(), w.key)
	w.log = workload.NewLog(w.client)
	w.Start()
}

// follow reads the event stream from now on.
func (w *world) follow() *workload.Reader {
	w.t.Helper()
	w.report(w.log.Begins(w.t.Context()), "in the beginning")
	return workload.Follow(w.t.Context(), w.log)
}

// load starts writers.
func (w *world) load(o workload.Options) *workload.Load {
	l := workload.Begin(w.t.Context(), w.client, o)
	w.loads = append(w.loads, l)
	return l
}

// underLoad starts writers, and returns at a random moment while they write.
func (w *world) underLoad(o workload.Options) *workload.Load {
	l := w.load(o)
	l.Wait(w.t.Context(), int64(3*o.Writers))
	time.Sleep(time.Duration(rand.Int64N(int64(300 * time.Millisecond)))) // a moment, not a wait for something
	return l
}

// check reports what is wrong with a load. It requires that something was acknowledged.
func (w *world) check(l *workload.Load, when string) {
	w.t.Helper()
	if l.Acknowledged() == 0 {
		w.t.Errorf("%s: nothing was acknowledged, so nothing is tested", when)
	}
	w.report(l.Check(w.t.Context(), w.log), when)
}

// report reports faults, but not all of many.
func (w *world) report(wrong []string, when string) {
	w.t.Helper()
	slices.Sort(wrong)
	for _, fault := range wrong[:min(len(wrong), 10)] {
		w.t.Errorf("%s: %s", when, fault)
	}
	if len(wrong) > 10 {
		w.t.Errorf("%s: and %d more", when, len(wrong)-10)
	}
}

// settle checks a load before and after its unknown changes are repeated.
func (w *world) settle(l *workload.Load, when string) {
	w.t.Helper()
	w.check(l, when)
	wrong, _ := l.Settle(w.t.Context())
	w.report(wrong, when+", repeated")
	w.check(l, when+", after the repetitions")
	if w.t.Failed() {
		w.t.FailNow()
	}
}

// whole checks everything that was ever written, and a backup of it.
func (w *world) whole() {
	w.t.Helper()
	w.report(workload.CheckWhole(w.t.Context(), w.client, w.log, w.loads), "in the end")
	for n, l := range w.loads {
		w.report(l.Check(w.t.Context(), w.log), fmt.Sprintf("in the end, load %d", n))
	}
	w.Verify(w.t)
}

// acknowledged is how many changes were acknowledged in all loads.
func (w *world) acknowledged() (sum int64) {
	for _, l := range w.loads {
		sum += l.Acknowledged()
	}
	return sum
}
