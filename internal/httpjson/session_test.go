package httpjson_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"parley"
	"parley/internal/httpjson"
)

func TestSessionCookie(t *testing.T) {
	h := http.Header{}
	httpjson.SetSession(h, "ps_x")
	httpjson.ClearSession(h)
	want := []string{
		"__Host-parley=ps_x; Path=/; Max-Age=7776000; HttpOnly; Secure; SameSite=Lax",
		"__Host-parley=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax",
	}
	for i, got := range h["Set-Cookie"] {
		if got != want[i] {
			t.Errorf("the cookie is %q, want %q", got, want[i])
		}
	}
	for cookie, want := range map[string]parley.Token{"": "", "parley=ps_x": "", "a=b; __Host-parley=ps_x; c=d": "ps_x"} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Cookie", cookie)
		if got := httpjson.SessionToken(r); got != want {
			t.Errorf("the token of %q is %q, want %q", cookie, got, want)
		}
	}
}

func TestClientAddress(t *testing.T) {
	for _, x := range []struct {
		remote    string
		forwarded []string
		trust     bool
		want      string
	}{
		{"192.0.2.1:80", nil, false, "192.0.2.1"},
		{"192.0.2.1:80", []string{"198.51.100.7"}, false, "192.0.2.1"},
		{"192.0.2.1:80", nil, true, "192.0.2.1"},
		{"192.0.2.1:80", []string{"198.51.100.7"}, true, "198.51.100.7"},
		{"192.0.2.1:80", []string{"1.1.1.1, 198.51.100.7"}, true, "198.51.100.7"},
		{"192.0.2.1:80", []string{"1.1.1.1", "2.2.2.2,198.51.100.7 "}, true, "198.51.100.7"},
		{"192.0.2.1:80", []string{"unknown"}, true, "192.0.2.1"},
		{"192.0.2.1:80", []string{""}, true, "192.0.2.1"},
		{"[2001:db8:1:2:3:4:5:6]:80", nil, false, "2001:db8:1:2::/64"},
		{"[::ffff:192.0.2.1]:80", nil, false, "192.0.2.1"},
		{"[fe80::1%eth0]:80", nil, false, "fe80::/64"},
		{"@", nil, false, ""},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = x.remote
		r.Header["X-Forwarded-For"] = x.forwarded
		if got := httpjson.ClientAddress(r, x.trust); got != x.want {
			t.Errorf("of %s, forwarded for %q, trusted %t, the address is %q, want %q", x.remote, x.forwarded, x.trust, got, x.want)
		}
	}
}

func TestSameSite(t *testing.T) {
	for _, x := range []struct {
		method, site, origin string
		allowed              bool
	}{
		{"POST", "same-origin", "", true},
		{"POST", "none", "", true},
		{"POST", "", "", true}, // no browser
		{"POST", "", "https://parley.example", true},
		{"POST", "cross-site", "", false},
		{"DELETE", "same-site", "", false},
		{"PATCH", "", "https://evil.example", false},
		{"PUT", "", "null", false},
		{"GET", "cross-site", "https://evil.example", true},
		{"HEAD", "cross-site", "", true},
	} {
		r := httptest.NewRequest(x.method, "https://parley.example/", nil)
		r.Header.Set("Sec-Fetch-Site", x.site)
		r.Header.Set("Origin", x.origin)
		err := httpjson.SameSite(r)
		if (err == nil) != x.allowed {
			t.Errorf("%s from %q %q: %v", x.method, x.site, x.origin, err)
		}
		if err != nil {
			wantKind(t, err, parley.Forbidden)
		}
	}
}

func TestPageHeaders(t *testing.T) {
	w := httptest.NewRecorder()
	httpjson.PageHeaders(http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	for name, want := range map[string]string{
		"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https: http:; " +
			"media-src 'self'; connect-src 'self'; font-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
		"Referrer-Policy":            "no-referrer",
		"X-Content-Type-Options":     "nosniff",
		"Cross-Origin-Opener-Policy": "same-origin",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if w.Header().Get("Permissions-Policy") == "" {
		t.Error("Permissions-Policy is missing")
	}
}
