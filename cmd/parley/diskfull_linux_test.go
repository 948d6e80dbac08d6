package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"parley/internal/store"
)

// smallDisk mounts a disk of some bytes. It needs permission to mount.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("no disk of %s can be mounted: %v", size, err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// TestFullDisk makes and restores a backup on a disk without space: the error says so,
// no new file is left, and the old store is intact.
func TestFullDisk(t *testing.T) {
	sameKey(t)
	source := onSQLite(t)
	fillStore(t, source, "new", newMessages)
	file := filepath.Join(t.TempDir(), "new.backup")
	source.command(t, "backup", "--to", file)

	small := smallDisk(t, "300k")
	status, _, errs := source.run2(t, "backup", "--to", filepath.Join(small, "x.backup"))
	if status != exitFailed || !strings.Contains(errs, "no space left") {
		t.Errorf("a backup without room: status %d, %s", status, errs)
	}
	if left, err := os.ReadDir(small); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", names(left), err)
	}

	old := onSQLite(t)
	fillStore(t, old, "old", oldMessages)
	info, err := os.Stat(filepath.Join(old.data, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	tight := &cli{data: smallDisk(t, strconv.FormatInt(info.Size()/1024+1500, 10)+"k"), logLevel: "error"}
	if err := os.CopyFS(tight.data, os.DirFS(old.data)); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := tight.run2(t, "restore", "--from", file, "--replace"); status != exitFailed || !strings.Contains(errs, "create the store in "+tight.data+", which is unchanged: ") || !strings.Contains(errs, "full") && !strings.Contains(errs, "no space left") {
		t.Errorf("a restore without room: status %d, %s", status, errs)
	}
	if got := tight.outcome(t); got != "old" {
		t.Errorf("the store is %s", got)
	}
}
