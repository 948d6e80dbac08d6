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
			"media-src 'self'; connect-src 'self'; font-src 'self'; frame-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
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
