// Package outward makes the connections whose address somebody else chose: a
// member of a workspace, or a customer. Such an address could name the server's
// own network, so a connection is made to the public internet, or to networks
// that the operator allows, and to nothing else.
//
// The address is checked as the connection is made, after its name was
// resolved: a name that leads elsewhere the next time (DNS rebinding) wins
// nothing. Clients follow no redirections and use no proxy, and take neither
// longer nor more bytes than their caller allows.
//
// A connection to an address that the operator chose, such as the database or a
// bucket for files, needs none of this. A test lists the few packages that may
// connect otherwise.
//
// The package imports nothing of Parley.
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

// ErrNotAllowed is the reason for which an address was not connected to. It is
// meant for the operator: told to anybody else, the difference to a server that
// does not answer would show what names lead to in the server's network.
var ErrNotAllowed = errors.New("the address is neither public nor in a network that the operator allows")

// maxHeader is the most bytes of the head of an answer.
const maxHeader = 64 << 10

// Options say what a Dialer reaches. The zero value reaches public addresses,
// by the names and certificates that the system trusts.
type Options struct {
	Allowed  Networks      // beside the public internet
	Resolver *net.Resolver // nil: the system's
	TLS      *tls.Config   // nil: the system's
}

// A Dialer connects to public addresses and to allowed networks. Its methods
// may be called by many goroutines.
type Dialer struct {
	dialer net.Dialer
	tls    *tls.Config
}

// NewDialer returns a Dialer.
func NewDialer(o Options) *Dialer {
	control := func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil || !o.Allowed.reachable(to.Addr()) {
			return ErrNotAllowed
		}
		return nil
	}
	return &Dialer{dialer: net.Dialer{Resolver: o.Resolver, Control: control}, tls: o.TLS}
}

// DialContext connects to a host and port, as [net.Dialer.DialContext] does. Of
// several addresses of a name, those that are not allowed are passed over; if
// there is no other, the error wraps ErrNotAllowed.
func (d *Dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	return d.dialer.DialContext(ctx, network, address)
}

// Limits bound one exchange of a client.
type Limits struct {
	// Time is how long it may take, from the question for the address to the last
	// byte of the answer's body.
	Time time.Duration
	// Bytes is the most bytes of the body. Reading beyond them fails with an
	// [http.MaxBytesError].
	Bytes int64
}

// Client returns an HTTP client over the dialer. A redirection is returned as
// the answer that it is. Each exchange has a connection of its own.
func (d *Dialer) Client(l Limits) *http.Client {
	return &http.Client{
		Timeout: l.Time,
		Transport: bounded{most: l.Bytes, next: &http.Transport{
			DialContext: d.DialContext, TLSClientConfig: d.tls, DisableKeepAlives: true,
			// A compressed answer could be larger than it seems.
			DisableCompression: true, MaxResponseHeaderBytes: maxHeader,
		}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// A bounded transport bounds the bodies of answers.
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
