package assets_test

import (
	"compress/gzip"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
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

// TestAnswers sends the same file by all ways, and parts of it.
func TestAnswers(t *testing.T) {
	text := strings.Repeat("words ", 1000)
	file := assets.New("page.html", []byte(text))
	get := func(method string, header ...string) *httptest.ResponseRecorder {
		r, w := httptest.NewRequest(method, "/page", nil), httptest.NewRecorder()
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		file.Serve(w, r)
		return w
	}
	whole := get(http.MethodGet)
	if whole.Code != http.StatusOK || whole.Body.String() != text || whole.Header().Get("Content-Length") != "6000" {
		t.Errorf("the file is %d with %v", whole.Code, whole.Header())
	}
	head := get(http.MethodHead)
	if head.Body.Len() > 0 || !maps.EqualFunc(head.Header(), whole.Header(), slices.Equal) {
		t.Errorf("HEAD has %v, GET %v", head.Header(), whole.Header())
	}
	zipped := get(http.MethodGet, "Accept-Encoding", "gzip")
	reader, err := gzip.NewReader(zipped.Body)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(reader); err != nil || string(got) != text {
		t.Errorf("the compressed file is %.20q: %v", got, err)
	}
	if known := get(http.MethodGet, "If-None-Match", whole.Header().Get("ETag")); known.Code != http.StatusNotModified || known.Body.Len() > 0 {
		t.Errorf("a file that the browser has is %d", known.Code)
	}
	if part := get(http.MethodGet, "Range", "bytes=0-4"); part.Code != http.StatusPartialContent || part.Body.String() != "words" {
		t.Errorf("a part is %d: %.20q", part.Code, part.Body)
	}
}
