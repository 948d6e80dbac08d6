package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBusyPort starts a server whose port, or metrics port, is taken: it
// creates no store.
func TestBusyPort(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	busy := taken.Addr().String()
	for _, args := range [][]string{{"--listen", busy}, {"--listen", "127.0.0.1:0", "--metrics-listen", busy}} {
		c := &cli{data: filepath.Join(t.TempDir(), "none")}
		status, stdout, stderr := c.run2(t, append([]string{"serve"}, args...)...)
		if status != 1 || !strings.Contains(stderr, "address already in use") || stdout != "" {
			t.Errorf("serve %v: status %d, want 1; says %q and %q", args, status, stdout, stderr)
		}
		if _, err := os.Stat(c.data); err == nil {
			t.Errorf("serve %v leaves something in %s", args, c.data)
		}
	}
}
