package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"parley/internal/publicapi"
	"parley/internal/store/storetest"
)

// TestRequestsEndBeforeTheWork stops a server during a request: the background
// work, which holds the numbers, must outlive it.
func TestRequestsEndBeforeTheWork(t *testing.T) {
	c := &cli{data: t.TempDir(), logLevel: "error"}
	p, err := c.newProgram(t.Context(), programOptions{
		log: storetest.Quiet(), clock: time.Now, sunset: publicapi.StoresSunset(), retention: 7 * 24 * time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	begun, finish := make(chan struct{}), make(chan struct{})
	p.handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(begun)
		<-finish
		_, _ = io.WriteString(w, "done") // the test reads it, or fails
	})
	work := make(chan context.Context, 1)
	p.runPhones = func(ctx context.Context) { work <- ctx }
	address, stop, ended := serving(t, p)
	answer := make(chan string, 1)
	go func() {
		res, err := http.Get(address)
		if err != nil {
			answer <- err.Error()
			return
		}
		text, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		answer <- string(text)
	}()
	<-begun
	beside := <-work
	stop()
	if beside.Err() != nil {
		t.Error("the work beside the requests ends while one is under way")
	}
	close(finish)
	if got := <-answer; got != "done" {
		t.Errorf("the request that was under way gets %q", got)
	}
	if err := <-ended; err != nil {
		t.Errorf("serve: %v", err)
	}
	if beside.Err() == nil {
		t.Error("the work beside the requests never ends")
	}
	if err := p.app.close(); err != nil {
		t.Error(err)
	}
}

// serving runs a program until stop is called; ended receives its error.
func serving(t *testing.T, p *program) (address string, stop func(), ended <-chan error) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- p.serve(ctx, listener, nil) }()
	return "http://" + listener.Addr().String(), stop, served
}
