package outward_test

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"parley/internal/outward"
	"parley/internal/outward/outwardtest"
)

func TestParseHosts(t *testing.T) {
	if all, err := outward.ParseHosts(""); len(all) != 0 || err != nil {
		t.Errorf("nothing is read as %v, %v", all, err)
	}
	for _, good := range []string{"localhost", "LocalHost.:11434", "ollama.internal", "127.0.0.1:11434", "::1", "[::1]:11434", "10.1.2.0/24, gpu-1:80", "my_host"} {
		if _, err := outward.ParseHosts(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{
		",", " ", "a b", "localhost:0", "localhost:65536", "localhost:http", "localhost:", ":80", "http://localhost", "localhost/v1", "a..b", ".", "127.1", "127.0.0.256",
		"0x7f000001", "10.0.0.0/7", "10.0.0.1/8", "10.1.2.0/24:80", "fe80::1%eth0", "[fe80::1%eth0]:80", "*", "*.internal", strings.Repeat("a", 64), "ann@localhost",
	} {
		if all, err := outward.ParseHosts(bad); err == nil {
			t.Errorf("%q is read as %v", bad, all)
		}
	}
}

// TestHosts dials a server inside under names and addresses, of which the
// operator allowed some.
func TestHosts(t *testing.T) {
	w := outwardtest.NewServers(t, hello)
	_, port, err := net.SplitHostPort(strings.TrimPrefix(w.URL, "https://"))
	if err != nil {
		t.Fatal(err)
	}
	inside := []netip.Addr{w.Internal}
	for name, c := range map[string]struct {
		allowed, host string
		leads         []netip.Addr
		want          bool
	}{
		"nothing":                      {"", "model.corp", inside, false},
		"its name":                     {"model.corp", "model.corp", inside, true},
		"its name and port":            {"Model.Corp:" + port, "model.corp.", inside, true},
		"another port":                 {"model.corp:1", "model.corp", inside, false},
		"another name":                 {"model.corp", "evil.model.corp", inside, false},
		"its name, and the address":    {"model.corp", "127.0.0.1", nil, false},
		"its address":                  {"127.0.0.1:" + port, "127.0.0.1", nil, true},
		"its address, under a name":    {"127.0.0.1:" + port, "model.corp", inside, true},
		"its network":                  {"127.0.0.0/8", "127.0.0.1", nil, true},
		"another network":              {"10.0.0.0/8", "model.corp", inside, false},
		"a name of a cloud's services": {"model.corp", "model.corp", []netip.Addr{netip.MustParseAddr("169.254.169.254")}, false},
		"a name of no address":         {"model.corp,0.0.0.0/8", "model.corp", []netip.Addr{netip.MustParseAddr("0.0.0.0")}, false},
	} {
		hosts, err := outward.ParseHosts(c.allowed)
		if err != nil {
			t.Fatal(err)
		}
		o := outward.Options{Hosts: hosts}
		if c.leads != nil {
			o.Resolver = outwardtest.NewNames(t, c.leads).Resolver
		}
		conn, err := outward.NewDialer(o).DialContext(t.Context(), "tcp", net.JoinHostPort(c.host, port))
		if err == nil {
			_ = conn.Close()
		}
		if c.want && err != nil || !c.want && !errors.Is(err, outward.ErrNotAllowed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOnlyHosts keeps a dialer for plain exchanges away from public addresses.
func TestOnlyHosts(t *testing.T) {
	w := outwardtest.NewServers(t, hello)
	o := w.Named(t, []netip.Addr{w.Allowed})
	o.OnlyHosts = true
	if text, err := get(t, o, limits, w.URL); !errors.Is(err, outward.ErrNotAllowed) {
		t.Errorf("an allowed network: %q, %v", text, err)
	}
	if _, err := outward.NewDialer(o).DialContext(t.Context(), "tcp", "1.1.1.1:443"); !errors.Is(err, outward.ErrNotAllowed) {
		t.Errorf("a public address: %v", err)
	}
	hosts, err := outward.ParseHosts("example.com")
	if err != nil {
		t.Fatal(err)
	}
	o = w.Named(t, []netip.Addr{w.Allowed})
	o.OnlyHosts, o.Hosts = true, hosts
	if text, err := get(t, o, limits, w.URL); text != http.StatusText(http.StatusOK)+" outside" || err != nil {
		t.Errorf("an allowed host: %q, %v", text, err)
	}
}
