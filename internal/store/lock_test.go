package store_test

import (
	"strings"
	"testing"

	"parley/internal/store"
	"parley/internal/store/datafolder"
	"parley/internal/store/storetest"
)

// TestLock takes the lock of a folder twice, and changes the schema of a
// store that is being served.
func TestLock(t *testing.T) {
	o := storetest.SQLite(t)
	lock, err := datafolder.Take(o.Dir)
	if err != nil {
		t.Fatal(err)
	}
	served := func(err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), "is served by") {
			t.Errorf("beside a server: %v", err)
		}
	}
	_, err = datafolder.Take(o.Dir)
	served(err)
	_, _, err = store.Migrate(t.Context(), o)
	served(err)
	serving := o
	serving.Lock = lock
	if _, _, err := store.Migrate(t.Context(), serving); err != nil {
		t.Errorf("the server itself: %v", err)
	}
	if _, _, err := store.Migrate(t.Context(), o); err != nil {
		t.Errorf("a command that has nothing to change: %v", err)
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := datafolder.Take(o.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}
