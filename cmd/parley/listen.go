package main

import (
	"errors"
	"net"
	"os"
)

// An impatientListener accepts connections that end at once when the other side
// did not read in time. Else the system would keep what was not read, megabytes
// for each connection, and try to send it for minutes after its close.
type impatientListener struct{ net.Listener }

// Accept returns the next connection.
func (l impatientListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if tcp, ok := conn.(*net.TCPConn); ok {
		return impatientConn{tcp}, err
	}
	return conn, err
}

type impatientConn struct{ *net.TCPConn }

// Write writes, and after a deadline that passed has the close throw away what
// was not sent.
func (c impatientConn) Write(b []byte) (int, error) {
	n, err := c.TCPConn.Write(b)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		// A connection that is gone already has nothing to throw away.
		_ = c.SetLinger(0)
	}
	return n, err
}
