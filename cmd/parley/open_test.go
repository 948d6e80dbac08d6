package main

import (
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/internal/dashboard"
	"parley/internal/httpjson"
	"parley/internal/publicapi"
	"parley/internal/store/storetest"
)

// TestOpenRoutesAreCounted requests everything that needs neither key nor
// session, each from its own address.
func TestOpenRoutesAreCounted(t *testing.T) {
	c := &cli{data: t.TempDir(), logLevel: "error"}
	const most = 2
	proxies, err := httpjson.ParseProxies("10.0.0.0/8")
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.newProgram(t.Context(), programOptions{
		log: storetest.Quiet(), clock: time.Now, sunset: publicapi.StoresSunset(), retention: 7 * 24 * time.Hour,
		open: httpjson.AddressLimits{AMinute: most, AtOnce: most}, proxies: proxies,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.app.close() }()
	ask := func(method, path, client string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, strings.NewReader("{}"))
		r.RemoteAddr = "10.1.1.1:80"
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Forwarded-For", "192.0.2.1, "+client+", 10.2.2.2")
		w := httptest.NewRecorder()
		p.handler.ServeHTTP(w, r)
		return w
	}
	type open struct{ method, path string }
	all := []open{
		{"GET", "/"}, {"GET", "/inbox"}, {"GET", "/assets/none.js"}, {"GET", "/docs"}, {"GET", "/docs/widget"},
		{"GET", "/docs/assets/swagger-ui.css"}, {"GET", "/docs/none"}, {"GET", "/help/none/en"}, {"GET", "/robots.txt"}, {"POST", "/docs"},
	}
	for _, route := range publicapi.Routes() {
		if route.Open {
			all = append(all, open{route.Method, route.Path})
		}
	}
	for _, route := range dashboard.Routes() {
		if route.Open {
			all = append(all, open{route.Method, route.Path})
		}
	}
	for i, one := range all {
		client := "198.51.100." + strconv.Itoa(i)
		for range most {
			if got := ask(one.method, one.path, client); got.Code == 429 {
				t.Fatalf("%s %s is refused at once", one.method, one.path)
			}
		}
		if got := ask(one.method, one.path, client); got.Code != 429 || got.Header().Get("Retry-After") == "" {
			t.Errorf("%s %s is answered with %d %v, want 429", one.method, one.path, got.Code, got.Header())
		}
	}
}
