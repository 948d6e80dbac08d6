// Package reference serves the pages for API developers: the references under
// /docs, rendered by an embedded viewer from the server's OpenAPI documents,
// and the deprecation notices.
//
// It imports only assets. All files are embedded in the binary. The pages load
// nothing from other servers and run no inline script or style, which their
// Content-Security-Policy enforces.
package reference

import (
	"embed"
	"net/http"
	"path"

	"parley/internal/assets"
)

// The viewer is Swagger UI with its licences, as web/openapi/viewer.sh copies
// it from its package; the other files are ours.
//
//go:embed pages viewer
var files embed.FS

// policy allows only what the viewer needs: its icons are data URLs, and it
// fetches the document and the user's test requests from this server.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Handler serves /docs and the paths below it:
//
//	/docs                        the reference of the public API
//	/docs/widget                 the reference of the chat widget's API
//	/docs/dashboard              the reference of the dashboard's API
//	/docs/deprecations/stores    the deprecation notice of the stores routes (contract, section 9)
//	/docs/assets/…               files that these pages load
//
// /docs/ is the same as /docs. notice is applied to the text of the deprecation
// notice, since an operator may move its date.
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

// A site maps paths to files.
type site map[string]assets.File

// ServeHTTP serves a file. Unknown paths get 404, and methods other than GET
// and HEAD get 405.
func (s site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
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
	// The client may have disconnected.
	_, _ = w.Write([]byte("<!doctype html><html lang=\"en\"><title>" + http.StatusText(status) + "</title><p>" + sentence +
		" <a href=\"/docs\">API reference</a></p></html>\n"))
}

// embedded returns an embedded file. Without it the server does not start.
func embedded(name string) assets.File { return assets.New(name, text(name)) }

func text(name string) []byte {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return text
}
