// Package storetest opens stores for tests: a test that runs through Each runs
// on SQLite and on PostgreSQL, so that both engines keep the same promises.
//
// It is for tests alone.
package storetest

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"parley"
	"parley/internal/pgtest"
	"parley/internal/store"
)

// Each runs a test on a new store of each engine.
func Each(t *testing.T, test func(t *testing.T, s *store.Store)) {
	t.Helper()
	EachOptions(t, func(t *testing.T, o store.Options) { test(t, Open(t, o)) })
}

// EachOptions runs a test with the options of a new store of each engine,
// whose schema is up to date.
func EachOptions(t *testing.T, test func(t *testing.T, o store.Options)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, MigratedSQLite(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, migratedPostgres(t)) })
}

// MigratedSQLite returns the options of a new store on SQLite whose schema is up
// to date. The first one of a process is migrated, the others are copies.
func MigratedSQLite(t testing.TB) store.Options {
	t.Helper()
	o := SQLite(t)
	template.Lock()
	defer template.Unlock()
	if template.files == nil {
		migrate(t, o)
		template.files = readFiles(t, o)
		return o
	}
	for name, content := range template.files {
		if err := os.WriteFile(filepath.Join(o.Dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// template holds the files of a migrated store on SQLite.
var template struct {
	sync.Mutex
	files map[string][]byte
}

func readFiles(t testing.TB, o store.Options) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(o.Dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, entry := range entries {
		if files[entry.Name()], err = os.ReadFile(filepath.Join(o.Dir, entry.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func migratedPostgres(t testing.TB) store.Options {
	t.Helper()
	o := store.Options{IDs: parley.NewIDs(nil), Log: Quiet()}
	o.Database = pgtest.Filled(t, "migrated", func(url string) {
		o.Database = url
		migrate(t, o)
	})
	return o
}

// SQLite returns the options of an empty store on SQLite.
func SQLite(t testing.TB) store.Options {
	t.Helper()
	return store.Options{Dir: t.TempDir(), IDs: parley.NewIDs(nil), Log: Quiet()}
}

// Postgres returns the options of an empty store on PostgreSQL.
func Postgres(t testing.TB) store.Options {
	t.Helper()
	return store.Options{Database: pgtest.URL(t), IDs: parley.NewIDs(nil), Log: Quiet()}
}

// Copy returns the options of a store that is a copy of another one, which nobody
// may have open.
func Copy(t testing.TB, o store.Options) store.Options {
	t.Helper()
	if o.Database != "" {
		o.Database = pgtest.Copy(t, o.Database)
		return o
	}
	dir := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(dir, os.DirFS(o.Dir)); err != nil {
		t.Fatal(err)
	}
	o.Dir = dir
	return o
}

// Quiet returns a log that nobody reads.
func Quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

func migrate(t testing.TB, o store.Options) {
	t.Helper()
	if _, _, err := store.Migrate(t.Context(), o); err != nil {
		t.Fatalf("migrate: %v", err)
	}
}

// Open opens a store whose schema is up to date; it is closed when the test
// ends.
func Open(t testing.TB, o store.Options) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}
