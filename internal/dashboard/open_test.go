package dashboard_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/dashboard"
	"parley/internal/httpjson"
)

// TestOpenRoutesAreCounted asks for what needs no session from an address that
// has asked for too much.
func TestOpenRoutesAreCounted(t *testing.T) {
	w := onSQLite(t)
	open := httpjson.NewAddressLimiter(httpjson.AddressLimiterOptions{
		Limits: httpjson.AddressLimits{AMinute: 1, AtOnce: 1}, Clock: w.now, Log: testLog(t),
	})
	board := dashboard.New(dashboard.Options{Desk: w.desk, Access: w.access, Clock: w.now, Log: testLog(t), Open: open})
	envelope := httpjson.Envelope{Log: testLog(t), IDs: parley.NewIDs(nil), Timeout: 20 * time.Second}
	handler := envelope.Wrap(board.Handler())
	for _, route := range dashboard.Routes() {
		if !route.Open {
			continue
		}
		for _, refused := range []bool{false, true} {
			r := httptest.NewRequest(route.Method, route.Path, nil)
			if route.Method == "POST" {
				r = httptest.NewRequest(route.Method, route.Path, strings.NewReader("{}"))
				r.Header.Set("Content-Type", "application/json")
			}
			if got := gate().Do(t, handler, r); (got.Code == 429) != refused || (got.Header().Get("Retry-After") != "") != refused {
				t.Errorf("%s is answered with %d %v; too much: %t", route.Operation, got.Code, got.Header(), refused)
			}
		}
		w.advance(time.Minute)
	}
}
