package httpjson_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley"
	"parley/internal/httpjson"
)

// A pipes is a listener whose connections buffer nothing.
type pipes struct {
	accepted chan net.Conn
	done     chan struct{}
}

func newPipes() pipes { return pipes{accepted: make(chan net.Conn), done: make(chan struct{})} }

func (p pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.accepted:
		return conn, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error   { close(p.done); return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{} }

func (p pipes) dial() net.Conn {
	near, far := net.Pipe()
	p.accepted <- far
	return near
}

// served runs a test against a server with one handler, in which each request
// may take a minute.
func served(t *testing.T, h http.HandlerFunc, test func(t *testing.T, dial func() net.Conn, returned <-chan time.Time)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		returned := make(chan time.Time, 10)
		envelope := httpjson.Envelope{IDs: parley.NewIDs(nil), Timeout: time.Minute}
		server := &http.Server{Handler: envelope.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h(w, r)
			returned <- time.Now()
		}))}
		listener := newPipes()
		go func() { _ = server.Serve(listener) }()
		test(t, listener.dial, returned)
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
}

func ask(t *testing.T, conn net.Conn, headers ...string) *bufio.Reader {
	t.Helper()
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n"+strings.Join(headers, "")+"\r\n"); err != nil {
		t.Fatal(err)
	}
	return bufio.NewReader(conn)
}

var large = make([]byte, 1<<20)

func TestAnAnswerThatNobodyReads(t *testing.T) {
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		took   time.Duration // of the handler
	}{
		"large": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(large) }, 15 * time.Second},
		"in parts": {func(w http.ResponseWriter, _ *http.Request) {
			for err := error(nil); err == nil; {
				_, err = w.Write(large[:1000])
			}
		}, 15 * time.Second},
		"small": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(large[:10]) }, 0},
		"empty": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }, 0},
		"late": {func(w http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			_, _ = w.Write(large)
		}, 75 * time.Second},
		"of a file": {func(w http.ResponseWriter, _ *http.Request) {
			_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(10 * time.Minute))
			_, _ = w.Write(large)
		}, 15 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			served(t, test.answer, func(t *testing.T, dial func() net.Conn, returned <-chan time.Time) {
				began, conn := time.Now(), dial()
				ask(t, conn)
				if took := (<-returned).Sub(began); took != test.took {
					t.Errorf("the handler returned after %s, want %s", took, test.took)
				}
				// Whatever it is, the server waits no longer than the whole may take.
				time.Sleep(75*time.Second + time.Millisecond - time.Since(began))
				if n, err := io.Copy(io.Discard, conn); n != 0 || err != nil {
					t.Errorf("there are %d bytes more (%v), want the end of the connection", n, err)
				}
			})
		})
	}
}

// TestASlowReader reads as slowly as is allowed, and gets everything that fits
// into the time for the whole.
func TestASlowReader(t *testing.T) {
	for name, test := range map[string]struct {
		more time.Duration // for the whole, as a handler gives it
		all  bool
	}{"of an answer": {0, false}, "of a file": {10 * time.Minute, true}} {
		t.Run(name, func(t *testing.T) {
			served(t, func(w http.ResponseWriter, _ *http.Request) {
				if test.more > 0 {
					_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(test.more))
				}
				_, _ = w.Write(large)
			}, func(t *testing.T, dial func() net.Conn, _ <-chan time.Time) {
				conn := dial()
				ask(t, conn, "Connection: close\r\n")
				read, piece := 0, make([]byte, 65<<10) // with what is around it
				for {
					time.Sleep(14 * time.Second)
					n, err := io.ReadFull(conn, piece)
					if read += n; err != nil {
						break
					}
				}
				if all := read >= len(large); all != test.all || read < 4*len(piece) {
					t.Errorf("%d bytes of %d were read", read, len(large))
				}
				_ = conn.Close()
			})
		})
	}
}

// TestAConnectionThatIsKept sends a request long after the deadlines of the
// first answer.
func TestAConnectionThatIsKept(t *testing.T) {
	served(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(large) },
		func(t *testing.T, dial func() net.Conn, _ <-chan time.Time) {
			conn := dial()
			for range 3 {
				answer, err := http.ReadResponse(ask(t, conn), nil)
				if err != nil {
					t.Fatal(err)
				}
				if n, err := io.Copy(io.Discard, answer.Body); err != nil || n != int64(len(large)) {
					t.Errorf("%d bytes were read: %v", n, err)
				}
				time.Sleep(5 * time.Minute)
			}
			_ = conn.Close()
		})
}
