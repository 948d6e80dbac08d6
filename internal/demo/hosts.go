package demo

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"parley"
	"parley/internal/httpjson"
)

// Hosts are the host names under which the pages of the demo answer. The
// pages need no password, so a page of another site must not reach them through
// its own name that resolves to this machine (DNS rebinding). The browser sends
// that name in Host.
type Hosts struct {
	listen string // the host part of the listening address
	log    *slog.Logger
}

// NewHosts returns those of a server that listens on an address.
func NewHosts(listen string, log *slog.Logger) Hosts {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		host = listen
	}
	return Hosts{listen: strings.ToLower(host), log: log}
}

// Local reports whether only this machine can reach the server.
func (d Hosts) Local() bool {
	address, err := netip.ParseAddr(d.listen)
	return err == nil && address.Unmap().IsLoopback() || d.listen == "localhost"
}

// has reports whether a Host belongs to this machine. If the server listens on
// all addresses, any address does: a name can be rebound, but an address
// cannot.
func (d Hosts) has(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	address, err := netip.ParseAddr(host)
	if err != nil {
		return host == "localhost" || host != "" && host == d.listen
	}
	all, unspecified := netip.ParseAddr(d.listen)
	return address.Unmap().IsLoopback() || host == d.listen || d.listen == "" || unspecified == nil && all.IsUnspecified()
}

// Only admits requests for these hosts.
func (d Hosts) Only(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !d.has(r.Host) {
			httpjson.WriteError(w, r, d.log, parley.Errorf(parley.Forbidden, "the demo answers only under the address that it is served on"))
			return
		}
		next.ServeHTTP(w, r)
	})
}
