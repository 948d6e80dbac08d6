package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/publicapi"
	"parley/internal/store/storetest"
)

// TestNodeIsFullOfStreams opens as many streams as a node holds. One more is
// refused, and everything else works.
func TestNodeIsFullOfStreams(t *testing.T) {
	c := &cli{data: t.TempDir(), logLevel: "error"}
	key := c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")["apiKey"].(string)
	s := serveWith(t, c, programOptions{
		log: storetest.Quiet(), clock: time.Now, sunset: publicapi.StoresSunset(), retention: parley.EventRetention, streams: 3,
	})
	open := func() *http.Response {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/v1/public/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+key)
		req.Header.Set("Accept", "text/event-stream")
		res, err := http.DefaultClient.Do(req) // the gate would read all of a stream
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = res.Body.Close() })
		return res
	}
	for i := range 3 {
		if got := open().StatusCode; got != http.StatusOK {
			t.Fatalf("stream %d is answered with %d", i, got)
		}
	}
	res := open()
	if res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") != "20" || !strings.HasPrefix(res.Header.Get("Parley-Error"), "unavailable") {
		t.Errorf("one more is answered with %d %v", res.StatusCode, res.Header)
	}
	s.want("/v1/public/contacts", key, http.StatusOK)
	s.want("/readyz", "", http.StatusOK)
}
