package identity

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"
)

const (
	// fetchTime is how long fetching a set may take, from the question for the
	// address to the last byte.
	fetchTime = 5 * time.Second
	// maxSet is the most bytes of a set.
	maxSet = 256 << 10
)

// A Fetch returns what is at an https address. It must never reach an address
// that is not public.
type Fetch func(ctx context.Context, address string) ([]byte, error)

// A fetcher fetches over https from public addresses alone. Where a name leads
// is looked at when the connection is made, at the very address that is dialed,
// so a name that leads elsewhere the next time wins nothing.
type fetcher struct {
	client *http.Client
	check  func(address string) error
}

// reach says how a fetcher finds and trusts servers; the zero value is what a
// server uses.
type reach struct {
	public   func(netip.Addr) bool // nil: public
	resolver *net.Resolver
	tls      *tls.Config
	within   time.Duration              // 0: fetchTime
	check    func(address string) error // nil: CheckSetURL
}

// NewFetch returns a Fetch that takes 5 seconds at most, follows no
// redirections, uses no proxy, and reads 256 KiB at most.
func NewFetch() Fetch { return newFetcher(reach{}).fetch }

func newFetcher(r reach) *fetcher {
	allowed := r.public
	if allowed == nil {
		allowed = public
	}
	within := cmp.Or(r.within, fetchTime)
	dialer := &net.Dialer{
		Timeout: within, Resolver: r.resolver,
		Control: func(_, address string, _ syscall.RawConn) error {
			to, err := netip.ParseAddrPort(address)
			if err != nil || !allowed(to.Addr()) {
				return errNotReachable
			}
			return nil
		},
	}
	check := r.check
	if check == nil {
		check = CheckSetURL
	}
	return &fetcher{check: check, client: &http.Client{
		Timeout: within,
		Transport: &http.Transport{
			DialContext: dialer.DialContext, TLSClientConfig: r.tls, DisableKeepAlives: true, DisableCompression: true,
			MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// errNotReachable is told to the operator alone, as is every reason for which
// nothing public was reached: the difference would show what names lead to in
// the server's own network.
var errNotReachable = errors.New("the address is not public")

// A failure is a reason that the owners of a workspace are told: it says what an
// address looks like, or what a public server answered.
type failure string

func (f failure) Error() string { return string(f) }

// errNotFetched is what they are told for every other reason.
const errNotFetched failure = "they could not be fetched from a public address; the operator's log says more"

// shownFailure returns what the owners of a workspace are told of an error.
func shownFailure(err error) failure {
	var told failure
	if errors.As(err, &told) {
		return told
	}
	return errNotFetched
}

func (f *fetcher) fetch(ctx context.Context, address string) ([]byte, error) {
	if err := f.check(address); err != nil {
		return nil, failure("the address must " + err.Error())
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/jwk-set+json, application/json")
	r.Header.Set("User-Agent", "parley")
	answer, err := f.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }() // all that is wanted was read
	if answer.StatusCode != http.StatusOK {
		return nil, failure(fmt.Sprintf("the status of the answer is %d; it must be 200", answer.StatusCode))
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxSet+1))
	if err == nil && len(text) > maxSet {
		err = failure(fmt.Sprintf("the answer has more than %d bytes", maxSet))
	}
	return text, err
}

// CheckSetURL returns what is wrong with the address of a set; the text
// completes "must …". Where its name leads is looked at when it is fetched.
func CheckSetURL(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Fragment != "" || utf8.RuneCountInString(address) > maxURL {
		return fmt.Errorf("be an https address of at most %d characters, without a user and a fragment", maxURL)
	}
	if port := u.Port(); port != "" && port != "443" {
		return errors.New("be an address at port 443")
	}
	if strings.Contains(u.Host, "[") || endsInNumber(u.Hostname()) {
		return errors.New("have a name for a host that everybody on the internet can reach")
	}
	return nil
}

// endsInNumber reports whether the last label of a host is a number, so that
// some readers take it for an address, however it is written: 127.1, 0x7f.1,
// 2130706433 (URL standard, section 3.5).
func endsInNumber(host string) bool {
	host = strings.TrimSuffix(host, ".")
	last := strings.ToLower(host[strings.LastIndexByte(host, '.')+1:])
	digits := "0123456789"
	if hex, ok := strings.CutPrefix(last, "0x"); ok {
		last, digits = hex, "0123456789abcdef"
	}
	return strings.Trim(last, digits) == ""
}

// public reports whether an address belongs to the public internet: not to this
// machine, a private network, a provider's own services, or a way of writing
// another address.
func public(addr netip.Addr) bool {
	if addr.Zone() != "" {
		return false
	}
	addr = addr.Unmap()
	if addr.Is4() {
		return !slices.ContainsFunc(notPublic4(), func(p netip.Prefix) bool { return p.Contains(addr) })
	}
	// Only 2000::/3 is given out (RFC 4291, section 2.4), so loopback, local,
	// multicast and NAT64 addresses (64:ff9b::/96) are outside already.
	global := netip.MustParsePrefix("2000::/3")
	return global.Contains(addr) && !slices.ContainsFunc(notPublic6(), func(p netip.Prefix) bool { return p.Contains(addr) })
}

// notPublic4 are the special-purpose addresses of RFC 6890 and its registry.
func notPublic4() []netip.Prefix {
	return prefixes(
		"0.0.0.0/8",        // this network
		"10.0.0.0/8",       // private
		"100.64.0.0/10",    // shared by customers of a provider
		"127.0.0.0/8",      // this machine
		"168.63.129.16/32", // Azure's services for the machine
		"169.254.0.0/16",   // link-local; cloud metadata
		"172.16.0.0/12",    // private
		"192.0.0.0/24",     // protocol assignments
		"192.0.2.0/24",     // documentation
		"192.88.99.0/24",   // relays of 6to4
		"192.168.0.0/16",   // private
		"198.18.0.0/15",    // benchmarks
		"198.51.100.0/24",  // documentation
		"203.0.113.0/24",   // documentation
		"224.0.0.0/4",      // multicast
		"240.0.0.0/4",      // reserved, and broadcast
	)
}

func notPublic6() []netip.Prefix {
	return prefixes(
		"2001::/23",     // protocol assignments, with Teredo, which wraps IPv4
		"2001:db8::/32", // documentation
		"2002::/16",     // 6to4, which wraps IPv4
		"3fff::/20",     // documentation
	)
}

func prefixes(texts ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		list[i] = netip.MustParsePrefix(text)
	}
	return list
}
