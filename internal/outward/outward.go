// Package outward makes connections to addresses that somebody else chose: a
// member of a workspace, or a customer. Such an address could be one of the
// server's own network, so connections go only to the public internet or to
// networks that the operator allows.
//
// The address is checked during the connection, after its name was resolved, so
// a name that resolves differently the next time (DNS rebinding) gains nothing.
// Clients follow no redirects, use no proxy, and accept limited time and bytes.
//
// Connections to addresses that the operator chose, such as the database or a
// bucket for files, do not need this package. A test lists the few packages
// that may connect without it.
//
// The package imports nothing of this module.
package outward

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// ErrNotAllowed says that connecting to an address is not allowed. It is only
// for the operator: to others, the difference from a server that does not
// answer would reveal what names resolve to in the server's network.
var ErrNotAllowed = errors.New("the address is neither public nor in a network that the operator allows")

// maxHeader is the most bytes of the headers of an answer.
const maxHeader = 64 << 10

// Options configure a Dialer. The zero value reaches public addresses, with the
// system's resolver and certificates.
type Options struct {
	Allowed  Networks      // besides the public internet
	Hosts    Hosts         // besides the public internet
	Resolver *net.Resolver // nil: the system's
	TLS      *tls.Config   // nil: the system's
	// OnlyHosts excludes the public internet, for exchanges that are not
	// encrypted.
	OnlyHosts bool
}

// A Dialer connects to public addresses and to those that the operator allows.
// Its methods may be called by many goroutines.
type Dialer struct {
	options Options
}

// NewDialer returns a Dialer.
func NewDialer(o Options) *Dialer { return &Dialer{options: o} }

// DialContext connects to a host and port, like [net.Dialer.DialContext]. If a
// name has several addresses, it skips those that are not allowed; if none is
// left, the error wraps [ErrNotAllowed].
func (d *Dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	name, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	control := func(_, resolved string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(resolved)
		if err != nil || !d.reachable(name, to) {
			return ErrNotAllowed
		}
		return nil
	}
	dialer := net.Dialer{Resolver: d.options.Resolver, Control: control}
	return dialer.DialContext(ctx, network, address)
}

// reachable reports whether an address may be connected to, as one of a host.
func (d *Dialer) reachable(name string, to netip.AddrPort) bool {
	return !d.options.OnlyHosts && d.options.Allowed.reachable(to.Addr()) || d.options.Hosts.allow(name, to)
}

// Limits limit one exchange of a client.
type Limits struct {
	// Time is the longest duration, from the DNS query to the last byte of the
	// body. 0: as long as the request's context lives.
	Time time.Duration
	// Bytes is the most bytes of the body. Reading more fails with an
	// [http.MaxBytesError].
	Bytes int64
}

// Client returns an HTTP client that uses the dialer. It returns redirects
// instead of following them. Each exchange has its own connection.
func (d *Dialer) Client(l Limits) *http.Client {
	return Inside(&http.Transport{
		DialContext: d.DialContext, TLSClientConfig: d.options.TLS, DisableKeepAlives: true,
		// A compressed answer could be larger than its limit.
		DisableCompression: true, MaxResponseHeaderBytes: maxHeader,
	}, l)
}

// Inside returns a client with the limits of a Dialer's, whose exchanges another
// transport carries: one that answers in this process and connects to nothing.
func Inside(next http.RoundTripper, l Limits) *http.Client {
	return &http.Client{
		Timeout: l.Time, Transport: bounded{most: l.Bytes, next: next},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// A bounded transport limits the bodies of answers.
type bounded struct {
	next http.RoundTripper
	most int64
}

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	answer.Body = http.MaxBytesReader(nil, answer.Body, b.most)
	return answer, nil
}
