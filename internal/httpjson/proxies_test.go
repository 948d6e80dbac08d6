package httpjson_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"parley/internal/httpjson"
)

func TestClientAddress(t *testing.T) {
	const networks = "10.0.0.0/8, 2001:db8:ff::/48,192.0.2.9"
	for _, x := range []struct {
		remote    string
		forwarded []string
		proxies   string
		want      string
	}{
		{"192.0.2.1:80", nil, "false", "192.0.2.1"},
		{"192.0.2.1:80", []string{"198.51.100.7"}, "false", "192.0.2.1"},
		{"192.0.2.1:80", nil, "true", "192.0.2.1"},
		{"192.0.2.1:80", []string{"198.51.100.7"}, "true", "198.51.100.7"},
		{"192.0.2.1:80", []string{"1.1.1.1, 198.51.100.7"}, "true", "198.51.100.7"},
		{"192.0.2.1:80", []string{"1.1.1.1", "2.2.2.2,198.51.100.7 "}, "true", "198.51.100.7"},
		{"192.0.2.1:80", []string{"198.51.100.7:4711"}, "1", "198.51.100.7"},
		{"192.0.2.1:80", []string{"[2001:db8:1:2::3]:4711"}, "1", "2001:db8:1:2::/64"},
		{"192.0.2.1:80", []string{"unknown"}, "true", "192.0.2.1"},
		{"192.0.2.1:80", []string{""}, "true", "192.0.2.1"},
		{"[2001:db8:1:2:3:4:5:6]:80", nil, "false", "2001:db8:1:2::/64"},
		{"[::ffff:192.0.2.1]:80", nil, "false", "192.0.2.1"},
		{"[fe80::1%eth0]:80", nil, "false", "fe80::/64"},
		{"@", nil, "false", ""},
		{"@", []string{"198.51.100.7"}, "true", ""},

		// A network of proxies in front of one's own.
		{"192.0.2.1:80", []string{"1.1.1.1, 198.51.100.7, 203.0.113.5"}, "2", "198.51.100.7"},
		{"192.0.2.1:80", []string{"1.1.1.1", "198.51.100.7", "203.0.113.5"}, "2", "198.51.100.7"},
		{"192.0.2.1:80", []string{"198.51.100.7"}, "2", "198.51.100.7"}, // it came through one of them
		{"192.0.2.1:80", []string{"unknown, 203.0.113.5"}, "2", "203.0.113.5"},
		{"192.0.2.1:80", []string{"1.1.1.1"}, "0", "192.0.2.1"},

		// Proxies by their networks: the last address that is not one of them.
		{"10.1.2.3:80", []string{"1.1.1.1, 198.51.100.7, 10.9.9.9"}, networks, "198.51.100.7"},
		{"10.1.2.3:80", []string{"1.1.1.1, 198.51.100.7, 192.0.2.9, 2001:db8:ff:1::5, ::ffff:10.9.9.9"}, networks, "198.51.100.7"},
		{"10.1.2.3:80", []string{"198.51.100.7"}, networks, "198.51.100.7"},
		{"[::ffff:10.1.2.3]:80", []string{"198.51.100.7"}, networks, "198.51.100.7"},
		{"10.1.2.3:80", []string{"10.8.8.8, 10.9.9.9"}, networks, "10.8.8.8"}, // who asks is inside
		{"10.1.2.3:80", []string{"1.1.1.1, nonsense, 10.9.9.9"}, networks, "10.9.9.9"},
		{"10.1.2.3:80", nil, networks, "10.1.2.3"},
		{"198.51.100.7:80", []string{"1.1.1.1"}, networks, "198.51.100.7"}, // past the proxies
		{"192.0.2.8:80", []string{"1.1.1.1"}, networks, "192.0.2.8"},
	} {
		proxies, err := httpjson.ParseProxies(x.proxies)
		if err != nil {
			t.Fatal(err)
		}
		log, _ := logged()
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = x.remote
		r.Header["X-Forwarded-For"] = x.forwarded
		if got := httpjson.NewClients(proxies, log).Address(r); got != x.want {
			t.Errorf("of %s, forwarded for %q, behind %s, the address is %q, want %q", x.remote, x.forwarded, x.proxies, got, x.want)
		}
	}
}

func TestParseProxies(t *testing.T) {
	for _, text := range []string{"true", "false", "1", "0", "t", "16", "10.0.0.0/8", "192.0.2.7", "2001:db8::/32, 10.0.0.1", "::1"} {
		if _, err := httpjson.ParseProxies(text); err != nil {
			t.Errorf("%q is refused: %v", text, err)
		}
	}
	for _, text := range []string{"", "-1", "17", "yes", "10.0.0.0/33", "10.0.0.0/8,", ",", "proxy.example", "::ffff:10.0.0.0/104", "1,2"} {
		if p, err := httpjson.ParseProxies(text); err == nil {
			t.Errorf("%q is taken for %+v", text, p)
		}
	}
}

// TestForwardedFromNobody sends the header from an untrusted address: it is
// logged once.
func TestForwardedFromNobody(t *testing.T) {
	for proxies, warned := range map[string]int{"false": 1, "10.0.0.0/8": 1, "true": 0, "192.0.2.0/24": 0} {
		parsed, err := httpjson.ParseProxies(proxies)
		if err != nil {
			t.Fatal(err)
		}
		log, text := logged()
		clients := httpjson.NewClients(parsed, log)
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		clients.Address(r)
		if text.String() != "" {
			t.Errorf("behind %s, without the header the log says %s", proxies, text)
		}
		r.Header.Set("X-Forwarded-For", "secret.example, 198.51.100.7")
		for range 3 {
			clients.Address(r)
		}
		if got := text.String(); strings.Count(got, "X-Forwarded-For ignored") != warned || strings.Contains(got, "secret") {
			t.Errorf("behind %s the log says %q, want %d lines", proxies, got, warned)
		}
	}
}
