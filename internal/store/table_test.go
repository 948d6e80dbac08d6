package store_test

import (
	"slices"
	"testing"

	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestTables compares the tables of every schema version with what the next one
// adds: no table is lost, and each stands behind those that it refers to.
func TestTables(t *testing.T) {
	latest, err := store.SchemaVersion()
	if err != nil {
		t.Fatal(err)
	}
	for version := range latest + 1 {
		tables, err := store.Tables(version)
		if err != nil {
			t.Fatal(err)
		}
		names := make([]string, len(tables))
		for i, table := range tables {
			names[i] = table.Name
		}
		if version == 0 {
			if len(names) != 0 {
				t.Errorf("an empty store has the tables %v", names)
			}
			continue
		}
		for _, pair := range [][2]string{{"workspaces", "members"}, {"contacts", "conversations"}, {"conversations", "messages"}, {"messages", "deliveries"}} {
			if parent, child := slices.Index(names, pair[0]), slices.Index(names, pair[1]); parent < 0 || child < parent {
				t.Errorf("version %d: %s stands at %d and %s at %d", version, pair[0], parent, pair[1], child)
			}
		}
		for _, name := range names {
			if name == "search_words" || name == "schema_versions" {
				t.Errorf("version %d has the table %s", version, name)
			}
		}
	}
	if _, err := store.Tables(latest + 1); err == nil {
		t.Error("tables of a version to come are known")
	}
}

// TestDumpHasNoLimitOfTime looks at the limits of the database inside a dump, whose
// reader may be as slow as a bucket.
func TestDumpHasNoLimitOfTime(t *testing.T) {
	o := storetest.Postgres(t)
	if _, _, err := store.Migrate(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	err := storetest.Open(t, o).Dump(t.Context(), func(d *store.Dump) error {
		for _, limit := range []string{"statement_timeout", "idle_in_transaction_session_timeout", "transaction_timeout"} {
			got, err := d.Text("SELECT coalesce(current_setting('" + limit + "', true), '0')")
			if err != nil {
				return err
			}
			if got != "0" {
				t.Errorf("%s is %s", limit, got)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
