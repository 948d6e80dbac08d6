package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"parley/internal/healthcheck"
)

// health runs the health check of a node in a process of its own, with the
// environment that the node has too.
func (n *node) health(env []string, flags ...string) (status int, said string) {
	n.t.Helper()
	cmd := exec.CommandContext(n.t.Context(), os.Args[0], append([]string{"healthcheck"}, flags...)...)
	cmd.Env = append(append(os.Environ(), nodeMain+"=yes"), env...)
	out, _ := cmd.CombinedOutput() // the status is below
	return cmd.ProcessState.ExitCode(), string(out)
}

// TestHealthcheck asks servers with and without TLS, at addresses of every kind,
// and where there is none.
func TestHealthcheck(t *testing.T) {
	folder := t.TempDir()
	first := newCertificate(t, 1)
	made := first.files(t, folder)
	other := newCertificate(t, 2).files(t, t.TempDir())
	n := &node{t: t}
	wants := func(env []string, status int, says string, flags ...string) {
		t.Helper()
		if got, said := n.health(env, flags...); got != status || !strings.Contains(said, says) {
			t.Errorf("%v %v: status %d, says %q, want %d, %q", env, flags, got, said, status, says)
		}
	}
	c := &cli{data: t.TempDir(), logLevel: "error"}
	plain := serveNode(t, c, freePort(t), "--log-level=error") // where a server at 0.0.0.0 is asked
	_, port, _ := strings.Cut(plain.address, ":")
	for _, listen := range []string{plain.address, "0.0.0.0:" + port, ":" + port} {
		wants([]string{"PARLEY_LISTEN=" + listen}, 0, "ok")
		wants(nil, 0, "ok", "--ready", "--listen="+listen)
	}
	wants(nil, 1, "the server does not answer", "--listen="+plain.address, "--tls-cert="+made.cert)
	plain.stop()
	wants(nil, 1, "the server does not answer", "--listen="+plain.address)
	wants(nil, 2, "--listen: must be an address and a port", "--listen=nonsense")

	// A server that drains serves, and is not ready.
	secure := &node{t: t, address: freeAddress(t)}
	secure.args = c.arguments("serve", "--listen="+secure.address, "--tls-cert="+made.cert, "--tls-key="+made.key, "--drain-wait=5s", "--log-level=error")
	secure.env = append(os.Environ(), nodeMain+"=yes")
	secure.begin(os.Stderr)
	t.Cleanup(secure.kill)
	for {
		if status, _ := n.health(nil, "--listen="+secure.address, "--tls-cert="+made.cert); status == 0 {
			break
		}
	}
	joined := filepath.Join(folder, "joined.pem")
	put(t, joined, slices.Concat(first.key, first.cert))
	wants(nil, 0, "ok", "--listen="+secure.address, "--tls-cert="+joined)
	wants(nil, 2, "--tls-cert: must name a file of certificates", "--listen="+secure.address, "--tls-cert="+made.key)
	wants(nil, 1, "it shows another certificate", "--listen="+secure.address, "--tls-cert="+other.cert)
	wants(nil, 1, "the server answers 400", "--listen="+secure.address)
	if err := secure.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for {
		if status, said := n.health(nil, "--ready", "--listen="+secure.address, "--tls-cert="+made.cert); status == 1 {
			if !strings.Contains(said, "the server answers 503") {
				t.Errorf("a draining server: %s", said)
			}
			break
		}
	}
	wants(nil, 0, "ok", "--listen="+secure.address, "--tls-cert="+made.cert)
}

// TestNear needs no name server: an image from scratch knows no localhost.
func TestNear(t *testing.T) {
	for listen, want := range map[string]string{
		":8080": "127.0.0.1:8080", "0.0.0.0:8080": "127.0.0.1:8080", "[::]:8080": "[::1]:8080", "127.0.0.1:8080": "127.0.0.1:8080",
		"[::1]:8080": "[::1]:8080", "10.1.2.3:8080": "10.1.2.3:8080", "desk.internal:8080": "desk.internal:8080",
	} {
		if got := healthcheck.Near(listen); got != want {
			t.Errorf("%s is asked at %s, want %s", listen, got, want)
		}
	}
}
