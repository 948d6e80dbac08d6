package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestOneServerPerFolder starts a second server next to the first. On one data
// folder it reports who serves it and ends, commands work, and a killed server
// leaves nothing that stops the next one. On a shared database both serve.
func TestOneServerPerFolder(t *testing.T) {
	each(t, func(t *testing.T, c *cli) {
		first := serveAlone(t, c, "--log-level=error")
		if c.database != "" {
			serveAlone(t, c, "--log-level=error")
			return
		}
		said := refused(t, c, "serve", "--listen="+freeAddress(t))
		if want := fmt.Sprintf("%s is served by process %d already", c.data, first.cmd.Process.Pid); !strings.Contains(said, want) {
			t.Errorf("the second server says %q, want %q in it", said, want)
		}
		if strings.Contains(said, "Password") {
			t.Errorf("the second server founded a workspace: %s", said)
		}
		c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")
		c.command(t, "migrate")
		res, err := http.Get("http://" + first.address + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != http.StatusOK {
			t.Errorf("the first server is not ready any more: %d", res.StatusCode)
		}
		first.kill()
		second := serveAlone(t, c, "--log-level=error")
		second.stop()
		serveAlone(t, c, "--log-level=error")
	})
}
