// Package outwardtest plays the world that a server reaches: a name server whose
// answers change, and two servers at one port, of which one must never be
// reached. Only tests use it.
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

// A Town is two servers at one port: one that is allowed and one that stands
// for what is inside, with a count of the connections to it.
type Town struct {
	URL      string // of a name that the certificate of the allowed server has
	Allowed  netip.Addr
	Internal netip.Addr
	Inside   atomic.Int64
	Options  outward.Options // which allow that server, by a resolver that is yet to be set
}

// NewTown returns a Town whose allowed server answers by a handler. The one
// inside answers "inside".
func NewTown(t *testing.T, allowed http.HandlerFunc) *Town {
	t.Helper()
	w := &Town{Allowed: netip.MustParseAddr("127.0.0.2"), Internal: netip.MustParseAddr("127.0.0.1")}
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
	outer.Config.ErrorLog = log.New(io.Discard, "", 0) // of handshakes that are meant to fail
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

// Named returns the town's options with a name that leads to addresses: each
// look takes the next answer, and the last one stays.
func (w *Town) Named(t *testing.T, answers ...[]netip.Addr) outward.Options {
	t.Helper()
	o := w.Options
	o.Resolver = NewNames(t, answers...).Resolver
	return o
}
