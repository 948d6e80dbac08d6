package robustness_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/internal/faultfs"
	"parley/internal/robustness/server"
	"parley/internal/robustness/workload"
)

// A harm is what a disk does to the server, and what the server must say meanwhile.
type harm struct {
	name   string
	begin  func(*faultfs.Disk)
	end    func(*faultfs.Disk)
	logged string // in the log
}

// failing makes some operations fail on files whose names begin with parley.db.
func failing(with syscall.Errno, ops ...faultfs.Op) func(*faultfs.Disk) {
	return func(d *faultfs.Disk) {
		d.SetFault(func(op faultfs.Op, name string) syscall.Errno {
			for _, o := range ops {
				if o == op && strings.HasPrefix(name, "parley.db") && !strings.HasSuffix(name, "-shm") {
					return with
				}
			}
			return 0
		})
	}
}

func healed(d *faultfs.Disk) { d.SetFault(nil) }

// harms are the faults that end all writes until the disk is well again.
var harms = []harm{
	{
		"full", func(d *faultfs.Disk) { d.SetCapacity(d.Used()) }, func(d *faultfs.Disk) { d.SetCapacity(0) },
		"full",
	},
	{"read-only", failing(syscall.EROFS, faultfs.OpWrite, faultfs.OpName, faultfs.OpRemove), healed, "disk I/O error"},
	{"failing writes", failing(syscall.EIO, faultfs.OpWrite), healed, "disk I/O error"},
	{"failing syncs", failing(syscall.EIO, faultfs.OpSync), healed, "disk I/O error"},
}

// TestBadDisk harms the disk under load. Changes are refused with 503 and Retry-After and
// with nothing else, reads are answered, and the server says that it is not ready. When
// the disk is well again, it works without a restart. Then the power is cut: nothing
// that was acknowledged is lost.
func TestBadDisk(t *testing.T) {
	times(t, 1, 1)
	t.Parallel()
	for _, h := range harms {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			x := onDisk(t, server.Program(t))
			l := x.underLoad(workload.Options{Writers: writers, Patient: true, Bytes: 2000})
			h.begin(x.disk)
			before := l.Refused()
			x.Until("no change is refused", func() error { return more(l.Refused, before+2*writers) })
			x.Until("the server is ready on a bad disk", func() error { return unready(x.world) })
			if got := x.reads(); got != http.StatusOK {
				t.Errorf("a read is answered %d", got)
			}
			h.end(x.disk)
			begun, done := time.Now(), l.Acknowledged()
			x.Until("the server is not ready", x.Ready)
			x.Until("no change succeeds", func() error { return more(l.Acknowledged, done+2*writers) })
			works := time.Since(begun)
			l.End()
			x.settle(l, "with a disk that is well again")
			x.cut(nil)
			x.sound()
			x.Start()
			x.check(l, "after a power cut")
			x.whole()
			if !strings.Contains(x.Log(), h.logged) {
				t.Errorf("the log does not say %q:\n%s", h.logged, x.Log())
			}
			t.Logf("a disk that is %s: %d refusals, all 503 with Retry-After; %d changes acknowledged, 0 lost; works again after %s",
				h.name, l.Refused(), l.Acknowledged(), works.Round(time.Millisecond))
		})
	}
}

// reads reads a list and returns the status.
func (x *diskWorld) reads() int {
	x.t.Helper()
	a, err := x.client.Reads(x.t.Context(), "/contacts?limit=1")
	if err != nil {
		x.t.Fatal(err)
	}
	return a.Status
}

