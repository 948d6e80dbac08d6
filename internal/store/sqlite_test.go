package store_test

import (
	"fmt"
	"testing"

	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestSQLiteVersion asks the library itself: it must be the one that version
// tells of, and not one that can corrupt the file.
func TestSQLiteVersion(t *testing.T) {
	o := storetest.SQLite(t)
	if _, _, err := store.Migrate(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	var got string
	view(t, storetest.Open(t, o), func(v *store.View) (err error) {
		got, err = v.Text("SELECT sqlite_version()")
		return err
	})
	var major, minor, patch int
	if _, err := fmt.Sscanf(got, "%d.%d.%d", &major, &minor, &patch); err != nil {
		t.Fatalf("SQLite calls itself %q: %v", got, err)
	}
	if major*1_000_000+minor*1_000+patch < 3_051_003 {
		t.Errorf("SQLite is %s, want 3.51.3 or newer", got)
	}
	if got != store.SQLiteVersion {
		t.Errorf("SQLite is %s, and the program says %s", got, store.SQLiteVersion)
	}
}
