// Package reference serves the pages for people who write against the API: the
// reference under /docs, drawn by an embedded viewer from the server's own
// OpenAPI document, and the notices of deprecations.
//
// It imports nothing of this module. The pages load nothing from outside and
// run no inline script, which their Content-Security-Policy enforces.
package reference

import (
	"embed"
	"io/fs"
	"net/http"
)

// The viewer is Swagger UI, as web/openapi/viewer.sh copies it from its
// package; the rest is ours.
//
//go:embed pages viewer
var files embed.FS

// policy lets the viewer do what it needs and nothing else. Its styles are
// inline and its icons are data URLs.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Handler answers /docs and what is below it.
func Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /docs", page("pages/reference.html", "text/html; charset=utf-8"))
	mux.Handle("GET /docs/deprecations/stores", page("pages/stores.html", "text/html; charset=utf-8"))
	for name, kind := range map[string]string{
		"pages/reference.js": "text/javascript; charset=utf-8", "pages/pages.css": "text/css; charset=utf-8",
		"viewer/swagger-ui-bundle.js": "text/javascript; charset=utf-8", "viewer/swagger-ui.css": "text/css; charset=utf-8",
	} {
		mux.Handle("GET /docs/"+name, page(name, kind))
	}
	mux.HandleFunc("/docs/", func(w http.ResponseWriter, _ *http.Request) {
		header(w, "text/html; charset=utf-8")
		w.WriteHeader(http.StatusNotFound)
		// Whoever has left needs no page.
		_, _ = w.Write([]byte("<!doctype html><title>Not found</title><p>There is no such page. <a href=\"/docs\">API reference</a></p>\n"))
	})
	return mux
}

func page(name, contentType string) http.Handler {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		panic(err) // the file is embedded, so a build without it does not start
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		header(w, contentType)
		// Whoever has left needs no page.
		_, _ = w.Write(text)
	})
}

func header(w http.ResponseWriter, contentType string) {
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-cache")
}
