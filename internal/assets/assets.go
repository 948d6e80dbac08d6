// Package assets serves files that are embedded in the binary. Each file is
// compressed once and has an ETag, so that browsers download it again only
// after an upgrade of the server.
//
// It imports nothing of this module.
package assets

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A File is an embedded file with its HTTP headers.
type File struct {
	contentType string
	text        []byte
	zipped      func() []byte // computed on first use: a large file takes a tenth of a second
	etag        string
	vary        string
}

// New returns a file. The extension of its name determines its media type;
// without one it is plain text.
func New(name string, text []byte) File {
	sum := sha256.Sum256(text)
	return File{
		contentType: contentType(name), text: text,
		zipped: sync.OnceValue(func() []byte { return zip(text) }),
		// Weak, because the compressed file has the same tag.
		etag: `W/"` + hex.EncodeToString(sum[:12]) + `"`,
		vary: "Accept-Encoding",
	}
}

// VaryingBy returns the file for an address that has several files, selected by
// the named headers of the request, separated by commas.
func (f File) VaryingBy(headers string) File {
	f.vary += ", " + headers
	return f
}

// contentType does not use the system's table, which differs between machines.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".woff2":
		return "font/woff2"
	case ".json":
		return "application/json"
	case ".xml":
		return "application/xml; charset=utf-8"
	case ".webmanifest":
		return "application/manifest+json"
	}
	return "text/plain; charset=utf-8"
}

// Serve answers GET and HEAD with the file.
func (f File) Serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.contentType)
	h.Set("ETag", f.etag)
	h.Set("Vary", f.vary)
	h.Set("Cache-Control", f.caching())
	body := f.text
	if takesGzip(r.Header) && f.contentType != "font/woff2" && f.contentType != "image/png" {
		h.Set("Content-Encoding", "gzip")
		body = f.zipped()
	}
	if conditional(r.Header) {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
		return
	}
	// As ServeContent does, which copies through a buffer of its own.
	h.Set("Accept-Ranges", "bytes")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the browser may have disconnected
	}
}

// conditional reports whether a request asks for a part, or only for a file that
// has changed.
func conditional(h http.Header) bool {
	return h["Range"] != nil || h["If-None-Match"] != nil || h["If-Match"] != nil || h["If-Range"] != nil
}

// ServeNotFound answers with the file as the page for a path that does not
// exist.
func (f File) ServeNotFound(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.contentType)
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNotFound)
	if r.Method != http.MethodHead {
		// The browser may have disconnected.
		_, _ = w.Write(f.text)
	}
}

// caching lets browsers keep pictures and fonts for a day, because they request
// the icon whenever the path of the page changes. Other files are revalidated
// each time, with 304 as the answer until the server is upgraded.
func (f File) caching() string {
	if strings.HasPrefix(f.contentType, "image/") || strings.HasPrefix(f.contentType, "font/") {
		return "public, max-age=86400"
	}
	return "no-cache"
}

// takesGzip reports whether the client accepts gzip and did not exclude it with
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
	// A bytes.Buffer accepts every write.
	_, _ = z.Write(text)
	_ = z.Close()
	return b.Bytes()
}
