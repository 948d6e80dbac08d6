package dashboard_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"parley/internal/dashboard"
)

// TestLanguageOfPages requests the page as members with a choice and browsers
// with preferences do.
func TestLanguageOfPages(t *testing.T) {
	pages, err := dashboard.Pages(fstest.MapFS{"index.html": {Data: []byte("Hello")}, "index.de.html": {Data: []byte("Hallo")}, "assets/de/app.js": {Data: []byte("lauf()")}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, cookie, accepted, text string }{
		{"/inbox", "", "", "Hello"},
		{"/inbox", "", "de-AT,de;q=0.9,en;q=0.8", "Hallo"},
		{"/inbox", "", "fr, en;q=0.7, de;q=0.8", "Hallo"},
		{"/inbox", "", "de;q=0, fr", "Hello"},
		{"/inbox", "", "de;q=many, *", "Hello"},
		{"/inbox", "en", "de", "Hello"},
		{"/inbox", "de", "en", "Hallo"},
		{"/inbox", "../de", "en", "Hello"},
		{"/nope", "de", "en", "Hallo"},
		{"/assets/de/app.js", "", "en", "lauf()"},
	} {
		r := httptest.NewRequest(http.MethodGet, c.path, nil)
		r.Header.Set("Accept", "text/html")
		r.Header.Set("Accept-Language", c.accepted)
		if c.cookie != "" {
			r.AddCookie(&http.Cookie{Name: "parley_language", Value: c.cookie})
		}
		w := httptest.NewRecorder()
		pages.ServeHTTP(w, r)
		if w.Body.String() != c.text {
			t.Errorf("%s with cookie %q and %q: %s", c.path, c.cookie, c.accepted, w.Body)
		}
		if want := "Accept-Encoding, Accept-Language, Cookie"; c.path == "/inbox" && w.Header().Get("Vary") != want {
			t.Errorf("%s varies by %q", c.path, w.Header().Get("Vary"))
		}
	}
}

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
