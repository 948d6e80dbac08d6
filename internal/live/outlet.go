package live

import (
	"bufio"
	"errors"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"

	"parley"
)

// slowWriteTimeout is how long one write may take while a stream is behind.
const slowWriteTimeout = 15 * time.Second

// An outlet is the connection of a stream. Once close was called, the other
// methods fail.
type outlet interface {
	// offer writes as much of a text as goes out without blocking.
	offer(text []byte) (n int, err error)
	// write writes a whole text and blocks for slowWriteTimeout at most.
	write(text []byte) error
	// peerClosed reports whether the client is known to have closed its end.
	peerClosed() bool
	close()
}

// takeOver takes the connection of a request over from net/http and returns
// what writes the head of the response. A plain connection becomes a socket,
// which has no goroutine. TLS and HTTP/2 have no write that never blocks, so
// they get a queue, whose run the caller must call if there is one.
func takeOver(w http.ResponseWriter, r *http.Request) (out outlet, q *queue, head func() bool, err error) {
	if r.ProtoMajor == 2 {
		q = newResponseQueue(w)
		return q, q, func() bool { return writeResponseHead(w) }, nil
	}
	conn, buffer, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return nil, nil, nil, &parley.Error{Kind: parley.Unavailable, Message: "the event stream needs a connection of HTTP/1.1", Cause: err, RetryAfter: time.Second}
	}
	head = func() bool { return writeHead(conn, buffer.Writer, w.Header()) }
	if r.TLS != nil {
		q = newConnQueue(conn)
		return q, q, head, nil
	}
	return newSocket(conn), nil, head, nil
}

// headTime is how long writing the head of the response may take.
const headTime = 5 * time.Second

// setHead sets the headers of a stream.
func setHead(header http.Header) {
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no") // otherwise nginx buffers events
	header.Set("X-Content-Type-Options", "nosniff")
}

// writeHead writes the head of the response. The body ends with the connection.
func writeHead(conn net.Conn, b *bufio.Writer, header http.Header) bool {
	setHead(header)
	header.Set("Connection", "close")
	header.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	err := conn.SetDeadline(time.Now().Add(headTime))
	if err == nil {
		_, err = b.WriteString("HTTP/1.1 200 OK\r\n")
	}
	if err == nil {
		err = header.Write(b)
	}
	if err == nil {
		_, err = b.WriteString("\r\n")
	}
	if err == nil {
		err = b.Flush()
	}
	if err == nil {
		err = conn.SetDeadline(time.Time{})
	}
	if err != nil {
		_ = conn.Close() // the client has gone
	}
	return err == nil
}

// writeResponseHead is writeHead for HTTP/2.
func writeResponseHead(w http.ResponseWriter) bool {
	setHead(w.Header())
	w.WriteHeader(http.StatusOK)
	return http.NewResponseController(w).Flush() == nil
}

// A socket is a plain connection.
type socket struct {
	conn net.Conn
	raw  syscall.RawConn // nil if the connection has no file descriptor
}

func newSocket(conn net.Conn) *socket {
	s := &socket{conn: conn}
	if system, ok := conn.(syscall.Conn); ok {
		// Without it, writes block briefly.
		s.raw, _ = system.SyscallConn()
	}
	return s
}

func (s *socket) write(text []byte) error {
	err := s.conn.SetWriteDeadline(time.Now().Add(slowWriteTimeout))
	if err == nil {
		_, err = s.conn.Write(text)
	}
	if err == nil {
		err = s.conn.SetWriteDeadline(time.Time{})
	}
	return err
}

func (s *socket) close() { _ = s.conn.Close() } // nothing more to write

// briefWriteTimeout limits a write on systems that have no non-blocking one.
const briefWriteTimeout = 20 * time.Millisecond

func (s *socket) offerBriefly(text []byte) (int, error) {
	if err := s.conn.SetWriteDeadline(time.Now().Add(briefWriteTimeout)); err != nil {
		return 0, err
	}
	n, err := s.conn.Write(text)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = nil
	}
	return n, errors.Join(err, s.conn.SetWriteDeadline(time.Time{}))
}
