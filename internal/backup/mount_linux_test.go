package backup_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parley/internal/backup"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// mount shows a folder or a file at a path. It needs the right to mount.
func mount(t *testing.T, from, to, kind string, flags uintptr) {
	t.Helper()
	if err := syscall.Mount(from, to, kind, flags, ""); err != nil {
		t.Skipf("nothing can be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(to, 0); err != nil {
			t.Error(err)
		}
	})
}

// TestFilesOnAnotherDisk restores where the folder of files cannot be put aside: the
// restore ends, and the files of both stores are in it.
func TestFilesOnAnotherDisk(t *testing.T) {
	s := newSource(t, "sqlite", rand.New(rand.NewPCG(51, 52)))
	content := s.create(t)
	old := newSource(t, "sqlite", rand.New(rand.NewPCG(53, 54)))
	if err := old.store.Close(); err != nil {
		t.Fatal(err)
	}
	for name, prepare := range map[string]func(t *testing.T, folder string){
		"a disk": func(t *testing.T, folder string) { mount(t, "tmpfs", folder, "tmpfs", 0) },
		"a bind": func(t *testing.T, folder string) { mount(t, t.TempDir(), folder, "", syscall.MS_BIND) },
		"a link": func(t *testing.T, folder string) {
			if err := os.Remove(folder); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(t.TempDir(), folder); err != nil {
				t.Fatal(err)
			}
		},
		"the same disk": func(*testing.T, string) {},
	} {
		t.Run(name, func(t *testing.T) {
			o := storetest.Copy(t, old.options)
			folder := filepath.Join(o.Dir, backup.AttachmentsName)
			if err := os.Mkdir(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			prepare(t, folder)
			write(t, filepath.Join(folder, "of the old store"), "x")
			to := target(o, nil)
			to.Replace = true
			done, err := backup.Restore(t.Context(), opening(content), nil, to)
			if err != nil {
				t.Fatal(err)
			}
			shared := name != "the same disk"
			if _, err := os.Stat(filepath.Join(folder, "of the old store")); done.FilesShared != shared || (err == nil) != shared {
				t.Errorf("shared is %t, the old file: %v", done.FilesShared, err)
			}
			found, err := filepath.Glob(filepath.Join(folder, "*", "*", "*"))
			if err != nil || len(found) != len(s.files.files) {
				t.Errorf("%d files came, %v, want %d", len(found), err, len(s.files.files))
			}
			if got := dump(t, storetest.Open(t, o)); len(got["workspaces"]) != rowsOfEach {
				t.Errorf("the store has %d workspaces", len(got["workspaces"]))
			}
		})
	}
}

// TestMountedStore restores where the store's own file cannot be put aside: the
// restore is refused before it begins, and the store is the old one.
func TestMountedStore(t *testing.T) {
	content := newSource(t, "sqlite", rand.New(rand.NewPCG(55, 56))).create(t)
	old := newSource(t, "sqlite", rand.New(rand.NewPCG(57, 58)))
	before := dump(t, old.store)
	if err := old.store.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(old.options.Dir, store.FileName)
	mount(t, path, path, "", syscall.MS_BIND)
	to := target(old.options, newMemory())
	to.Replace = true
	if _, err := backup.Restore(t.Context(), opening(content), nil, to); err == nil || !strings.Contains(err.Error(), "is a mount point") {
		t.Errorf("the restore ends with %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(old.options.Dir, "*restore*")); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	s := storetest.Open(t, old.options)
	compare(t, dump(t, s), before)
	if err := s.Close(); err != nil { // before the file is unmounted
		t.Fatal(err)
	}
}
