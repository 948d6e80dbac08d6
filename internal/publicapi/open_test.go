package publicapi_test

import (
	"net/http/httptest"
	"testing"
	"time"

	"parley"
	"parley/internal/httpjson"
	"parley/internal/publicapi"
)

// TestOpenRoutesAreCounted asks for what needs no key from an address that has
// asked for too much.
func TestOpenRoutesAreCounted(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	open := httpjson.NewAddressLimiter(httpjson.AddressLimiterOptions{
		Limits: httpjson.AddressLimits{AMinute: 1, AtOnce: 1}, Clock: w.now, Log: testLog(t),
	})
	surface := publicapi.New(publicapi.Options{Desk: w.desk, Access: w.access, Clock: w.now, Log: testLog(t), Sunset: publicapi.StoresSunset(), Open: open})
	envelope := httpjson.Envelope{Log: testLog(t), IDs: parley.NewIDs(nil), Timeout: 20 * time.Second}
	w.handler = envelope.Wrap(surface.Handler())
	for _, route := range publicapi.Routes() {
		if !route.Open {
			continue
		}
		for _, want := range []int{200, 429} {
			r := httptest.NewRequest(route.Method, route.Path, nil)
			if got := gate().Do(t, w.handler, r); got.Code != want || (got.Header().Get("Retry-After") != "") != (want == 429) {
				t.Errorf("%s is answered with %d %v, want %d", route.Operation, got.Code, got.Header(), want)
			}
		}
		w.get("/v1/public/products").want(200) // a key is counted by itself
		w.advance(time.Minute)
	}
}
