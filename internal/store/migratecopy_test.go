package store_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parley/internal/store"
	"parley/internal/store/schema"
	"parley/internal/store/storetest"
)

// newerStep is a migration of a later program, with the number of a table.
func newerStep(number string) string {
	return "CREATE TABLE later" + number + " (x bigint NOT NULL PRIMARY KEY);"
}

// copies returns the names of the copies beside a store, and of the remains of
// interrupted ones.
func copies(t *testing.T, o store.Options) (found []string) {
	t.Helper()
	entries, err := os.ReadDir(o.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if version, ok := strings.CutPrefix(entry.Name(), store.FileName+".before-"); ok {
			found = append(found, version)
		}
	}
	return found
}

// TestCopyBeforeMigration migrates a store that has rows in its write-ahead log:
// the copy has the old schema and all rows, and the newest copies are kept.
func TestCopyBeforeMigration(t *testing.T) {
	o := storetest.MigratedSQLite(t)
	o.Copies = 2
	latest, err := schema.Latest()
	if err != nil {
		t.Fatal(err)
	}
	open := storetest.Open(t, o)
	ws, _ := found(t, open)
	if _, _, err := store.Migrate(t.Context(), o); err != nil || len(copies(t, o)) > 0 {
		t.Errorf("a store that needs no step was copied to %v, %v", copies(t, o), err)
	}
	if _, _, err := store.MigrateWith(t.Context(), o, newerStep("1")); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(o.Dir, store.FileName+".before-"+strconv.Itoa(latest))
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the copy is %v, %v", info, err)
	}
	back := storetest.SQLite(t)
	if err := os.Rename(name, filepath.Join(back.Dir, store.FileName)); err != nil {
		t.Fatal(err)
	}
	if from, _, err := store.MigrationStatus(t.Context(), back); from != latest || err != nil {
		t.Errorf("the copy has the schema %d, %v, want %d", from, err, latest)
	}
	view(t, storetest.Open(t, back), func(v *store.View) error {
		got, err := v.Workspace(ws)
		if err != nil || got.ID != ws {
			t.Errorf("the copy has the workspace %v, %v", got.ID, err)
		}
		return nil
	})
	for n := 2; n <= 4; n++ {
		var steps []string
		for i := 1; i <= n; i++ {
			steps = append(steps, newerStep(strconv.Itoa(i)))
		}
		if _, _, err := store.MigrateWith(t.Context(), o, steps...); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := copies(t, o), []string{strconv.Itoa(latest + 2), strconv.Itoa(latest + 3)}; !slices.Equal(got, want) {
		t.Errorf("the copies are %v, want %v", got, want)
	}
}

// TestNoCopy makes and migrates stores that need no copy.
func TestNoCopy(t *testing.T) {
	o := storetest.SQLite(t)
	o.Copies = 2
	if _, _, err := store.Migrate(t.Context(), o); err != nil || len(copies(t, o)) > 0 {
		t.Errorf("a new store was copied to %v, %v", copies(t, o), err)
	}
	o.Copies = 0
	if _, _, err := store.MigrateWith(t.Context(), o, newerStep("1")); err != nil || len(copies(t, o)) > 0 {
		t.Errorf("copies that nobody wants are %v, %v", copies(t, o), err)
	}
}

// TestCopyFails lets a copy fail, then the step after a copy: the schema is the old
// one, and the next attempt succeeds despite the remains of the first.
func TestCopyFails(t *testing.T) {
	o := storetest.MigratedSQLite(t)
	o.Copies = 2
	latest, err := schema.Latest()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(o.Dir, store.FileName+".before-"+strconv.Itoa(latest))
	unchanged := func(why string) {
		t.Helper()
		if from, _, err := store.MigrationStatus(t.Context(), o); from != latest || err != nil {
			t.Errorf("%s: the schema is %d, %v", why, from, err)
		}
	}
	if err := os.MkdirAll(name+"/x", 0o700); err != nil { // no file can take its name
		t.Fatal(err)
	}
	if _, _, err := store.MigrateWith(t.Context(), o, newerStep("1")); err == nil || !strings.Contains(err.Error(), "before its schema changes") {
		t.Errorf("a copy that cannot be made: %v", err)
	}
	unchanged("no copy")
	if err := os.RemoveAll(name); err != nil {
		t.Fatal(err)
	}
	if _, _, err := store.MigrateWith(t.Context(), o, "CREATE nonsense;"); err == nil {
		t.Error("a step that cannot be made passes")
	}
	unchanged("a bad step")
	for _, suffix := range []string{".draft", ".draft-journal"} { // as a process leaves that dies
		if err := os.WriteFile(name+suffix, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := store.MigrateWith(t.Context(), o, newerStep("1")); err != nil {
		t.Error(err)
	}
	if got, want := copies(t, o), []string{strconv.Itoa(latest)}; !slices.Equal(got, want) {
		t.Errorf("the copies are %v, want %v", got, want)
	}
}
