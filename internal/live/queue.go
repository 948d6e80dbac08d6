package live

import (
	"errors"
	"net"
	"net/http"
	"sync"
	"time"
)

// queueSize is how many bytes a queue holds for texts that are offered.
const queueSize = 32 << 10

// errQueueClosed is the error of a queue that was closed.
var errQueueClosed = errors.New("the stream was closed")

// A queue is an outlet with a goroutine, which sends what was put into it.
type queue struct {
	send func(text []byte) error // blocks for slowWriteTimeout at most
	shut func()                  // ends the connection, also while send runs

	mu      sync.Mutex
	changed sync.Cond // on mu
	waiting []byte
	sending bool
	err     error // why nothing more is sent
}

func newQueue(send func([]byte) error, shut func()) *queue {
	q := &queue{send: send, shut: shut}
	q.changed.L = &q.mu
	return q
}

// newConnQueue returns a queue in front of a connection under TLS. A write that
// times out would break the connection for good, so offering one with a short
// deadline is no way.
func newConnQueue(conn net.Conn) *queue {
	s := newSocket(conn)
	return newQueue(s.write, s.close)
}

// newResponseQueue returns a queue in front of a response of HTTP/2. Its run must
// be called before the handlers end, because the response ends with them.
func newResponseQueue(w http.ResponseWriter) *queue {
	controller := http.NewResponseController(w)
	return newQueue(func(text []byte) error {
		// A deadline that passes between two writes would reset the stream, so it
		// is removed after each.
		err := controller.SetWriteDeadline(time.Now().Add(slowWriteTimeout))
		if err == nil {
			_, err = w.Write(text)
		}
		if err == nil {
			err = controller.Flush()
		}
		if err == nil {
			err = controller.SetWriteDeadline(time.Time{})
		}
		return err
	}, func() {})
}

// run sends until the queue is closed or sending fails.
func (q *queue) run() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		for len(q.waiting) == 0 && q.err == nil {
			q.changed.Wait()
		}
		if q.err != nil {
			return
		}
		text := q.waiting
		q.waiting, q.sending = nil, true
		q.mu.Unlock()
		err := q.send(text)
		q.mu.Lock()
		q.sending = false
		if err != nil && q.err == nil {
			q.err = err
			q.shut()
		}
		q.changed.Broadcast()
	}
}

// offer takes a text, or nothing if too much waits already.
func (q *queue) offer(text []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err != nil || len(q.waiting)+len(text) > queueSize {
		return 0, q.err
	}
	q.waiting = append(q.waiting, text...)
	q.changed.Broadcast()
	return len(text), nil
}

// write returns when the text was sent.
func (q *queue) write(text []byte) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, text...)
	q.changed.Broadcast()
	for (len(q.waiting) > 0 || q.sending) && q.err == nil {
		q.changed.Wait()
	}
	return q.err
}

func (q *queue) peerClosed() bool { return false } // a write will find out

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err == nil {
		q.err = errQueueClosed
		q.shut()
		q.changed.Broadcast()
	}
}
