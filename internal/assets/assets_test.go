package assets_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"parley/internal/assets"
)

// TestCaching lets browsers keep what they would ask for at each step.
func TestCaching(t *testing.T) {
	for name, want := range map[string]string{
		"icon.svg": "public, max-age=86400", "phone.png": "public, max-age=86400", "geist.woff2": "public, max-age=86400",
		"index.html": "no-cache", "app.js": "no-cache", "app.css": "no-cache", "LICENSE": "no-cache",
	} {
		w := httptest.NewRecorder()
		assets.New(name, []byte("x")).Serve(w, httptest.NewRequest(http.MethodGet, "/"+name, nil))
		if got := w.Header().Get("Cache-Control"); got != want || w.Header().Get("ETag") == "" {
			t.Errorf("%s is kept by %q with the tag %q, want %q", name, got, w.Header().Get("ETag"), want)
		}
	}
}
