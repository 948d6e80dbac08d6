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
	outside := listen(t, w.Allowed.String()+":0")
	_, port, err := net.SplitHostPort(outside.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	inner := httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write([]byte("inside")) }))
	inner.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			w.Inside.Add(1)
		}
	}
	inner.Listener = listen(t, w.Internal.String()+":"+port)
	inner.StartTLS()
	t.Cleanup(inner.Close)
	outer := httptest.NewUnstartedServer(allowed)
	outer.Listener = outside
	outer.Config.ErrorLog = log.New(io.Discard, "", 0) // of handshakes that should fail
	outer.StartTLS()
	t.Cleanup(outer.Close)
	trust := outer.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	w.URL = "https://example.com:" + port
	w.Options = outward.Options{Allowed: outward.Networks{netip.PrefixFrom(w.Allowed, 32)}, TLS: &tls.Config{RootCAs: trust}}
	return w
}

func listen(t *testing.T, address string) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Named returns the options of the servers with a name that resolves to addresses: each
// query gets the next answer, and the last one repeats.
func (w *Servers) Named(t *testing.T, answers ...[]netip.Addr) outward.Options {
	t.Helper()
	o := w.Options
	o.Resolver = NewNames(t, answers...).Resolver
	return o
}
