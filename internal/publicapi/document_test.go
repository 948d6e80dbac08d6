package publicapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"parley/internal/apitest"
)

func TestDocumentIsKept(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	for _, path := range []string{"/v1/public/openapi.json", "/v1/public/openapi.yaml"} {
		apitest.KeepsDocument(t, w.World, path)
		tag := w.Get(path).Want(200).Header.Get("ETag")
		zipped := w.Send(apitest.Request{Method: "GET", Path: path, Header: http.Header{"Accept-Encoding": {"gzip"}, "If-None-Match": {tag}}})
		if zipped.Want(304).Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: the headers are %v", path, zipped.Header)
		}
	}
}

// TestDocumentFollowsSunset moves the end of the stores routes.
func TestDocumentFollowsSunset(t *testing.T) {
	w := onSQLite(t, worldOptions{sunset: time.Date(2028, time.March, 5, 12, 0, 0, 0, time.UTC)})
	for _, path := range []string{"/v1/public/openapi.json", "/v1/public/openapi.yaml"} {
		text := string(w.Get(path).Want(200).Body)
		if strings.Contains(text, "February 2027") || strings.Contains(text, "Feb 2027") {
			t.Errorf("%s speaks of 16 February 2027", path)
		}
		if !strings.Contains(text, "5 March 2028") || !strings.Contains(text, "Sun, 05 Mar 2028 12:00:00 GMT") {
			t.Errorf("%s does not speak of 5 March 2028", path)
		}
	}
}
