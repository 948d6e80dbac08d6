package pgtest

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// bouncerSettings are the PgBouncer settings of docs/operating.md, plus those
// of a temporary instance. It has fewer server connections than its clients
// need, so they must share them.
const bouncerSettings = `[databases]
* = host=%[1]s user=postgres

[pgbouncer]
pool_mode = transaction
ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout
unix_socket_dir = %[2]s
listen_addr =
listen_port = 6432
auth_type = any
default_pool_size = 4
max_client_conn = 200
logfile = %[2]s/log
pidfile = %[2]s/pid
`

// Bouncer starts a PgBouncer in transaction mode for the cluster and returns
// the URL of a database behind it. It stops when the test ends. If PgBouncer is
// not installed, the test is skipped, or fails with CI=true.
func (c *Cluster) Bouncer(t testing.TB, database string) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program = "/usr/sbin/pgbouncer" // Debian's place, which is not on everybody's PATH
		if _, err := os.Stat(program); errors.Is(err, os.ErrNotExist) {
			if os.Getenv("CI") == "true" {
				t.Fatal("there is no PgBouncer")
			}
			t.Skip("SKIPPED: no PgBouncer. Install it (Debian: apt-get install pgbouncer).")
		}
	}
	dir := filepath.Join(c.dir, "bouncer")
	settings := filepath.Join(dir, "pgbouncer.ini")
	err = errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(settings, fmt.Appendf(nil, bouncerSettings, c.dir, dir), 0o600))
	if err == nil && c.user != nil {
		err = errors.Join(os.Chown(dir, int(c.user.Uid), int(c.user.Gid)), os.Chown(settings, int(c.user.Uid), int(c.user.Gid)))
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, settings)
	cmd.Dir = dir
	cmd.SysProcAttr = diesWithParent(&syscall.SysProcAttr{Credential: c.user})
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it has no state
		_ = cmd.Wait()         // it was killed
	})
	through := "postgres://postgres@/" + database + "?port=6432&host=" + url.QueryEscape(dir)
	for deadline := time.Now().Add(10 * time.Second); ; {
		conn, err := pgx.Connect(t.Context(), through)
		if err == nil {
			_ = conn.Close(t.Context()) // it only had to answer
			return through
		}
		if time.Now().After(deadline) {
			t.Fatalf("PgBouncer does not answer: %v", err)
		}
		time.Sleep(20 * time.Millisecond) // there is no signal to wait for
	}
}
