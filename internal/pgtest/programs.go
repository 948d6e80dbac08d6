package pgtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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

// ForgetMemory removes the shared memory that a killed server has left behind, by the lock
// file in the folder of its data. The system has room for 4096 such pieces.
func ForgetMemory(data string) {
	text, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	if err != nil {
		return // it never ran
	}
	lines := strings.Split(string(text), "\n")
	if len(lines) < 7 {
		return // it was killed before it had any
	}
	if keyAndID := strings.Fields(lines[6]); len(keyAndID) == 2 {
		_ = exec.Command("ipcrm", "-m", keyAndID[1]).Run() // it only tidies up
	}
}
