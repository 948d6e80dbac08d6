package outward

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
)

// Networks are those that the operator allows besides the public internet.
type Networks []netip.Prefix

// A wider network is a mistake: it would allow addresses that nobody intended.
const (
	widest4 = 8
	widest6 = 7 // the width of unique local addresses, fc00::/7
)

// ParseNetworks parses networks and single addresses, separated by commas. The
// text of the error completes the name of the setting.
func ParseNetworks(text string) (Networks, error) {
	var all Networks
	if text == "" {
		return nil, nil
	}
	for one := range strings.SplitSeq(text, ",") {
		network, ok := parseNetwork(strings.TrimSpace(one))
		if !ok {
			return nil, errors.New("must be networks, such as 10.1.0.0/16,fd12:3456:789a::/48, of /8 or smaller (IPv6: /7)")
		}
		all = append(all, network)
	}
	return all, nil
}

func parseNetwork(text string) (netip.Prefix, bool) {
	if addr, err := netip.ParseAddr(text); err == nil {
		addr = addr.Unmap()
		return netip.PrefixFrom(addr, addr.BitLen()), addr.Zone() == ""
	}
	network, err := netip.ParsePrefix(text)
	if err != nil || network != network.Masked() || network.Addr().Is4In6() {
		return network, false
	}
	if network.Addr().Is4() {
		return network, network.Bits() >= widest4
	}
	return network, network.Bits() >= widest6
}

// reachable reports whether an address may be connected to.
func (n Networks) reachable(addr netip.Addr) bool {
	if addr.Zone() != "" {
		return false
	}
	addr = addr.Unmap()
	if public(addr) {
		return true
	}
	if addr.IsUnspecified() || addr.IsMulticast() || !slices.ContainsFunc(n, func(p netip.Prefix) bool { return p.Contains(addr) }) {
		return false
	}
	// Allowing the network's translation to IPv4 (RFC 6052) does not allow
	// every private address behind it.
	if translated := netip.MustParsePrefix("64:ff9b::/96"); translated.Contains(addr) {
		wrapped := addr.As16()
		return n.reachable(netip.AddrFrom4([4]byte(wrapped[12:])))
	}
	return true
}

// public reports whether an address belongs to the public internet: not to this
// machine, a private network, or a provider's own services, and not another
// spelling of such an address.
func public(addr netip.Addr) bool {
	if addr.Is4() {
		return !slices.ContainsFunc(notPublic4(), func(p netip.Prefix) bool { return p.Contains(addr) })
	}
	// Only 2000::/3 is assigned (RFC 4291, section 2.4), which excludes
	// loopback, local, multicast and NAT64 addresses (64:ff9b::/96).
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
