package httpjson_test

import (
	"net/http/httptest"
	"testing"

	"parley/internal/httpjson"
)

func TestWantsStream(t *testing.T) {
	for accept, want := range map[string]bool{
		"":                                    false,
		"*/*":                                 false,
		"application/json":                    false,
		"text/event-stream":                   true,
		"TEXT/Event-Stream":                   true,
		"application/json, text/event-stream": true,
		"text/event-stream;q=0.5, application/json":     true,
		"text/event-stream; charset=utf-8; q=1":         true,
		"text/event-stream;q=0":                         false,
		"text/event-stream;q=0, application/json":       false,
		"application/json, text/event-stream ; Q=0.000": false,
		"text/event-stream;version=0":                   true,
		"text/event-stream;q=nonsense":                  true,
	} {
		r := httptest.NewRequest("GET", "/v1/public/events", nil)
		r.Header.Set("Accept", accept)
		if got := httpjson.WantsStream(r); got != want {
			t.Errorf("Accept %q wants a stream: %t, want %t", accept, got, want)
		}
	}
}
