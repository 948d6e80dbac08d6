package publicapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestDocumentIsKept asks for the document as a client does that has it already.
func TestDocumentIsKept(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	for _, path := range []string{"/v1/public/openapi.json", "/v1/public/openapi.yaml"} {
		ask := func(known string) answer {
			return w.send(request{method: "GET", path: path, key: "none", header: http.Header{"If-None-Match": {known}}})
		}
		first := ask("").want(200)
		tag := first.header.Get("ETag")
		if first.header.Get("Cache-Control") != "no-cache" || !strings.HasPrefix(tag, `W/"`) {
			t.Errorf("%s: the headers are %v", path, first.header)
		}
		for _, known := range []string{tag, strings.TrimPrefix(tag, "W/"), `"x", ` + tag, "*"} {
			if got := ask(known).want(304); len(got.body) != 0 || got.header.Get("ETag") != tag {
				t.Errorf("%s: %q gives %d bytes and %v", path, known, len(got.body), got.header)
			}
		}
		ask(`"x"`).want(200)
		zipped := w.send(request{method: "GET", path: path, key: "none", header: http.Header{"Accept-Encoding": {"gzip"}, "If-None-Match": {tag}}})
		if zipped.want(304).header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: the headers are %v", path, zipped.header)
		}
	}
}

// TestDocumentFollowsSunset moves the end of the stores routes.
func TestDocumentFollowsSunset(t *testing.T) {
	w := onSQLite(t, worldOptions{sunset: time.Date(2028, time.March, 5, 12, 0, 0, 0, time.UTC)})
	for _, path := range []string{"/v1/public/openapi.json", "/v1/public/openapi.yaml"} {
		text := string(w.get(path).want(200).body)
		if strings.Contains(text, "February 2027") || strings.Contains(text, "Feb 2027") {
			t.Errorf("%s speaks of 16 February 2027", path)
		}
		if !strings.Contains(text, "5 March 2028") || !strings.Contains(text, "Sun, 05 Mar 2028 12:00:00 GMT") {
			t.Errorf("%s does not speak of 5 March 2028", path)
		}
	}
}
