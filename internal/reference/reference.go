// Package reference serves the pages for people who write against the API: the
// references under /docs, drawn by an embedded viewer from the server's own
// OpenAPI documents, and the notices of deprecations.
//
// It imports assets alone. Every file is part of the binary. The
// pages load nothing from outside and run no inline script or style, which
// their Content-Security-Policy enforces.
package reference

import (
	"embed"
	"net/http"
	"path"

	"parley/internal/assets"
)

// The viewer is Swagger UI, as web/openapi/viewer.sh copies it from its
// package, with its licences; the rest is ours.
//
//go:embed pages viewer
var files embed.FS

// policy lets the viewer do what it needs and nothing else: its icons are data
// URLs, and it asks this server for the document and for what its reader tries
// out.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Handler answers /docs and what is below it:
//
//	/docs                        the reference of the public API
//	/docs/widget                 that of the chat widget's
//	/docs/dashboard              that of the dashboard's
//	/docs/deprecations/stores    the notice that stores routes point to (contract, section 9)
//	/docs/assets/…               what these pages load
//
// The address /docs/ is the same as /docs. notice is applied to the text of the
// notice, whose date an operator may move.
func Handler(notice func(text []byte) []byte) http.Handler {
	start := embedded("pages/reference.html")
	s := site{
		"/docs": start, "/docs/": start, "/docs/widget": start, "/docs/dashboard": start,
		"/docs/deprecations/stores": assets.New("stores.html", notice(text("pages/stores.html"))),
	}
	for _, name := range []string{
		"pages/pages.css", "pages/reference.js", "viewer/swagger-ui.css", "viewer/swagger-ui-bundle.js",
		"viewer/LICENSE", "viewer/NOTICE", "viewer/swagger-ui-bundle.js.LICENSE.txt",
	} {
		s["/docs/assets/"+path.Base(name)] = embedded(name)
	}
	return s
}

// A site is its files by their addresses.
type site map[string]assets.File

// ServeHTTP answers with a file; what is none gets 404, and whoever wants more
// than to read 405.
func (s site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	f, ok := s[r.URL.Path]
	switch {
	case !ok:
		refuse(w, r, http.StatusNotFound, "There is no such page.")
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		refuse(w, r, http.StatusMethodNotAllowed, "This page can only be read.")
	default:
		f.Serve(w, r)
	}
}

func refuse(w http.ResponseWriter, r *http.Request, status int, sentence string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return
	}
	// Whoever has left needs no page.
	_, _ = w.Write([]byte("<!doctype html><html lang=\"en\"><title>" + http.StatusText(status) + "</title><p>" + sentence +
		" <a href=\"/docs\">API reference</a></p></html>\n"))
}

// embedded returns a file of the binary. A build without it does not start.
func embedded(name string) assets.File { return assets.New(name, text(name)) }

func text(name string) []byte {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return text
}
