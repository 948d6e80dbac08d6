//go:build !nodemo

package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"parley/internal/publicapi"
	"parley/internal/store/storetest"
)

// TestDemoHosts requests the pages of the demo under names of this machine, and
// under a name that another site points to it.
func TestDemoHosts(t *testing.T) {
	c := &cli{data: t.TempDir(), logLevel: "error"}
	p, err := c.newProgram(t.Context(), programOptions{
		log: storetest.Quiet(), clock: time.Now, sunset: publicapi.StoresSunset(), retention: 7 * 24 * time.Hour,
		demo: true, simulation: simulated, listen: "127.0.0.1:8080",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.work.mailbox.Close() }) // nothing serves that ends it
	t.Cleanup(func() {
		if err := p.app.close(); err != nil {
			t.Error(err)
		}
	})
	for host, allowed := range map[string]bool{
		"127.0.0.1:8080": true, "localhost:8080": true, "LOCALHOST": true, "[::1]:8080": true, "127.1.2.3": true,
		"evil.example": false, "evil.example:8080": false, "127.0.0.1.evil.example": false, "localhost.evil.example": false, "192.0.2.1": false,
	} {
		for _, path := range []string{"/phone", "/shop", "/phone/", "/shop/identity"} {
			req := httptest.NewRequest(http.MethodGet, path, nil)
			req.Host = host
			res := httptest.NewRecorder()
			p.handler.ServeHTTP(res, req)
			body, _ := io.ReadAll(res.Body)
			if refused := strings.Contains(string(body), "the demo answers only"); refused == allowed {
				t.Errorf("Host %s, %s: %d %.100s", host, path, res.Code, body)
			}
		}
	}
}
