package outward

import (
	"errors"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// Hosts are those that the operator allows by name or address, for one purpose,
// besides the public internet. Unlike [Networks], they can be limited to a
// port.
type Hosts []host

// A host is a name or a network.
type host struct {
	name    string       // in lower case; "" for a network
	network netip.Prefix // of one address, or more
	port    uint16       // 0: every port
}

// ParseHosts parses names and addresses, with or without a port, and networks,
// separated by commas. The text of the error completes the name of the setting.
func ParseHosts(text string) (Hosts, error) {
	if text == "" {
		return nil, nil
	}
	var all Hosts
	for one := range strings.SplitSeq(text, ",") {
		h, ok := parseHost(strings.TrimSpace(one))
		if !ok {
			return nil, errors.New("must be hosts, such as localhost:11434,ollama.internal,10.1.2.0/24, with networks of /8 or smaller (IPv6: /7)")
		}
		all = append(all, h)
	}
	return all, nil
}

func parseHost(text string) (host, bool) {
	if network, ok := parseNetwork(text); ok {
		return host{network: network}, true
	}
	name, port := text, uint64(0)
	if before, digits, err := net.SplitHostPort(text); err == nil {
		name = before
		if port, err = strconv.ParseUint(digits, 10, 16); err != nil || port == 0 {
			return host{}, false
		}
		if addr, err := netip.ParseAddr(name); err == nil {
			network, ok := parseNetwork(name)
			return host{network: network, port: uint16(port)}, ok && addr.Zone() == ""
		}
	}
	name = hostName(name)
	return host{name: name, port: uint16(port)}, wellFormedName(name)
}

// hostName returns the spelling of a name by which names are compared.
func hostName(name string) string { return strings.ToLower(strings.TrimSuffix(name, ".")) }

// wellFormedName reports whether a name is one of the DNS. A last label of
// digits alone would be another spelling of an address.
func wellFormedName(name string) bool {
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	last := labels[len(labels)-1]
	return len(name) <= 253 && strings.Trim(last, "0123456789") != "" && !strings.HasPrefix(last, "0x")
}

// allow reports whether the operator named the host that is dialed, or its
// address.
func (h Hosts) allow(name string, to netip.AddrPort) bool {
	addr := to.Addr()
	if addr.Zone() != "" {
		return false
	}
	addr = addr.Unmap()
	if addr.IsUnspecified() || addr.IsMulticast() {
		return false
	}
	name = hostName(name)
	return slices.ContainsFunc(h, func(one host) bool {
		switch {
		case one.port != 0 && one.port != to.Port():
			return false
		case one.name == "":
			return one.network.Contains(addr)
		}
		return one.name == name && !ofCloud(addr)
	})
}

// ofCloud reports whether an address belongs to the services of a cloud for its
// machines, which give out credentials. A name never leads there; the operator
// can still name the address.
func ofCloud(addr netip.Addr) bool {
	services := prefixes("169.254.0.0/16", "fe80::/10", "168.63.129.16/32", "100.100.100.200/32", "fd00:ec2::/32")
	return slices.ContainsFunc(services, func(p netip.Prefix) bool { return p.Contains(addr) })
}
