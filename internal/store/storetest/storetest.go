// Package storetest opens stores for tests. A test that runs through Each runs
// on SQLite and on PostgreSQL, so that both engines behave the same.
//
// It is only for tests.
package storetest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"parley"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/store/migrations"
)

// Each runs a test on a new store of each engine.
func Each(t *testing.T, test func(t *testing.T, s *store.Store)) {
	t.Helper()
	Both(t, func(t *testing.T, o store.Options) { test(t, Open(t, o)) })
}

// Both runs a test with the options of a new, migrated store of each engine.
func Both(t *testing.T, test func(t *testing.T, o store.Options)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, MigratedSQLite(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, MigratedPostgres(t)) })
}

// EachOptions is Both for tests of what is above the store, which run on Engines.
func EachOptions(t *testing.T, test func(t *testing.T, o store.Options)) {
	t.Helper()
	migrated := map[string]func(testing.TB) store.Options{"sqlite": MigratedSQLite, "postgres": MigratedPostgres}
	for _, engine := range Engines(t) {
		t.Run(engine, func(t *testing.T) { test(t, migrated[engine](t)) })
	}
}

// Engines returns the engines on which a test of what is above the store runs: both,
// or in the short form one, which the test's name chooses. That form looks for data
// races, and above the store both engines run the same Go code.
func Engines(t testing.TB) []string {
	both := []string{"sqlite", "postgres"}
	if !testing.Short() {
		return both
	}
	name := fnv.New32a()
	_, _ = name.Write([]byte(t.Name())) // never fails
	return both[name.Sum32()%2:][:1]
}

// MigratedSQLite returns the options of a new, migrated SQLite store. The first
// one of a process is migrated, and the others are copies.
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

// template holds the files of a migrated SQLite store.
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

func MigratedPostgres(t testing.TB) store.Options {
	t.Helper()
	o := store.Options{IDs: parley.NewIDs(nil), Log: Quiet()}
	o.Database = pgtest.Filled(t, "migrated_"+schemaSum(t), func(url string) {
		o.Database = url
		migrate(t, o)
	})
	return o
}

// schemaSum returns a sum of all steps of the schema.
func schemaSum(t testing.TB) string {
	t.Helper()
	sum := sha256.New()
	names, err := fs.Glob(migrations.Files, "*.sql")
	for _, name := range names {
		text, readErr := migrations.Files.ReadFile(name)
		_, writeErr := fmt.Fprintf(sum, "%s %d\n%s", name, len(text), text)
		err = errors.Join(err, readErr, writeErr)
	}
	if err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// SQLite returns the options of an empty SQLite store.
func SQLite(t testing.TB) store.Options {
	t.Helper()
	return store.Options{Dir: t.TempDir(), IDs: parley.NewIDs(nil), Log: Quiet()}
}

// Postgres returns the options of an empty PostgreSQL store.
func Postgres(t testing.TB) store.Options {
	t.Helper()
	return store.Options{Database: pgtest.URL(t), IDs: parley.NewIDs(nil), Log: Quiet()}
}

// DurablePostgres returns the options of an empty PostgreSQL store that waits for its disk,
// for benchmarks: the server that tests share does not.
func DurablePostgres(t testing.TB) store.Options {
	t.Helper()
	return store.Options{Database: pgtest.NewCluster(t).URL("postgres"), IDs: parley.NewIDs(nil), Log: Quiet()}
}

// Copy returns the options of a copy of a store that must not be open.
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

// Quiet returns a logger that discards everything.
func Quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func migrate(t testing.TB, o store.Options) {
	t.Helper()
	if _, _, err := store.Migrate(t.Context(), o); err != nil {
		t.Fatalf("migrate: %v", err)
	}
}

// Open opens a migrated store and closes it when the test ends.
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
