package parley_test

import (
	"encoding/json"
	"os"
	"testing"

	"parley"
)

// TestAliasGolden compares aliases with the table that the pages are tested with too.
func TestAliasGolden(t *testing.T) {
	const path = "web/shared/alias.golden.json"
	type row struct{ ID, Name, Color string }
	var got []row
	for i := range byte(24) {
		id := parley.ID{1, i, i * i, 7: 0x70, 8: 0x80, 15: 3 * i}
		alias := parley.AliasOf(id)
		got = append(got, row{id.String(), alias.Name, alias.Color})
	}
	if *update {
		text, err := json.MarshalIndent(got, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(text, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var want []row
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	if len(want) != len(got) {
		t.Fatalf("the table has %d rows, want %d", len(want), len(got))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("alias of %s = %v, want %v", got[i].ID, got[i], want[i])
		}
	}
}
