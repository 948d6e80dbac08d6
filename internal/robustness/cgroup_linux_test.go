package robustness_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/robustness/server"
	"parley/internal/robustness/workload"
)

// A memoryGroup is a control group of the kernel that limits the memory of its processes.
type memoryGroup struct {
	folder           string
	limit, peak, oom string // its files
}

// newMemoryGroup makes a group that may have so many bytes, of either version of the
// kernel's interface.
func newMemoryGroup(t *testing.T, bytes int64) (*memoryGroup, error) {
	t.Helper()
	name := "parley-test-" + strconv.FormatInt(time.Now().UnixNano(), 36)
	older := &memoryGroup{filepath.Join("/sys/fs/cgroup/memory", name), "memory.limit_in_bytes", "memory.max_usage_in_bytes", "memory.oom_control"}
	newer := &memoryGroup{filepath.Join("/sys/fs/cgroup", name), "memory.max", "memory.peak", "memory.events"}
	err := older.make(bytes)
	if err == nil {
		return older, nil
	}
	if other := newer.make(bytes); other != nil {
		return nil, errors.Join(err, other)
	}
	return newer, nil
}

// make makes the folder of the group, whose files the kernel makes.
func (g *memoryGroup) make(bytes int64) error {
	if err := os.Mkdir(g.folder, 0o755); err != nil {
		return err
	}
	err := os.WriteFile(filepath.Join(g.folder, g.limit), []byte(strconv.FormatInt(bytes, 10)), 0)
	if err != nil {
		_ = os.Remove(g.folder) // it has no process
	}
	return err
}

// number returns a number of a file of the group: the one after a word, or the first.
func (g *memoryGroup) number(t *testing.T, file, word string) int64 {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(g.folder, file))
	fields := strings.Fields(string(text))
	for n, field := range fields {
		if word != "" && field == word {
			fields = fields[n+1:]
			break
		}
	}
	value, bad := strconv.ParseInt(strings.Join(fields[:min(len(fields), 1)], ""), 10, 64)
	if err = errors.Join(err, bad); err != nil {
		t.Errorf("%s says %q: %v", file, text, err)
	}
	return value
}

// kills returns how often the kernel has killed a process of the group for want of memory.
func (g *memoryGroup) kills(t *testing.T) int64 { return g.number(t, g.oom, "oom_kill") }

// greedy starts what takes memory besides the writers: streams, and members who sign in at
// once, each of which takes much on purpose. It returns a function that ends it.
func greedy(t *testing.T, w *world, password string) (end func()) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for n := range 40 {
		running.Go(func() {
			for ctx.Err() == nil {
				if n < 6 {
					_, _ = w.client.SignIn(ctx, server.Owner, password) // the server may be down
				} else if res, err := w.client.Stream(ctx); err == nil {
					_, _ = io.Copy(io.Discard, res.Body) // it ends with the server or the test
					_ = res.Body.Close()
				}
				time.Sleep(20 * time.Millisecond)
			}
		})
	}
	return func() { stop(); running.Wait() }
}

// TestMemoryOfGroup limits the memory of the server by a control group of the kernel, under
// greedy load. With enough, it goes on. With little, the kernel kills it again and again, as
// orchestrators have it, and it is started again: nothing that was acknowledged is lost.
func TestMemoryOfGroup(t *testing.T) {
	for _, c := range []struct {
		name    string
		bytes   int64
		killed  bool
		changes int
	}{
		{"enough", 512 << 20, false, times(t, 200, 2000)},
		{"little", 96 << 20, true, times(t, 200, 600)},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := inGroup(t, c.bytes)
			l := x.load(workload.Options{Writers: 16, Patient: true, Bytes: 20_000})
			end := greedy(t, x.world, x.password)
			ended := make(chan struct{})
			go func() { // which ends only while the server runs
				defer close(ended)
				for t.Context().Err() == nil && (l.Acknowledged() < int64(c.changes) || c.killed && x.group.kills(t) == 0) {
					time.Sleep(20 * time.Millisecond) // the load sends no signal
				}
				end()
				l.End()
			}()
			starts := x.supervise(ended)
			kills, peak := x.group.kills(t), x.group.number(t, x.group.peak, "")
			x.Kill()
			x.Limits = "" // the check may take what it needs
			x.Start()
			x.settle(l, "with little memory")
			x.whole()
			t.Logf("%d MiB: %d changes of 20 kB acknowledged, 0 lost; killed by the kernel %d times, started again %d times; %d refusals; peak %d MiB; the slowest answer took %s",
				c.bytes>>20, l.Acknowledged(), kills, starts, l.Refused(), peak>>20, l.Slowest().Round(time.Millisecond))
			if c.killed != (kills > 0) || int64(starts) < kills {
				t.Errorf("the kernel has killed the server %d times, and it was started again %d times", kills, starts)
			}
		})
	}
}

// A groupWorld is a world whose server is in a control group.
type groupWorld struct {
	*world

	group    *memoryGroup
	password string // of the owner
}

// inGroup starts a server in a group. Where none can be made, the test is skipped.
func inGroup(t *testing.T, bytes int64) *groupWorld {
	t.Helper()
	group, err := newMemoryGroup(t, bytes)
	if err != nil {
		t.Skipf("SKIPPED: this system lets this user make no control group: %v", err)
	}
	// The folder for temporary files may be in memory, and would count.
	data, err := os.MkdirTemp("/var/tmp", "parley") //nolint:usetesting // see above
	if err != nil {
		t.Fatal(err)
	}
	x := &groupWorld{world: &world{Server: server.New(t, data, ""), t: t}, group: group}
	t.Cleanup(func() {
		x.Kill()
		_ = os.RemoveAll(data) // it is a temporary folder
		if err := os.Remove(group.folder); err != nil {
			t.Error(err)
		}
	})
	x.workspace, x.key, x.password = x.FoundOwned()
	x.client = workload.NewClient(t, x.URL(), x.key)
	x.log = workload.NewLog(x.client)
	x.Limits = "echo $$ > " + filepath.Join(group.folder, "cgroup.procs")
	x.Start()
	return x
}

// supervise starts the server again whenever it has ended, until the load has ended, and
// returns how often.
func (x *groupWorld) supervise(ended chan struct{}) (starts int) {
	x.t.Helper()
	deadline := time.After(20 * time.Minute)
	for {
		select {
		case <-ended:
			return starts
		case <-deadline:
			x.t.Fatalf("%d changes are acknowledged after %d starts; the log ends with\n%s", x.acknowledged(), starts, x.Log())
		case <-time.After(20 * time.Millisecond):
		}
		if !x.Runs() {
			x.Kill() // which waits for what has ended
			x.Begin()
			starts++
		}
	}
}
