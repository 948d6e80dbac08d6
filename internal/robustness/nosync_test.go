package robustness_test

import (
	"fmt"
	"strings"
	"testing"

	"parley/internal/pgtest"
	"parley/internal/robustness/workload"
)

// TestPostgresWithoutSync is the control of TestPostgresKilled: a server that answers a
// commit before it is on the disk must lose changes when it is killed, and the check must
// see that.
func TestPostgresWithoutSync(t *testing.T) {
	if !torture {
		t.Skip("a control that loses something by chance is for the long form: set PARLEY_TORTURE=1")
	}
	kills := times(t, 3, 3)
	t.Parallel()
	cluster := pgtest.NewCluster(t)
	w := newWorld(t, t.TempDir(), cluster.URL("postgres")+"&synchronous_commit=off")
	lost := 0
	for range kills {
		l := w.underLoad(workload.Options{Writers: writers})
		cluster.Kill()
		w.Kill()
		l.End()
		if err := cluster.Start(); err != nil {
			t.Fatal(err)
		}
		w.Start()
		for _, fault := range l.Check(t.Context(), workload.NewLog(w.client)) {
			if strings.Contains(fault, "was acknowledged as") {
				lost++
			}
		}
	}
	result := fmt.Sprintf("%d kills of PostgreSQL with synchronous_commit=off: %d records lost of %d changes", kills, lost, w.acknowledged())
	t.Log(result)
	if lost == 0 {
		t.Errorf("%s, so TestPostgresKilled sees nothing", result)
	}
}
