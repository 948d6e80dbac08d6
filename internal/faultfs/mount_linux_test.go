package faultfs

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestMount lets another process use a disk: a shell, because this one must not.
func TestMount(t *testing.T) {
	folder := t.TempDir()
	disk := New(uint32(os.Getuid()), uint32(os.Getgid()))
	mount := func(d *Disk) *Mount {
		t.Helper()
		m, err := d.Mount(folder)
		if err != nil {
			t.Skipf("SKIPPED: this user can mount nothing here: %v", err)
		}
		return m
	}
	shell := func(script, want string) {
		t.Helper()
		out, err := exec.Command("sh", "-c", "cd "+folder+" && "+script).CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil && want == "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, %v, want %q", script, got, err, want)
		}
	}
	m := mount(disk)
	shell("mkdir a && echo kept > a/f && sync a/f a . && echo lost >> a/f && echo lost > a/g && ln a/f a/h && mv a/g a/i && ls a", "f\nh\ni")
	shell("cat a/f a/i", "kept\nlost\nlost")
	shell("rm a/i && rmdir a", "not empty")
	shell("chmod 600 a/f && stat -c %a a/f", "600")
	disk.SetCapacity(disk.Used() + 100)
	shell("head -c 10000 /dev/zero > a/z", "No space left")
	shell("df --output=size -B1 . | tail -n 1", "0")
	after := disk.Cut(nil)
	shell("echo late > a/f", "error")
	if err := m.Unmount(); err != nil {
		t.Fatal(err)
	}
	m = mount(after)
	shell("ls -R . && cat a/f", "./a:\nf\nkept")
	if err := m.Unmount(); err != nil {
		t.Fatal(err)
	}
}
