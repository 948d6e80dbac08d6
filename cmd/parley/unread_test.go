package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/dashboard"
	"parley/internal/httpjson"
	"parley/internal/publicapi"
	"parley/internal/store/storetest"
	"parley/internal/widget"
)

// A pipeListener hands out connections that buffer nothing, and counts those
// that the server has not closed.
type pipeListener struct {
	accepted chan net.Conn
	done     chan struct{}
	once     sync.Once
	open     sync.WaitGroup
}

func newPipeListener() *pipeListener {
	return &pipeListener{accepted: make(chan net.Conn), done: make(chan struct{})}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.accepted:
		return conn, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.UnixAddr{} }

func (l *pipeListener) dial() net.Conn {
	near, far := net.Pipe()
	l.open.Add(1)
	l.accepted <- &countedConn{Conn: far, closed: sync.OnceFunc(l.open.Done)}
	return near
}

type countedConn struct {
	net.Conn
	closed func()
}

func (c *countedConn) Close() error {
	defer c.closed()
	return c.Conn.Close()
}

// routesOfProgram returns a method and an address of every kind of route.
func routesOfProgram() []string {
	all := []string{
		"GET /", "GET /inbox", "GET /index.html", "GET /healthz", "GET /readyz", "GET /docs", "GET /docs/assets/swagger-ui-bundle.js",
		"GET /docs/unknown", "GET /widget.js", "GET /widget/frame?inbox=unknown", "GET /shop", "GET /shop/unknown", "GET /phone", "GET /phone/state",
		"POST /phone/scan", "GET /v1/files/00000000-0000-7000-8000-000000000000/a.txt", "GET /unknown", "GET //",
	}
	for _, route := range publicapi.Routes() {
		all = append(all, route.Method+" "+route.Path)
	}
	for _, route := range dashboard.Routes() {
		all = append(all, route.Method+" "+route.Path)
	}
	for _, route := range widget.Routes() {
		all = append(all, route.Method+" "+route.Path)
	}
	for i := range all {
		for _, name := range []string{"id", "phone", "store_id", "user_id", "jid"} {
			all[i] = strings.ReplaceAll(all[i], "{"+name+"}", "00000000-0000-7000-8000-000000000001")
		}
	}
	return all
}

// TestNobodyReads requests everything and reads no answer. What the server
// holds for it is released without any action of the client.
func TestNobodyReads(t *testing.T) {
	c := &cli{data: t.TempDir(), logLevel: "error"}
	p, err := c.newProgram(t.Context(), programOptions{
		log: storetest.Quiet(), clock: time.Now, sunset: publicapi.StoresSunset(), retention: 7 * 24 * time.Hour, demo: true, simulation: simulated,
		writing: httpjson.WriteTimes{Piece: 100 * time.Millisecond, Answer: 100 * time.Millisecond},
	})
	if err != nil {
		t.Fatal(err)
	}
	founded, err := p.app.access.CreateWorkspace(t.Context(), "Acme", "ann@acme.example")
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	handler := p.handler
	p.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		running.Add(1)
		defer running.Done()
		handler.ServeHTTP(w, r)
	})
	listener, metrics := newPipeListener(), newPipeListener()
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- p.serve(ctx, listener, metrics) }()
	ask := func(l *pipeListener, line, header string) {
		conn := l.dial()
		method, target, _ := strings.Cut(line, " ")
		_, err := fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: parley.example\r\nContent-Length: 0\r\n%s\r\n", method, target, header)
		if err != nil {
			t.Errorf("%s: %v", line, err)
		}
		t.Cleanup(func() { _ = conn.Close() })
	}
	key := "Authorization: Bearer " + string(founded.Secret) + "\r\n"
	for _, line := range routesOfProgram() {
		ask(listener, line, "")
		if strings.HasPrefix(line, "GET /v1/public") {
			ask(listener, line, key)
		}
	}
	ask(listener, "GET /v1/public/events", key+"Accept: text/event-stream\r\n")
	ask(metrics, "GET /metrics", "")
	ended := func(what string, waits ...*sync.WaitGroup) {
		t.Helper()
		done := make(chan struct{})
		go func() {
			for _, wait := range waits {
				wait.Wait()
			}
			close(done)
		}()
		select {
		case <-done:
		case <-time.After(time.Minute):
			t.Errorf("answers that nobody reads: %s", what)
		}
	}
	ended("connections stay open", &listener.open, &metrics.open)
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
	ended("handlers run on", &running)
	if err := p.app.close(); err != nil {
		t.Error(err)
	}
}

// TestNobodyReadsFromTheNetwork requests a large file many times concurrently.
// The connections end, with what the system buffered for them.
func TestNobodyReadsFromTheNetwork(t *testing.T) {
	h := httpjson.Envelope{
		Timeout: time.Minute, Writing: httpjson.WriteTimes{Piece: 100 * time.Millisecond},
	}.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 32<<20)) }))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := newServer(h, storetest.Quiet())
	gone := make(chan struct{})
	server.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			close(gone)
		}
	}
	go func() { _ = server.Serve(impatientListener{listener}) }()
	defer func() { _ = server.Close() }()
	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	<-gone
	// A reset, which discards unsent data, rather than an orderly close.
	if _, err := io.Copy(io.Discard, conn); err == nil {
		t.Error("the connection ends as if all were sent")
	}
}
