package dashboard_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"parley/internal/dashboard"
)

// TestMissingPages requests an address without a page: a person gets the page
// that says so, a program JSON, and both 404.
func TestMissingPages(t *testing.T) {
	pages, err := dashboard.Pages(fstest.MapFS{"index.html": {Data: []byte("<p>the page")}, "assets/app.js": {Data: []byte("run()")}})
	if err != nil {
		t.Fatal(err)
	}
	const person, program = "text/html,application/xhtml+xml,*/*;q=0.8", "*/*"
	for _, c := range []struct {
		method, path, accept string
		status               int
		text                 string
	}{
		{"GET", "/inbox", person, 200, "<p>the page"},
		{"GET", "/assets/app.js", program, 200, "run()"},
		{"GET", "/nope", person, 404, "<p>the page"},
		{"HEAD", "/nope", person, 404, ""},
		{"GET", "/assets/gone.js", program, 404, "there is no such address"},
		{"GET", "/nope", program, 404, "there is no such address"},
		{"GET", "/v1/nope", person, 404, "there is no such address"},
		{"POST", "/nope", person, 404, "there is no such address"},
	} {
		r := httptest.NewRequest(c.method, c.path, nil)
		r.Header.Set("Accept", c.accept)
		w := httptest.NewRecorder()
		pages.ServeHTTP(w, r)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.text) {
			t.Errorf("%s %s for %s: %d %s", c.method, c.path, c.accept, w.Code, w.Body)
		}
		if w.Code == http.StatusNotFound && c.accept == person && w.Header().Get("Content-Security-Policy") == "" && c.text == "<p>the page" {
			t.Errorf("%s comes without the policy of pages", c.path)
		}
	}
}
