// Package outwardtest simulates what a server can connect to: a name server
// with changing answers, and two servers on one port, of which one must never
// be reached. It is only for tests.
package outwardtest

import (
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"sync/atomic"
	"testing"

	"parley/internal/outward"
)

// Servers are two servers on one port: one that is allowed, and one that
// represents the internal network, with a count of its connections.
type Servers struct {
	URL      string // with a name in the certificate of the allowed server
	Allowed  netip.Addr
	Internal netip.Addr
	Inside   atomic.Int64
	Options  outward.Options // which allow that server; the resolver is not set yet
}

// NewServers returns Servers whose allowed server uses a handler. The internal one
// answers "inside".
func NewServers(t *testing.T, allowed http.HandlerFunc) *Servers {
	t.Helper()
	w := &Servers{Allowed: netip.MustParseAddr("127.0.0.2"), Internal: netip.MustParseAddr("127.0.0.1")}
	outside, inside := w.listenTwice(t)
	inner := httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write([]byte("inside")) }))
	inner.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			w.Inside.Add(1)
		}
	}
	_ = inner.Listener.Close() // the one that httptest chose
	inner.Listener = inside
	inner.StartTLS()
	t.Cleanup(inner.Close)
	outer := httptest.NewUnstartedServer(allowed)
	_ = outer.Listener.Close()
	outer.Listener = outside
	outer.Config.ErrorLog = log.New(io.Discard, "", 0) // of handshakes that should fail
	outer.StartTLS()
	t.Cleanup(outer.Close)
	trust := outer.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	_, port, err := net.SplitHostPort(outside.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	w.URL = "https://example.com:" + port
	w.Options = outward.Options{Allowed: outward.Networks{netip.PrefixFrom(w.Allowed, 32)}, TLS: &tls.Config{RootCAs: trust}}
	return w
}

// listenTwice returns listeners on one port of both addresses. A port that is
// free on the one may be in use on the other, so it tries a few.
func (w *Servers) listenTwice(t *testing.T) (outside, inside net.Listener) {
	t.Helper()
	var err error
	for range 20 {
		if outside, err = net.Listen("tcp", netip.AddrPortFrom(w.Allowed, 0).String()); err != nil && os.Getenv("CI") != "true" {
			t.Skipf("SKIPPED: this machine needs the address %s (macOS: sudo ifconfig lo0 alias %[1]s): %v", w.Allowed, err)
		} else if err != nil {
			t.Fatal(err)
		}
		port := outside.Addr().(*net.TCPAddr).AddrPort().Port()
		if inside, err = net.Listen("tcp", netip.AddrPortFrom(w.Internal, port).String()); err == nil {
			return outside, inside
		}
		_ = outside.Close()
	}
	t.Fatal(err)
	return nil, nil
}

// Named returns the options of the servers with a name that resolves to addresses: each
// query gets the next answer, and the last one repeats.
func (w *Servers) Named(t *testing.T, answers ...[]netip.Addr) outward.Options {
	t.Helper()
	o := w.Options
	o.Resolver = NewNames(t, answers...).Resolver
	return o
}
