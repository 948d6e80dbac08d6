package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"parley/internal/publicapi"
	"parley/internal/store/storetest"
)

// A keptConn is a bare connection that is reused: unlike http.Transport, it
// does not hide lost requests.
type keptConn struct {
	conn net.Conn
	in   *bufio.Reader
	key  string
}

func (n *node) dial(key string) *keptConn {
	n.t.Helper()
	conn, err := net.Dial("tcp", n.address)
	if err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(func() { _ = conn.Close() })
	return &keptConn{conn, bufio.NewReader(conn), key}
}

// ask sends a request, whose answer must have a status, and reports whether the
// answer closes the connection.
func (c *keptConn) ask(line, header, body string, status int) (last bool, err error) {
	if err := c.conn.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		return false, err
	}
	_, err = fmt.Fprintf(c.conn, "%s HTTP/1.1\r\nHost: parley.example\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n%s",
		line, c.key, len(body), header, body)
	if err != nil {
		return false, err
	}
	res, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return false, err
	}
	if res.StatusCode != status {
		return false, fmt.Errorf("%s: status %d, want %d", line, res.StatusCode, status)
	}
	if strings.Contains(header, "event-stream") {
		return false, nil
	}
	_, err = io.Copy(io.Discard, res.Body)
	return res.Close, err
}

// write posts contacts until an answer closes the connection.
func (c *keptConn) write() error {
	for {
		last, err := c.ask("POST /v1/public/contacts", "", `{"name":"Ada"}`, http.StatusCreated)
		if last || err != nil {
			return err
		}
	}
}

// TestStopsUnderLoad stops the program while clients write over reused
// connections. Every request is answered, until an answer says that it is the
// last one of its connection.
func TestStopsUnderLoad(t *testing.T) {
	for name, flags := range map[string][]string{
		"at once":      {"--log-level=error"},
		"after a wait": {"--log-level=error", "--drain-wait=2s"},
	} {
		t.Run(name, func(t *testing.T) {
			c := &cli{data: t.TempDir(), logLevel: "error"}
			key := c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")["apiKey"].(string)
			n := serveAlone(t, c, flags...)
			idle, stream := n.dial(key), n.dial(key)
			if _, err := idle.ask("GET /v1/public/contacts", "", "", http.StatusOK); err != nil {
				t.Fatal(err)
			}
			if _, err := stream.ask("GET /v1/public/events", "Accept: text/event-stream\r\n", "", http.StatusOK); err != nil {
				t.Fatal(err)
			}
			errs := make(chan error, 8)
			var clients sync.WaitGroup
			for range cap(errs) {
				one := n.dial(key)
				if _, err := one.ask("POST /v1/public/contacts", "", `{"name":"Ada"}`, http.StatusCreated); err != nil {
					t.Fatal(err)
				}
				clients.Go(func() { errs <- one.write() })
			}
			if len(flags) > 1 {
				n.drained(idle)
			} else if err := n.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			clients.Wait()
			for range cap(errs) {
				if err := <-errs; err != nil {
					t.Errorf("a client that keeps its connection: %v", err)
				}
			}
			if err := n.cmd.Wait(); err != nil {
				t.Errorf("the process did not end well: %v", err)
			}
			if _, err := io.Copy(io.Discard, stream.in); err != nil {
				t.Errorf("the stream ends with %v", err)
			}
		})
	}
}

// drained tells the process to stop and checks that it continues to serve idle
// and new connections meanwhile.
func (n *node) drained(idle *keptConn) {
	n.t.Helper()
	if err := n.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		n.t.Fatal(err)
	}
	n.until("/readyz", http.StatusServiceUnavailable, "the server stops")
	for name, c := range map[string]*keptConn{"an idle": idle, "a new": n.dial(idle.key)} {
		if last, err := c.ask("GET /v1/public/contacts", "", "", http.StatusOK); !last || err != nil {
			n.t.Errorf("%s connection while the server waits: %v, its last answer: %t", name, err, last)
		}
	}
}

// TestShutdownTimeout stops a server whose request never ends.
func TestShutdownTimeout(t *testing.T) {
	c := &cli{data: t.TempDir(), logLevel: "error"}
	p, err := c.newProgram(t.Context(), programOptions{
		log: storetest.Quiet(), clock: time.Now, sunset: publicapi.StoresSunset(), retention: 7 * 24 * time.Hour,
		stop: stopTimes{timeout: time.Millisecond},
	})
	if err != nil {
		t.Fatal(err)
	}
	begun := make(chan struct{})
	p.handler = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(begun)
		<-r.Context().Done()
	})
	address, stop, ended := serving(t, p)
	answer := make(chan error, 1)
	go func() {
		res, err := http.Get(address)
		if err == nil {
			err = res.Body.Close()
		}
		answer <- err
	}()
	<-begun
	stop()
	if err := <-ended; !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("serve ends with %v, though it cut a request", err)
	}
	if err := <-answer; err == nil {
		t.Error("the request was answered")
	}
	if err := p.app.close(); err != nil {
		t.Error(err)
	}
}
