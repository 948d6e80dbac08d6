package main

import (
	"errors"
	"net"
	"os"
)

// listeners are what the server accepts connections on. They are bound before
// the store is opened: a server whose port is taken makes none.
type listeners struct {
	main    net.Listener
	metrics net.Listener // nil without --metrics-listen
}

// listen binds an address, and one for the metrics unless that is "".
func listen(address, metrics string) (l listeners, err error) {
	if l.main, err = net.Listen("tcp", address); err != nil || metrics == "" {
		return l, err
	}
	if l.metrics, err = net.Listen("tcp", metrics); err != nil {
		return listeners{}, errors.Join(err, l.main.Close())
	}
	return l, nil
}

// close frees what no server has closed.
func (l listeners) close() {
	_ = l.main.Close() // the server that ended has closed it already
	if l.metrics != nil {
		_ = l.metrics.Close()
	}
}

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
