package widget_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"parley"
	"parley/internal/customers"
	"parley/internal/store/storetest"
	"parley/internal/widget"
)

func pagesOf(t *testing.T, w *world) http.Handler {
	t.Helper()
	h, err := widget.Pages(widget.PagesOptions{Customers: w.Customers, Log: storetest.Quiet(), Built: fstest.MapFS{
		"frame.html":       {Data: []byte(`<!doctype html><div id="root" data-inbox=""></div>`)},
		"widget.js":        {Data: []byte("tag()")},
		"assets/frame.js":  {Data: []byte("frame()")},
		"assets/frame.css": {Data: []byte("body {}")}, "assets/text.fr.json": {Data: []byte("{}")},
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

// ancestors returns who may frame an answer.
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
	_, err := w.Customers.UpdateWidget(t.Context(), w.By(), w.inbox, customers.WidgetChange{
		Origins: parley.Some([]string{"https://shop.example", "http://localhost:3000"}),
	})
	if err != nil {
		t.Fatal(err)
	}
	// A browser that has the page must receive the new policy.
	if got := first.Header().Get("Cache-Control"); got != "no-store" {
		t.Errorf("browsers may keep the page: Cache-Control %q", got)
	}
	again := page(h, frame)
	if got := ancestors(again); again.Code != http.StatusOK || got != "'self' https://shop.example http://localhost:3000" {
		t.Errorf("with origins: %d, frame-ancestors %q", again.Code, got)
	}
	for _, inbox := range []string{"", "nonsense", w.Home.Inbox.ID.String(), "01934800-0000-7000-8000-000000000000"} {
		rec := page(h, "/widget/frame?inbox="+inbox)
		if rec.Code != http.StatusOK || ancestors(rec) != "'none'" || !strings.Contains(rec.Body.String(), `data-inbox=""`) {
			t.Errorf("inbox %q: %d, frame-ancestors %q: %s", inbox, rec.Code, ancestors(rec), rec.Body)
		}
	}
}

// TestFrameOfAnAddressWithTwoReadings requests the frame of an inbox that lists
// origins, with addresses that this server and a browser's script may read
// differently. No answer that contains the inbox may be framed elsewhere.
func TestFrameOfAnAddressWithTwoReadings(t *testing.T) {
	w := onSQLite(t)
	h := pagesOf(t, w)
	const only = "'self' https://shop.example"
	_, err := w.Customers.UpdateWidget(t.Context(), w.By(), w.inbox, customers.WidgetChange{Origins: parley.Some([]string{"https://shop.example"})})
	if err != nil {
		t.Fatal(err)
	}
	id := w.inbox.String()
	for name, query := range map[string]string{
		"many separators":  "inbox=" + id + strings.Repeat("&", 10001),
		"many parameters":  "inbox=" + id + strings.Repeat("&a=b", 10001),
		"a broken escape":  "a=%zz&inbox=" + id,
		"a semicolon":      "a;inbox=" + id,
		"twice":            "inbox=" + id + "&inbox=nonsense",
		"twice, then true": "inbox=nonsense&inbox=" + id,
		"no text":          "a=%ff&inbox=" + id,
	} {
		rec := page(h, "/widget/frame?"+query)
		if got := ancestors(rec); rec.Code != http.StatusBadRequest || got != "'none'" || strings.Contains(rec.Body.String(), "data-inbox") {
			t.Errorf("%s: %d, frame-ancestors %q: %.200s", name, rec.Code, got, rec.Body)
		}
	}
	for _, query := range []string{"inbox=" + strings.ToUpper(id), "%69nbox=" + id, "preview&inbox=" + id, "Inbox=x&inbox=" + id} {
		rec := page(h, "/widget/frame?"+query)
		named := strings.Contains(rec.Body.String(), `data-inbox="`+id+`"`)
		if got := ancestors(rec); named && got != only || !named && got != "'none'" {
			t.Errorf("%s: frame-ancestors %q: %s", query, got, rec.Body)
		}
	}
	if rec := page(h, "/widget/frame?inbox="+id); !strings.Contains(rec.Body.String(), `data-inbox="`+id+`"`) || ancestors(rec) != only {
		t.Errorf("frame-ancestors %q: %s", ancestors(rec), rec.Body)
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
		"/widget.js":                  {http.StatusOK, "text/javascript; charset=utf-8"},
		"/widget/assets/frame.js":     {http.StatusOK, "text/javascript; charset=utf-8"},
		"/widget/assets/frame.css":    {http.StatusOK, "text/css; charset=utf-8"},
		"/widget/assets/text.fr.json": {http.StatusOK, "application/json"},
		"/widget/assets/other.js":     {http.StatusNotFound, "application/json"},
		"/widget/frame.html":          {http.StatusNotFound, "application/json"},
		"/widget":                     {http.StatusNotFound, "application/json"},
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
	for _, built := range []fstest.MapFS{
		{}, {"frame.html": {Data: []byte(`<div id="root"></div>`)}, "widget.js": {}}, {"frame.html": {Data: []byte(`<div data-inbox="">`)}},
	} {
		if _, err := widget.Pages(widget.PagesOptions{Customers: w.Customers, Log: storetest.Quiet(), Built: built}); err == nil {
			t.Errorf("a server with %v of the widget's files started", built)
		}
	}
}
