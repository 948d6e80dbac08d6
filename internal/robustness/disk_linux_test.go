package robustness_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"parley/internal/faultfs"
	"parley/internal/robustness/server"
)

// A diskWorld is a world whose data folder is on a disk that the test can harm.
type diskWorld struct {
	*world

	disk  *faultfs.Disk
	mount *faultfs.Mount
}

// onDisk starts a server of a program over an empty store on a disk of its own. Where
// nothing can be mounted, the test is skipped.
func onDisk(t *testing.T, program string) *diskWorld {
	t.Helper()
	x := &diskWorld{disk: faultfs.New(uint32(os.Getuid()), uint32(os.Getgid()))}
	folder := t.TempDir()
	x.world = &world{Server: server.New(t, folder, ""), t: t}
	x.File = program
	if err := x.show(); err != nil {
		t.Skipf("SKIPPED: this system lets this user mount no disk: %v", err)
	}
	t.Cleanup(func() {
		x.Kill()
		x.hide()
	})
	x.found()
	return x
}

// show mounts the disk.
func (x *diskWorld) show() (err error) {
	x.mount, err = x.disk.Mount(x.Data)
	return err
}

func (x *diskWorld) hide() {
	x.t.Helper()
	if err := x.mount.Unmount(); err != nil {
		x.t.Error(err)
	}
}

// cut cuts the power of disk and server, and gives it back to the disk.
func (x *diskWorld) cut(tear *faultfs.Tear) {
	x.t.Helper()
	after := x.disk.Cut(tear)
	x.Kill()
	x.hide()
	x.disk = after
	if err := x.show(); err != nil {
		x.t.Fatal(err)
	}
}

// copied copies the database off the disk by another process, and returns its file. This
// process serves the disk, so it must not read there.
func (x *diskWorld) copied() string {
	x.t.Helper()
	folder := x.t.TempDir()
	x.shell(`for name in parley.db parley.db-wal; do [ ! -e "$1/$name" ] || cp "$1/$name" "$2/"; done`, x.Data, folder)
	return filepath.Join(folder, "parley.db")
}

// shell lets another process work on the disk.
func (x *diskWorld) shell(script string, args ...string) {
	x.t.Helper()
	if out, err := exec.Command("sh", append([]string{"-c", script, "sh"}, args...)...).CombinedOutput(); err != nil {
		x.t.Fatalf("%s: %v: %s", script, err, out)
	}
}
