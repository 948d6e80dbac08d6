package backup

import (
	"slices"
	"testing"

	"parley/internal/store/schema"
)

// TestContents compares the tables of backups of three schema versions with those of
// the store, twice: what a caller does to the first answer is not in the second.
func TestContents(t *testing.T) {
	latest, err := schema.Latest()
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range []int{1, latest - 1, latest} {
		want, err := schema.Tables(version)
		if err != nil {
			t.Fatal(err)
		}
		want = slices.DeleteFunc(want, func(table schema.Table) bool { return slices.Contains(leftOut, table.Name) })
		for range 2 {
			got, err := contents(version)
			if err != nil || !slices.EqualFunc(got, want, func(a, b schema.Table) bool { return a.Equal(&b) }) {
				t.Errorf("version %d: %v, %v, want %v", version, got, err, want)
			}
			clear(got)
		}
	}
	for _, version := range []int{-1, latest + 1} {
		if tables, err := contents(version); err == nil {
			t.Errorf("version %d has the tables %v", version, tables)
		}
	}
}
