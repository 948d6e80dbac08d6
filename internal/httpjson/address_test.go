package httpjson_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"parley"
	"parley/internal/httpjson"
)

func TestInFlight(t *testing.T) {
	var of httpjson.InFlight[string]
	first, err := of.Enter("a", 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := of.Enter("a", 2); err != nil {
		t.Fatal(err)
	}
	if _, err := of.Enter("a", 2); parley.KindOf(err) != parley.Limited {
		t.Errorf("a third one: %v", err)
	}
	if _, err := of.Enter("b", 2); err != nil {
		t.Errorf("another key: %v", err)
	}
	first()
	first() // counts once
	if _, err := of.Enter("a", 2); err != nil {
		t.Errorf("after one has left: %v", err)
	}
	if _, err := of.Enter("a", 2); parley.KindOf(err) != parley.Limited {
		t.Errorf("as many as before: %v", err)
	}
}

// TestRequestsAtOnce keeps requests of an address in progress, one of which
// panics.
func TestRequestsAtOnce(t *testing.T) {
	log, _ := logged()
	proxy, err := httpjson.ParseProxies("true")
	if err != nil {
		t.Fatal(err)
	}
	limiter := httpjson.NewAddressLimiter(httpjson.AddressLimiterOptions{
		Limits: httpjson.AddressLimits{AMinute: 1000, AtOnce: 2}, Clock: time.Now, Log: log, Clients: httpjson.NewClients(proxy, log),
	})
	entered, leave := make(chan struct{}), make(chan struct{})
	h := limiter.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/wait" {
			entered <- struct{}{}
			<-leave
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	ask := func(path, client string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("X-Forwarded-For", "spoofed, "+client)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	done := make(chan struct{})
	for range 2 {
		go func() {
			defer func() {
				_ = recover() // as net/http does
				done <- struct{}{}
			}()
			ask("/wait", "10.0.0.1")
		}()
		<-entered
	}
	if got := ask("/", "10.0.0.1"); got.Code != http.StatusTooManyRequests || got.Header().Get("Retry-After") != "1" {
		t.Errorf("one more is answered with %d %v", got.Code, got.Header())
	}
	if got := ask("/", "10.0.0.2"); got.Code != http.StatusNoContent {
		t.Errorf("another client of the proxy is answered with %d", got.Code)
	}
	close(leave)
	<-done
	<-done
	if got := ask("/", "10.0.0.1"); got.Code != http.StatusNoContent {
		t.Errorf("afterwards the answer is %d", got.Code)
	}
}
