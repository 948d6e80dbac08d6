package pgtest

import (
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// Command returns a command that runs as the user of the servers, who is another one if
// this process is root. It ends with this process.
func Command(t testing.TB, name string, args ...string) *exec.Cmd {
	t.Helper()
	as, err := unprivileged()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(name, args...)
	cmd.SysProcAttr = diesWithParent(&syscall.SysProcAttr{Credential: as, Setpgid: true})
	return cmd
}

// Programs returns the folder where all of the server's programs are. Without them, the test
// is skipped, or fails with CI=true.
func Programs(t testing.TB) string {
	t.Helper()
	folder, err := binaries()
	missing(t, err)
	initdb, err := filepath.EvalSymlinks(filepath.Join(folder, "initdb")) // the PATH may link to some of them
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(initdb)
}
