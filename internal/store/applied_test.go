package store_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"

	"parley"
	"parley/internal/store"
	"parley/internal/store/schema"
	"parley/internal/store/storetest"
)

// The texts of the steps of a later program.
const (
	expands   = "-- compatible: nobody reads the new column yet.\nALTER TABLE installation ADD COLUMN note text NOT NULL DEFAULT '';"
	contracts = "-- The version before knows the table.\nDROP TABLE sandbox_groups;"
)

// alter changes a store without the program's knowledge.
func alter(t *testing.T, o store.Options, sql ...string) {
	t.Helper()
	s, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, parley.WorkspaceID{1}, func(tx *store.Tx) error {
		for _, one := range sql {
			if err := tx.Exec(one); err != nil {
				return err
			}
		}
		return nil
	})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// asBefore removes from a store what programs did not record once.
var asBefore = []string{"ALTER TABLE schema_versions DROP COLUMN hash", "ALTER TABLE schema_versions DROP COLUMN compatible"}

// TestHistory opens stores that another program created, or that this program,
// an older or a newer one did.
func TestHistory(t *testing.T) {
	for name, test := range map[string]struct {
		harm  []string // SQL
		later []string // steps of later programs
		says  string   // "" if it is served
	}{
		"as it was made":             {},
		"before hashes were kept":    {harm: asBefore},
		"an older fork":              {harm: append([]string{"DROP TABLE installation"}, asBefore...), says: "another history than this program: its schema version is"},
		"an older fork of a column":  {harm: append([]string{"ALTER TABLE writers DROP COLUMN seen_at"}, asBefore...), says: "it lacks writers.seen_at"},
		"a fork":                     {harm: []string{"UPDATE schema_versions SET hash = 'other' WHERE version = 3"}, says: "schema step 3 was made by another text than this program's 0003_reports.sql"},
		"a step is missing":          {harm: []string{"DELETE FROM schema_versions WHERE version = 2"}, says: "it lacks schema step 2"},
		"one compatible step newer":  {later: []string{expands}},
		"one step newer":             {later: []string{contracts}, says: "use a newer program"},
		"two compatible steps newer": {later: []string{expands, strings.ReplaceAll(expands, "note", "more")}, says: "use a newer program"},
		"a fork one step newer":      {harm: []string{"UPDATE schema_versions SET hash = 'other' WHERE version = 1"}, later: []string{expands}, says: "schema step 1 was made by another text"},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Both(t, func(t *testing.T, o store.Options) {
				_, newest, err := store.MigrationStatus(t.Context(), o)
				if err != nil {
					t.Fatal(err)
				}
				if _, _, err := store.MigrateWith(t.Context(), o, test.later...); err != nil {
					t.Fatal(err)
				}
				if len(test.harm) > 0 {
					alter(t, o, test.harm...)
				}
				at := newest + len(test.later)
				for range 2 { // the first time must not repair it
					from, to, err := store.Migrate(t.Context(), o)
					if test.says != "" {
						if err == nil || !strings.Contains(err.Error(), test.says) {
							t.Errorf("it gives %v, want %q in it", err, test.says)
						}
						continue
					}
					if from != at || to != at || err != nil {
						t.Errorf("it gives %d, %d, %v, want %d", from, to, err, at)
					}
					found(t, storetest.Open(t, o))
				}
			})
		})
	}
}

// TestReleasedMigrations compares the migrations with the checksums of the
// released ones: a store that was created by another text would be refused.
func TestReleasedMigrations(t *testing.T) {
	sums, err := os.ReadFile("migrations/SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(sums)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		text, err := os.ReadFile("migrations/" + name)
		if err != nil || schema.HashOf(string(text)) != sum {
			t.Errorf("%s was released and must stay as it was; write another migration (%v)", name, err)
		}
	}
}

// TestKilledMigration kills a program in the middle of a migration, after steps
// that succeeded. The store must be as before, and the next program complete it.
func TestKilledMigration(t *testing.T) {
	const first = "ALTER TABLE installation ADD COLUMN note text NOT NULL DEFAULT '';"
	// The step that is killed ends on its own on PostgreSQL, whose server
	// notices the death only then. It fails, so that nothing can be committed.
	const endless = `/*sqlite:WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c;*/
		/*postgres:SELECT pg_sleep(1); SELECT 1 / 0;*/`
	if database, dir := os.Getenv("STORE_MIGRATE_DATABASE"), os.Getenv("STORE_MIGRATE_DIR"); database+dir != "" {
		o := store.Options{Database: database, Dir: dir, IDs: ids, Log: slog.New(slog.NewTextHandler(os.Stdout, nil))}
		_, _, err := store.MigrateWith(context.Background(), o, first, endless)
		fmt.Println("the migration ended:", err)
		return
	}
	storetest.Both(t, func(t *testing.T, o store.Options) {
		_, newest, err := store.MigrationStatus(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		child := exec.Command(os.Args[0], "-test.run=^TestKilledMigration$")
		child.Env = append(os.Environ(), "STORE_MIGRATE_DATABASE="+o.Database, "STORE_MIGRATE_DIR="+o.Dir)
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		reached := false
		for lines := bufio.NewScanner(out); !reached && lines.Scan(); {
			reached = strings.Contains(lines.Text(), fmt.Sprintf("%04d_later.sql", newest+2))
		}
		_ = child.Process.Kill() // it may have ended
		_ = child.Wait()         // it was killed
		if !reached {
			t.Fatal("the child never came to the step in which it is killed")
		}
		if from, _, err := store.MigrationStatus(t.Context(), o); from != newest || err != nil {
			t.Errorf("the store has version %d, %v, want %d", from, err, newest)
		}
		if from, to, err := store.MigrateWith(t.Context(), o, first); from != newest || to != newest+1 || err != nil {
			t.Errorf("the next program gives %d, %d, %v", from, to, err)
		}
		found(t, storetest.Open(t, o))
	})
}
