package robustness_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/internal/robustness/server"
	"parley/internal/robustness/workload"
)

const (
	// soakPart is how long one load writes before it is checked and another begins.
	soakPart = 10 * time.Second
	// mostLog is the most that the log of the embedded store may have, and mostWaiting the
	// most messages that may wait for the network.
	mostLog, mostWaiting = 80 << 20, 50
	// mostGrowth is how much memory may grow in an hour, in bytes, once a soak of an hour or
	// more is warm.
	mostGrowth = 1 << 20
)

// A sample is what a server uses at a moment.
type sample struct {
	at         time.Duration // since the soak began
	memory     float64       // bytes that are not of files
	goroutines float64
	log        float64 // bytes of the log of the embedded store
	waiting    float64 // messages for the network
}

// soakTime is how long to soak: PARLEY_SOAK_TIME, or long enough to see that the measuring
// works.
func soakTime(t *testing.T) time.Duration {
	t.Helper()
	times(t, 1, 1)
	text := os.Getenv("PARLEY_SOAK_TIME")
	if text == "" {
		return 3 * soakPart
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("PARLEY_SOAK_TIME: must be a duration such as 2h: %v", err)
	}
	return d
}

// TestSoak lets a server work at half of what it can for a long time, and watches its memory,
// its goroutines, the log of its store and the messages that wait: once it is warm, none of
// them may grow. All that was written is checked. As a control, a growth of 2 MiB in an hour
// that is added to what was measured must be seen.
func TestSoak(t *testing.T) {
	d := soakTime(t)
	t.Parallel()
	w := &world{Server: server.New(t, t.TempDir(), ""), t: t}
	metrics := server.Address(t)
	w.Flags = []string{"--metrics-listen=" + metrics}
	w.found()
	if _, err := w.Command("number", "create", "--workspace="+w.workspace, "--phone=+4930123456", "--driver=sandbox"); err != nil {
		t.Fatal(err)
	}
	var group *workload.Group
	w.Until("no group can be made", func() (err error) {
		group, err = w.client.NewGroup(t.Context())
		return err
	})
	reader := w.follow()
	pause := w.halfLoad()
	var samples []sample
	acknowledged := int64(0)
	for begun := time.Now(); time.Since(begun) < d; {
		l := workload.Begin(t.Context(), w.client, workload.Options{Writers: writers, Patient: true, Pause: pause})
		for part := time.Now(); time.Since(part) < soakPart; time.Sleep(time.Second) {
			if _, err := group.Post(t.Context(), fmt.Sprint("after ", time.Since(begun))); err != nil {
				t.Error(err)
			}
			samples = append(samples, w.sample(metrics, time.Since(begun)))
		}
		l.End()
		w.check(l, "in the soak")
		acknowledged += l.Acknowledged()
		if t.Failed() {
			break
		}
	}
	w.report(w.log.Begins(t.Context()), "in the end")
	w.report(reader.End(w.log), "the stream")
	w.Verify(t)
	w.judge(samples, d)
	t.Logf("%s at half load: %d changes acknowledged, 0 lost; %d events, all told by one stream", d, acknowledged, w.log.Seq())
}

// halfLoad returns the pause after each change with which writers do half of what they can.
func (w *world) halfLoad() time.Duration {
	w.t.Helper()
	begun := time.Now()
	l := workload.Begin(w.t.Context(), w.client, workload.Options{Writers: writers, Patient: true})
	l.Wait(w.t.Context(), 400)
	l.End()
	w.check(l, "at full load")
	return time.Since(begun) * writers / time.Duration(l.Acknowledged())
}

// sample asks for what the server uses.
func (w *world) sample(metrics string, at time.Duration) sample {
	w.t.Helper()
	res, err := http.Get("http://" + metrics + "/metrics")
	if err != nil {
		w.t.Fatal(err)
	}
	text, err := io.ReadAll(res.Body)
	_ = res.Body.Close() // it was read
	if err != nil {
		w.t.Fatal(err)
	}
	read := func(text, name string) float64 {
		for line := range strings.Lines(text) {
			if fields := strings.Fields(line); len(fields) > 1 && fields[0] == name {
				value, err := strconv.ParseFloat(fields[1], 64)
				if err != nil {
					w.t.Fatal(err)
				}
				return value
			}
		}
		w.t.Fatalf("the server does not tell of %s", name)
		return 0
	}
	memory, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", w.PID()))
	if err != nil {
		w.t.Skipf("SKIPPED: this system does not tell the memory of a process: %v", err)
	}
	return sample{
		at: at, memory: 1024 * read(string(memory), "RssAnon:"), goroutines: read(string(text), "go_goroutines"),
		log: read(string(text), "parley_store_log_bytes"), waiting: read(string(text), "parley_messages_waiting"),
	}
}

// judge requires that nothing grows after the first third, in which the server gets warm.
func (w *world) judge(samples []sample, d time.Duration) {
	w.t.Helper()
	warm := slices.DeleteFunc(slices.Clone(samples), func(s sample) bool { return s.at < d/3 })
	memory := growth(warm, func(s sample) float64 { return s.memory })
	goroutines := growth(warm, func(s sample) float64 { return s.goroutines })
	most := slices.MaxFunc(samples, func(a, b sample) int { return int(a.log - b.log) })
	waits := slices.MaxFunc(samples, func(a, b sample) int { return int(a.waiting - b.waiting) })
	w.t.Logf("%d samples: memory that is not of files %.1f MiB in the end, %+.2f MiB in an hour; %.0f goroutines, %+.1f in an hour; log of the store %.1f MiB at most; %.0f messages waited at most",
		len(samples), warm[len(warm)-1].memory/(1<<20), memory/(1<<20), warm[len(warm)-1].goroutines, goroutines, most.log/(1<<20), waits.waiting)
	if most.log == 0 || most.log > mostLog || waits.waiting > mostWaiting {
		w.t.Errorf("the log of the store has %.0f bytes, and %.0f messages wait", most.log, waits.waiting)
	}
	if d >= time.Hour && (memory > mostGrowth || goroutines > 1) {
		w.t.Errorf("memory grows by %.0f bytes in an hour, goroutines by %.1f", memory, goroutines)
	}
	leaky := growth(warm, func(s sample) float64 { return s.memory + 2*mostGrowth*s.at.Hours() })
	if added := leaky - memory; added < 1.9*mostGrowth || added > 2.1*mostGrowth {
		w.t.Errorf("control: a leak of %d bytes in an hour is seen as %.0f", 2*mostGrowth, added)
	}
}

// growth returns by how much something grows in an hour: the line that is nearest to all
// samples.
func growth(samples []sample, of func(sample) float64) float64 {
	var n, x, y, xx, xy float64
	for _, s := range samples {
		h, v := s.at.Hours(), of(s)
		n, x, y, xx, xy = n+1, x+h, y+v, xx+h*h, xy+h*v
	}
	return (n*xy - x*y) / (n*xx - x*x)
}
