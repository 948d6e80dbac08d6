package httpjson

import (
	"errors"
	"iter"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Proxies are the proxies in front of the server. Each appends the address of
// its caller to X-Forwarded-For; entries before theirs are written by the
// client and cannot be trusted. The zero value is none.
type Proxies struct {
	count    int            // the number of proxies that each request passes
	networks []netip.Prefix // the networks of the proxies, if they are not counted
}

// maxProxies is the most proxies that a request is assumed to pass.
const maxProxies = 16

// ParseProxies parses the value of --trust-proxy: the number of proxies that
// each request passes, true for one, false for none, or the networks of the
// proxies.
func ParseProxies(s string) (Proxies, error) {
	wrong := errors.New("must be true, false, how many proxies stand in a row (at most 16), or their networks, such as 10.0.0.0/8,192.0.2.7")
	if count, err := strconv.Atoi(s); err == nil {
		if count < 0 || count > maxProxies {
			return Proxies{}, wrong
		}
		return Proxies{count: count}, nil
	}
	if one, err := strconv.ParseBool(s); err == nil {
		if one {
			return Proxies{count: 1}, nil
		}
		return Proxies{}, nil
	}
	var p Proxies
	for text := range strings.SplitSeq(s, ",") {
		network, err := parseNetwork(strings.TrimSpace(text))
		if err != nil {
			return Proxies{}, wrong
		}
		p.networks = append(p.networks, network)
	}
	return p, nil
}

// parseNetwork parses a network or a single address.
func parseNetwork(text string) (netip.Prefix, error) {
	if address, err := netip.ParseAddr(text); err == nil {
		address = address.Unmap().WithZone("")
		return netip.PrefixFrom(address, address.BitLen()), nil
	}
	network, err := netip.ParsePrefix(text)
	if err == nil && network.Addr().Is4In6() {
		err = errors.New("no address is compared in this form")
	}
	return network, err
}

// trusts reports whether an address belongs to one of the proxies.
func (p *Proxies) trusts(address netip.Addr) bool {
	for _, network := range p.networks {
		if network.Contains(address) {
			return true
		}
	}
	return p.count > 0
}

// client returns the caller of the first proxy: the entry that the first proxy
// wrote. proxy is the address of the last one. Entries that the client wrote
// are not read. An entry that is not an address ends the search: whoever wrote
// it is the client.
func (p *Proxies) client(proxy netip.Addr, forwarded []string) netip.Addr {
	client, read := proxy, 0
	for entry := range lastFirst(forwarded) {
		address, ok := forwardedAddress(entry)
		if !ok {
			break
		}
		client = address
		read++
		if p.count > 0 && read == p.count || p.count == 0 && !p.trusts(address) {
			break
		}
	}
	return client
}

// lastFirst yields the entries of a header backwards; several lines are one
// list.
func lastFirst(lines []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, line := range slices.Backward(lines) {
			for line, more := line, true; more; {
				comma := strings.LastIndexByte(line, ',')
				if !yield(strings.TrimSpace(line[comma+1:])) {
					return
				}
				if more = comma >= 0; more {
					line = line[:comma]
				}
			}
		}
	}
}

// forwardedAddress parses an entry; some proxies append the port.
func forwardedAddress(entry string) (netip.Addr, bool) {
	address, err := netip.ParseAddr(entry)
	if with, portErr := netip.ParseAddrPort(entry); portErr == nil {
		address, err = with.Addr(), nil
	}
	return address.Unmap().WithZone(""), err == nil
}

// Clients determines the network addresses of clients. A nil *Clients trusts no
// proxy. It is safe for concurrent use.
type Clients struct {
	proxies Proxies
	log     *slog.Logger
	warn    sync.Once
}

// NewClients returns the Clients of a server behind some proxies.
func NewClients(proxies Proxies, log *slog.Logger) *Clients {
	return &Clients{proxies: proxies, log: log}
}

// Address returns the network address of a client, in the form in which
// failures are counted: for IPv6 the first 64 bits, which is what one
// connection to the internet has. It is "" if unknown. The first
// X-Forwarded-For from an untrusted sender is logged: behind an unconfigured
// proxy, all clients share one address.
func (c *Clients) Address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return ""
	}
	address = address.Unmap().WithZone("")
	if forwarded := r.Header.Values("X-Forwarded-For"); c != nil && len(forwarded) > 0 {
		if c.proxies.trusts(address) {
			address = c.proxies.client(address, forwarded)
		} else {
			c.warn.Do(func() {
				c.log.Warn("proxy: X-Forwarded-For ignored, --trust-proxy does not name the sender", "address", address)
			})
		}
	}
	if address.Is6() {
		network, err := address.Prefix(64)
		if err != nil {
			return ""
		}
		return network.String()
	}
	return address.String()
}
