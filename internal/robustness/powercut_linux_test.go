package robustness_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"parley/internal/faultfs"
	"parley/internal/robustness/server"
	"parley/internal/robustness/workload"
)

// tearOf returns how the nth cut tears: every second one does not.
func tearOf(n int) *faultfs.Tear {
	if n%2 == 0 {
		return nil
	}
	return &faultfs.Tear{Random: rand.New(rand.NewPCG(rand.Uint64(), uint64(n))), Sector: []int64{512, 4096}[n/2%2]}
}

// TestPowerCut cuts the power at random moments under load. The disk forgets what was not
// synced; in half of the cuts it keeps some sectors of that. Every acknowledged change is
// there once, and the file is sound.
func TestPowerCut(t *testing.T) {
	cuts := times(t, 6, 200)
	t.Parallel()
	x := onDisk(t, server.Program(t))
	reader := x.follow()
	unknown, slowest := 0, time.Duration(0)
	for cut := range cuts {
		l := x.underLoad(workload.Options{Writers: writers})
		x.cut(tearOf(cut))
		l.End()
		unknown += l.Unknown()
		x.sound()
		slowest = max(slowest, x.Start())
		x.settle(l, fmt.Sprintf("cut %d", cut+1))
	}
	x.whole()
	x.report(reader.End(x.log), "the stream")
	t.Logf("%d power cuts, half of them torn: %d changes acknowledged, 0 lost; %d whose answer was lost; %d events without a gap, all told by a stream that was opened %d times; ready again after %s at most",
		cuts, x.acknowledged(), unknown, x.log.Seq(), reader.Opened(), slowest.Round(time.Millisecond))
	if unknown == 0 {
		t.Error("no cut met a change, so the test sees nothing")
	}
}

// sound requires that a copy of the database is sound.
func (x *diskWorld) sound() {
	x.t.Helper()
	conn, err := sqlite.OpenConn(x.copied(), sqlite.OpenReadWrite)
	if err != nil {
		x.t.Fatal(err)
	}
	defer func() { _ = conn.Close() }() // it is a copy
	err = sqlitex.ExecuteTransient(conn, "PRAGMA integrity_check", &sqlitex.ExecOptions{ResultFunc: func(stmt *sqlite.Stmt) error {
		if verdict := stmt.ColumnText(0); verdict != "ok" {
			x.t.Errorf("the database is damaged: %s", verdict)
		}
		return nil
	}})
	if err != nil {
		x.t.Fatal(err)
	}
}

// TestPowerCutOfCarelessProgram is the control of TestPowerCut, in the long form because
// it builds a program: one that does not sync what it acknowledges must lose changes.
func TestPowerCutOfCarelessProgram(t *testing.T) {
	cuts := times(t, 0, 10)
	if cuts == 0 {
		t.Skip("builds another program; PARLEY_TORTURE=1 does")
	}
	t.Parallel()
	x := onDisk(t, careless(t))
	lost := 0
	for range cuts {
		l := x.underLoad(workload.Options{Writers: writers})
		x.cut(nil)
		l.End()
		x.Start()
		wrong := l.Check(t.Context(), x.log)
		for _, fault := range wrong {
			if strings.Contains(fault, "is lost") {
				lost++
			}
		}
		x.log = workload.NewLog(x.client) // this one has read what is lost
	}
	t.Logf("control: with synchronous=NORMAL, %d messages of %d changes are lost in %d cuts", lost, x.acknowledged(), cuts)
	if lost == 0 {
		t.Error("nothing is lost, so TestPowerCut would not see a loss")
	}
}

// careless builds the program with one other word in internal/store/sqlite.go.
func careless(t *testing.T) string {
	t.Helper()
	return server.Variant(t, "careless", "internal/store/sqlite.go", "PRAGMA synchronous=FULL", "PRAGMA synchronous=NORMAL")
}
