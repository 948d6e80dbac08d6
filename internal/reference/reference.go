// Package reference serves the pages for people who write against the API: the
// reference under /docs, drawn by an embedded viewer from the server's own
// OpenAPI document, and the notices of deprecations.
//
// It imports nothing of this module. Every file is part of the binary. The
// pages load nothing from outside and run no inline script or style, which
// their Content-Security-Policy enforces.
package reference

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
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

const (
	html       = "text/html; charset=utf-8"
	stylesheet = "text/css; charset=utf-8"
	script     = "text/javascript; charset=utf-8"
	plain      = "text/plain; charset=utf-8"
)

// Handler answers /docs and what is below it:
//
//	/docs                        the API reference
//	/docs/deprecations/stores    the notice that stores routes point to (contract, section 9)
//	/docs/assets/…               what these pages load
//
// The address /docs/ is the same as /docs.
func Handler() http.Handler {
	start := embedded("pages/reference.html", html)
	s := site{
		"/docs": start, "/docs/": start,
		"/docs/deprecations/stores": embedded("pages/stores.html", html),
	}
	for name, contentType := range map[string]string{
		"pages/pages.css": stylesheet, "pages/reference.js": script,
		"viewer/swagger-ui.css": stylesheet, "viewer/swagger-ui-bundle.js": script,
		"viewer/LICENSE": plain, "viewer/NOTICE": plain, "viewer/swagger-ui-bundle.js.LICENSE.txt": plain,
	} {
		s["/docs/assets/"+path.Base(name)] = embedded(name, contentType)
	}
	return s
}

// A site is its files by their addresses.
type site map[string]file

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
		f.serve(w, r)
	}
}

func refuse(w http.ResponseWriter, r *http.Request, status int, sentence string) {
	w.Header().Set("Content-Type", html)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return
	}
	// Whoever has left needs no page.
	_, _ = w.Write([]byte("<!doctype html><html lang=\"en\"><title>" + http.StatusText(status) + "</title><p>" + sentence +
		" <a href=\"/docs\">API reference</a></p></html>\n"))
}

// A file is what stands at an address.
type file struct {
	contentType string
	text        []byte
	zipped      func() []byte // on first use: the viewer takes a tenth of a second
	etag        string
}

// embedded returns a file of the binary. A build without it does not start.
func embedded(name, contentType string) file {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(text)
	return file{
		contentType: contentType, text: text,
		zipped: sync.OnceValue(func() []byte { return zip(text) }),
		// Weak, for it stands for the zipped file too.
		etag: `W/"` + hex.EncodeToString(sum[:12]) + `"`,
	}
}

func (f file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.contentType)
	h.Set("ETag", f.etag)
	h.Set("Vary", "Accept-Encoding")
	// A browser asks each time, and gets 304 until the server is another version.
	h.Set("Cache-Control", "no-cache")
	body := f.text
	if takesGzip(r.Header) {
		h.Set("Content-Encoding", "gzip")
		body = f.zipped()
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// takesGzip reports whether the caller named gzip and did not refuse it with
// q=0 (RFC 9110, section 12.5.3).
func takesGzip(h http.Header) bool {
	for coding := range strings.SplitSeq(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		name, weight, _ := strings.Cut(coding, ";")
		_, q, _ := strings.Cut(weight, "=")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q = strings.TrimSpace(q)
			return q == "" || strings.Trim(q, "0.") != ""
		}
	}
	return false
}

func zip(text []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	// Memory takes every write.
	_, _ = z.Write(text)
	_ = z.Close()
	return b.Bytes()
}
