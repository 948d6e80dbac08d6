package chatsim

import (
	"context"
	"net"
	"net/http"
)

// clientFor returns a client that connects every request to dial, whatever its
// address. Connections that claim to be TLS are not encrypted, so the fake
// needs no certificates for the network's names, and no request can reach the
// real network.
func clientFor(dial func(context.Context) (net.Conn, error)) *http.Client {
	to := func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) }
	return &http.Client{Transport: &http.Transport{DialContext: to, DialTLSContext: to}}
}

// pipes is an in-process listener.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
}

func newPipes() *pipes {
	return &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
}

func (p *pipes) dial(ctx context.Context) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.conns <- far:
		return near, nil
	case <-p.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements net.Listener.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener. The HTTP server calls it once.
func (p *pipes) Close() error {
	close(p.done)
	return nil
}

// Addr implements net.Listener.
func (p *pipes) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "chatsim" }
