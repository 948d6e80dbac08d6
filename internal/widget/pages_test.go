package widget_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"parley"
	"parley/internal/desk"
	"parley/internal/store/storetest"
	"parley/internal/widget"
)

func pagesOf(t *testing.T, w *world) http.Handler {
	t.Helper()
	h, err := widget.Pages(widget.PagesOptions{Desk: w.desk, Log: storetest.Quiet(), Built: fstest.MapFS{
		"frame.html":       {Data: []byte("<!doctype html>frame")},
		"widget.js":        {Data: []byte("tag()")},
		"assets/frame.js":  {Data: []byte("frame()")},
		"assets/frame.css": {Data: []byte("body {}")},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func page(h http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	return rec
}

// ancestors returns who may put an answer into a frame.
func ancestors(rec *httptest.ResponseRecorder) string {
	_, after, _ := strings.Cut(rec.Header().Get("Content-Security-Policy"), "frame-ancestors ")
	return after
}

func TestFrameIsShownWhereTheInboxSays(t *testing.T) {
	w := onSQLite(t)
	h := pagesOf(t, w)
	frame := "/widget/frame?inbox=" + w.inbox.String()
	first := page(h, frame)
	if got := ancestors(first); first.Code != http.StatusOK || got != "*" {
		t.Errorf("without origins: %d, frame-ancestors %q", first.Code, got)
	}
	_, err := w.desk.UpdateWidget(t.Context(), w.by(), w.inbox, desk.WidgetChange{
		Origins: parley.Some([]string{"https://shop.example", "http://localhost:3000"}),
	})
	if err != nil {
		t.Fatal(err)
	}
	// A browser that has the page must learn of the new policy.
	again := page(h, frame, "If-None-Match", first.Header().Get("ETag"))
	if got := ancestors(again); again.Code != http.StatusOK || got != "'self' https://shop.example http://localhost:3000" {
		t.Errorf("with origins: %d, frame-ancestors %q", again.Code, got)
	}
	for _, inbox := range []string{"", "nonsense", w.home.Inbox.ID.String(), "01934800-0000-7000-8000-000000000000"} {
		if rec := page(h, "/widget/frame?inbox="+inbox); rec.Code != http.StatusOK || ancestors(rec) != "*" {
			t.Errorf("inbox %q: %d, frame-ancestors %q", inbox, rec.Code, ancestors(rec))
		}
	}
}

func TestPolicyOfTheFrame(t *testing.T) {
	w := onSQLite(t)
	policy := page(pagesOf(t, w), "/widget/frame?inbox="+w.inbox.String()).Header().Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'"} {
		if !strings.Contains(policy, want+";") {
			t.Errorf("the policy %q lacks %s", policy, want)
		}
	}
	if strings.Contains(policy, "unsafe") {
		t.Errorf("the policy is unsafe: %s", policy)
	}
}

func TestFilesOfTheWidget(t *testing.T) {
	w := onSQLite(t)
	h := pagesOf(t, w)
	for path, want := range map[string]struct {
		status int
		kind   string
	}{
		"/widget.js":               {http.StatusOK, "text/javascript; charset=utf-8"},
		"/widget/assets/frame.js":  {http.StatusOK, "text/javascript; charset=utf-8"},
		"/widget/assets/frame.css": {http.StatusOK, "text/css; charset=utf-8"},
		"/widget/assets/other.js":  {http.StatusNotFound, "application/json"},
		"/widget/frame.html":       {http.StatusNotFound, "application/json"},
		"/widget":                  {http.StatusNotFound, "application/json"},
	} {
		rec := page(h, path)
		if got := rec.Header().Get("Content-Type"); rec.Code != want.status || got != want.kind {
			t.Errorf("%s: %d %s, want %d %s", path, rec.Code, got, want.status, want.kind)
		}
		if rec.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s may be sniffed", path)
		}
	}
	tag := page(h, "/widget.js").Header()
	if tag.Get("Cross-Origin-Resource-Policy") != "cross-origin" || tag.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("other sites may not load the tag: %v", tag)
	}
	if got := page(h, "/widget.js", "If-None-Match", tag.Get("ETag")).Code; got != http.StatusNotModified {
		t.Errorf("the tag is sent again: %d", got)
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, httptest.NewRequest(http.MethodPost, "/widget.js", nil))
	if rec.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST /widget.js: %d", rec.Code)
	}
}

func TestPagesNeedTheirFiles(t *testing.T) {
	w := onSQLite(t)
	if _, err := widget.Pages(widget.PagesOptions{Desk: w.desk, Log: storetest.Quiet(), Built: fstest.MapFS{}}); err == nil {
		t.Error("a server without the widget's files started")
	}
}
