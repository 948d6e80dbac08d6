package main

import (
	"errors"
	"net"
	"os"
)

// listeners accept the server's connections. They are bound before the store is
// opened, so that a server whose port is taken creates no store.
type listeners struct {
	main    net.Listener
	metrics net.Listener // nil without --metrics-listen
}

// listen binds an address, and one for the metrics unless it is "".
func listen(address, metrics string) (l listeners, err error) {
	if l.main, err = net.Listen("tcp", address); err != nil || metrics == "" {
		return l, err
	}
	if l.metrics, err = net.Listen("tcp", metrics); err != nil {
		return listeners{}, errors.Join(err, l.main.Close())
	}
	return l, nil
}

// close closes the listeners that no server has closed.
func (l listeners) close() {
	_ = l.main.Close() // the server that ended has already closed it
	if l.metrics != nil {
		_ = l.metrics.Close()
	}
}

// An impatientListener accepts connections that are reset on close if the peer
// did not read in time. Otherwise the system would keep the unread data,
// megabytes per connection, and try to send it for minutes after the close.
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

// Write writes. After a deadline that passed, it makes the close discard unsent
// data.
func (c impatientConn) Write(b []byte) (int, error) {
	n, err := c.TCPConn.Write(b)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		// A connection that is gone has nothing to discard.
		_ = c.SetLinger(0)
	}
	return n, err
}
