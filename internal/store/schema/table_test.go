package schema_test

import (
	"slices"
	"testing"

	"parley/internal/store/schema"
)

// TestTables compares the tables of each schema version with those of the next: no
// table is lost, and each comes after those that it refers to.
func TestTables(t *testing.T) {
	latest, err := schema.Latest()
	if err != nil {
		t.Fatal(err)
	}
	for version := range latest + 1 {
		tables, err := schema.Tables(version)
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
	if _, err := schema.Tables(latest + 1); err == nil {
		t.Error("tables of a future version are known")
	}
}
