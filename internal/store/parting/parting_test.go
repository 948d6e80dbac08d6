package parting_test

import (
	"errors"
	"net"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"parley/internal/store/parting"
)

// TestParting connects as pgx does to a server that never answers.
func TestParting(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	conn, err := parting.Dial(t.Context(), "tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	hangs := time.AfterFunc(10*time.Second, func() { _ = conn.Close() })
	defer hangs.Stop()
	if _, err := conn.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the end of parting is %v, want a deadline", err)
	}
	server := conn.RemoteAddr()
	if other, err := parting.Dial(t.Context(), server.Network(), server.String()); err == nil {
		_ = other.Close()
		t.Error("a request to cancel reaches a server")
	}
	var _ pgconn.DialFunc = parting.Dial
}