// TestVisitorsAreRefusedFirst leaves so little of a disk that it is kept for members: visitors
// are refused, and changes with a key are not. With room again, visitors are served.
func TestVisitorsAreRefusedFirst(t *testing.T) {
	times(t, 1, 1)
	t.Parallel()
	x := onDisk(t, server.Program(t))
	out, err := x.Command("inbox", "create", "--json", "--workspace", x.workspace, "--name=Shop", "--channel=web")
	var inbox struct{ ID string }
	if err = errors.Join(err, json.Unmarshal(out, &inbox)); err != nil {
		t.Fatal(err)
	}
	visit := func(status int) error {
		time.Sleep(500 * time.Millisecond) // visitors are counted by their address, and the server looks at its disk once a second
		a, err := x.client.Visit(t.Context(), inbox.ID)
		if err != nil || a.Status == status && (status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") == "60") {
			return err
		}
		return fmt.Errorf("a visitor is answered %d %v %s", a.Status, a.Header, a.Body)
	}
	x.Until("visitors are not served", func() error { return visit(http.StatusCreated) })
	ballast := filepath.Join(x.Data, "ballast")
	x.shell(`head -c 96M /dev/zero > "$1"`, ballast)
	x.disk.SetCapacity(x.disk.Used() + 3<<20)
	x.Until("visitors are not refused", func() error { return visit(http.StatusServiceUnavailable) })
	l := x.load(workload.Options{Writers: writers, Patient: true})
	l.Wait(t.Context(), 60)
	l.End()
	if got := l.Refused(); got > 0 {
		t.Errorf("%d changes with a key are refused", got)
	}
	x.settle(l, "with little room")
	x.shell(`rm "$1"`, ballast)
	x.Until("visitors are not served again", func() error { return visit(http.StatusCreated) })
}

// TestSlowDisk makes each sync take a fifth of a second: changes take longer, and none is
// refused.
func TestSlowDisk(t *testing.T) {
	times(t, 1, 1)
	t.Parallel()
	x := onDisk(t, server.Program(t))
	x.disk.SetSyncTime(200 * time.Millisecond)
	l := x.load(workload.Options{Writers: 8, Patient: true})
	l.Wait(t.Context(), 60)
	l.End()
	x.disk.SetSyncTime(0)
	x.settle(l, "with a slow disk")
	x.whole()
	t.Logf("syncs of 200 ms: %d changes acknowledged, the slowest after %s", l.Acknowledged(), l.Slowest().Round(time.Millisecond))
	if l.Refused() > 0 {
		t.Errorf("%d changes are refused", l.Refused())
	}
}

// TestFewDescriptors lets the server have few descriptors, and opens more streams than
// they suffice for. Further streams are refused; everything else works.
func TestFewDescriptors(t *testing.T) {
	times(t, 1, 1)
	t.Parallel()
	w := &world{Server: server.New(t, t.TempDir(), ""), t: t}
	w.Limits = "ulimit -n 128"
	w.found()
	refused := 0
	for range 100 {
		res, err := w.client.Stream(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = res.Body.Close() })
		switch {
		case res.StatusCode == http.StatusOK:
		case res.StatusCode == http.StatusServiceUnavailable && res.Header.Get("Retry-After") != "":
			refused++
		default:
			t.Fatalf("a stream is answered %d %v", res.StatusCode, res.Header)
		}
	}
	l := w.load(workload.Options{Writers: writers, Patient: true})
	l.Wait(t.Context(), 100)
	l.End()
	w.settle(l, "with few descriptors")
	t.Logf("128 descriptors: %d of 100 streams are refused; %d changes acknowledged, the slowest after %s", refused, l.Acknowledged(), l.Slowest().Round(time.Millisecond))
	if refused == 0 || l.Refused() > 0 {
		t.Errorf("%d streams and %d changes are refused", refused, l.Refused())
	}
}

// TestLittleMemory lets the server have little memory. It may end; what it has acknowledged
// is there when it starts again with more.
func TestLittleMemory(t *testing.T) {
	changes := int64(times(t, 100, 400))
	t.Parallel()
	w := &world{Server: server.New(t, t.TempDir(), ""), t: t}
	w.found()
	w.Stop()
	w.Env, w.Limits = []string{"GOMEMLIMIT=48MiB"}, "ulimit -v 2000000"
	w.Start()
	l := w.load(workload.Options{Writers: 16, Bytes: 60_000})
	w.Until("the server takes no changes", func() error {
		if w.Runs() && l.Acknowledged() < changes {
			return fmt.Errorf("%d changes are acknowledged", l.Acknowledged())
		}
		return nil
	})
	ended := !w.Runs()
	l.End()
	w.Kill()
	w.Env, w.Limits = nil, ""
	w.Start()
	w.settle(l, "with little memory")
	w.whole()
	t.Logf("little memory: the server ended: %t; %d changes of 60 kB acknowledged, 0 lost", ended, l.Acknowledged())
}
