package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parley/internal/store"
	"parley/internal/store/storetest"
)

// empty runs a test with the options of a store without a schema.
func empty(t *testing.T, test func(t *testing.T, o store.Options)) {
	t.Run("sqlite", func(t *testing.T) { test(t, storetest.SQLite(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, storetest.Postgres(t)) })
}

func TestMigrate(t *testing.T) {
	empty(t, func(t *testing.T, o store.Options) {
		from, newest, err := store.MigrationStatus(t.Context(), o)
		if from != 0 || newest < 1 || err != nil {
			t.Errorf("the status of an empty store is %d, %d, %v", from, newest, err)
		}
		if files, _ := os.ReadDir(o.Dir); o.Dir != "" && len(files) != 0 {
			t.Errorf("asking for the status made %v", files)
		}
		for _, want := range []int{0, newest} { // the second time, nothing is left to do
			if from, to, err := store.Migrate(t.Context(), o); from != want || to != newest || err != nil {
				t.Errorf("Migrate gave %d, %d, %v, want %d, %d", from, to, err, want, newest)
			}
		}
		if from, to, err := store.MigrationStatus(t.Context(), o); from != newest || to != newest || err != nil {
			t.Errorf("the status is %d, %d, %v, want %d, %d", from, to, err, newest, newest)
		}
		s := storetest.Open(t, o)
		if err := s.Ping(t.Context()); err != nil {
			t.Errorf("ping: %v", err)
		}
	})
}

func TestMigrateAtOnce(t *testing.T) {
	empty(t, func(t *testing.T, o store.Options) {
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				if _, _, err := store.Migrate(t.Context(), o); err != nil {
					t.Errorf("migrate: %v", err)
				}
			})
		}
		all.Wait()
		s := storetest.Open(t, o)
		view(t, s, func(v *store.View) error {
			if n, err := v.Int("SELECT count(*) - max(version) FROM schema_versions"); n != 0 || err != nil {
				t.Errorf("the versions are not counted once each: %d, %v", n, err)
			}
			return nil
		})
	})
}

func TestFilesAreOurs(t *testing.T) {
	o := storetest.SQLite(t)
	if _, _, err := store.Migrate(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	s := storetest.Open(t, o)
	found(t, s)
	files, err := filepath.Glob(filepath.Join(o.Dir, "*"))
	if err != nil || len(files) < 2 {
		t.Fatalf("files are %v, %v, want the database and its log", files, err)
	}
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s has the rights %v, %v, want 0600", file, info.Mode(), err)
		}
	}
}

func TestRefusedURLs(t *testing.T) {
	for _, url := range []string{
		"mysql://u:secret@h/d", "postgres://u:secret@h:port/d", "postgres://u:secret@h/d?default_query_exec_mode=exec",
		"postgres://u:secret@h/d?default_query_exec_mode=simple_protocol",
	} {
		_, err := store.Open(t.Context(), store.Options{Database: url, IDs: ids, Log: storetest.Quiet()})
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s gave %v, want an error without the password", url, err)
		}
	}
}

// TestDescribeMode reads and writes in the mode that a pooler of transactions
// needs.
func TestDescribeMode(t *testing.T) {
	o := storetest.Postgres(t)
	if _, _, err := store.Migrate(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	separator := "?"
	if strings.Contains(o.Database, "?") {
		separator = "&"
	}
	o.Database += separator + "default_query_exec_mode=cache_describe"
	s := storetest.Open(t, o)
	w := newWorld("x", true)
	w.insert(t, s)
	view(t, s, func(v *store.View) error {
		for method, read := range reads(w) {
			checkRead(t, v, w, method, read.call, read.want)
		}
		return nil
	})
}
