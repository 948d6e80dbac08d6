package store_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestCopyOnFullDisk migrates a store on a disk without space for a copy: nothing
// changes, and the error says what to do. The test needs permission to mount.
func TestCopyOnFullDisk(t *testing.T) {
	from := storetest.MigratedSQLite(t)
	content, err := os.ReadFile(filepath.Join(from.Dir, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	o := from
	o.Dir, o.Copies = t.TempDir(), 2
	size := strconv.Itoa(len(content)/1024*3/2) + "k"
	if err := syscall.Mount("tmpfs", o.Dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("no disk of %s can be mounted: %v", size, err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(o.Dir, 0); err != nil {
			t.Error(err)
		}
	})
	if err := os.WriteFile(filepath.Join(o.Dir, store.FileName), content, 0o600); err != nil {
		t.Fatal(err)
	}
	before, _, err := store.MigrationStatus(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = store.MigrateWith(t.Context(), o, newerStep("1"))
	if err == nil || !strings.Contains(err.Error(), "the disk is full") || !strings.Contains(err.Error(), "--migration-copies=0") {
		t.Errorf("without room: %v", err)
	}
	if got := copies(t, o); len(got) > 0 {
		t.Errorf("half a copy is left: %v", got)
	}
	if after, _, err := store.MigrationStatus(t.Context(), o); after != before || err != nil {
		t.Errorf("the schema is %d, %v, want %d", after, err, before)
	}
	o.Copies = 0
	if _, after, err := store.MigrateWith(t.Context(), o, newerStep("1")); after != before+1 || err != nil {
		t.Errorf("without a copy: %d, %v", after, err)
	}
}
