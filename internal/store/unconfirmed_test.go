package store_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"parley"
	"parley/internal/pgtest"
	"parley/internal/store/storetest"
)

// TestUnconfirmedCommit lets commits wait for another machine that does not exist. Their
// writes are unavailable, and nobody sees them: a commit that becomes visible before another
// machine has it is lost if its server dies. When no machine is demanded any more, they
// are there, each once.
func TestUnconfirmedCommit(t *testing.T) {
	cluster := pgtest.NewCluster(t)
	s := storetest.Open(t, migratedPostgres(t, cluster.URL("postgres")))
	ws, c := found(t, s)
	admin, err := pgx.Connect(t.Context(), cluster.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = admin.Close(context.Background()) }() // it only set something
	demand := func(machine string) {
		t.Helper()
		for _, sql := range []string{"ALTER SYSTEM SET synchronous_standby_names = '" + machine + "'", "SELECT pg_reload_conf()"} {
			if _, err := admin.Exec(t.Context(), sql); err != nil {
				t.Fatal(err)
			}
		}
	}
	demand("nobody")
	unconfirmed := ""
	// The server begins to demand it some time after it was told.
	for n := 0; err == nil; n++ {
		if n == 1000 {
			t.Fatal("every write is confirmed")
		}
		err = within(t, "a write that nobody confirms", func() error { return s.Write(t.Context(), ws, post(ws, c.ID, fmt.Sprint("write ", n))) })
		unconfirmed = fmt.Sprint("write ", n)
		time.Sleep(10 * time.Millisecond) // nothing tells when it does
	}
	if parley.KindOf(err) != parley.Unavailable {
		t.Errorf("a write that nobody confirms gave %v, want Unavailable", err)
	}
	time.Sleep(time.Second) // longer than a request to cancel takes
	if got := messages(t, s, ws, c.ID); got[unconfirmed] != 0 {
		t.Errorf("a commit that nobody has confirmed is visible: %v", got)
	}
	demand("")
	err = within(t, "a write afterwards", func() error {
		for {
			err := s.Write(t.Context(), ws, post(ws, c.ID, "confirmed"))
			if parley.KindOf(err) != parley.Unavailable {
				return err
			}
		}
	})
	if got := messages(t, s, ws, c.ID); err != nil || got[unconfirmed] != 1 || got["confirmed"] != 1 {
		t.Errorf("afterwards there are %v, %v, want each once", got, err)
	}
}
