package store_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"parley"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestReadyWrites takes the right to write from a store that can still be read.
// It must not be ready, refuse writes as Unavailable, and recover by itself.
func TestReadyWrites(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		o := migrated(t, storetest.SQLite(t))
		testReady(t, o, func(s *store.Store, off bool) {
			s.WriterPragma(t, map[bool]string{true: "query_only=ON", false: "query_only=OFF"}[off])
		})
	})
	t.Run("postgres", func(t *testing.T) {
		o := migrated(t, storetest.Postgres(t))
		testReady(t, o, func(s *store.Store, off bool) {
			conn, err := pgx.Connect(t.Context(), o.Database)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close(t.Context()) }() // nothing is lost with it
			for _, sql := range []string{
				"SET default_transaction_read_only = off",
				"DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = " + map[bool]string{true: "on", false: "off"}[off] + "', current_database()); END $$",
				"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
			} {
				if _, err := conn.Exec(t.Context(), sql); err != nil {
					t.Fatal(err)
				}
			}
			for range 20 { // each try finds one of the connections that were ended
				if s.Ping(t.Context()) == nil {
					return
				}
			}
			t.Fatal("the store cannot be read any more")
		})
	})
}

func testReady(t *testing.T, o store.Options, turn func(s *store.Store, off bool)) {
	t.Helper()
	s := storetest.Open(t, o)
	ws, c := found(t, s)
	ready := func(want bool) {
		t.Helper()
		if err := s.Ready(t.Context()); want != (err == nil) || !want && parley.KindOf(err) != parley.Unavailable {
			t.Errorf("ready gives %v", err)
		}
	}
	ready(true)
	turn(s, true)
	if err := s.Write(t.Context(), ws, post(ws, c.ID, "one")); parley.KindOf(err) != parley.Unavailable {
		t.Errorf("a write gives %v", err)
	}
	if err := s.Ping(t.Context()); err != nil {
		t.Errorf("it cannot be read: %v", err)
	}
	ready(false)
	ready(false)
	turn(s, false)
	ready(true)
	if got := s.Stats().Failures; got < 3 {
		t.Errorf("%d failures are counted, want 3 at least", got)
	}
}

// TestReadyProbesSeldom asks a store that is written to, and one that is not.
func TestReadyProbesSeldom(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		found(t, s)
		before := s.Stats().Groups
		for range 10 {
			if err := s.Ready(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if after := s.Stats().Groups; after != before {
			t.Errorf("a store that was just written to is probed %d times", after-before)
		}
		s.ForgetOutcome()
		for range 10 {
			if err := s.Ready(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if after := s.Stats().Groups; after != before+1 {
			t.Errorf("a store that nobody writes to is probed %d times, want once", after-before)
		}
	})
}

func migrated(t *testing.T, o store.Options) store.Options {
	t.Helper()
	if _, _, err := store.Migrate(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return o
}
