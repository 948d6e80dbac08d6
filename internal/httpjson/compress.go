package httpjson

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// minCompressed is the size in bytes from which an answer is compressed. A
// smaller one fits into a few packets, which is not worth the processor time.
const minCompressed = 4 << 10

// A Compressor compresses answers with gzip. It reuses the memory of earlier
// answers, about a megabyte each, and is safe for concurrent use.
type Compressor struct{ writers sync.Pool }

// Reply returns a reply, compressed if the request accepts that and the body is
// large enough. A reply in pieces stays unchanged.
func (z *Compressor) Reply(r *http.Request, reply Reply) Reply {
	if len(reply.Body) < minCompressed || reply.Pieces != nil {
		return reply
	}
	h := maps.Clone(reply.Header)
	if h == nil {
		h = http.Header{}
	}
	h.Add("Vary", "Accept-Encoding")
	reply.Header = h
	if !takesGzip(r.Header) {
		return reply
	}
	var b bytes.Buffer
	b.Grow(len(reply.Body) / 4)
	w, ok := z.writers.Get().(*gzip.Writer)
	if ok {
		w.Reset(&b)
	} else {
		w, _ = gzip.NewWriterLevel(&b, gzip.BestSpeed) // the level is valid
	}
	_, err := w.Write(reply.Body)
	if closeErr := w.Close(); err != nil || closeErr != nil { // a buffer accepts every write
		return reply
	}
	z.writers.Put(w)
	h.Set("Content-Encoding", "gzip")
	reply.Body = b.Bytes()
	return reply
}

// takesGzip reports whether the caller names gzip and does not refuse it with
// q=0 (RFC 9110, section 12.5.3).
func takesGzip(h http.Header) bool {
	for coding := range strings.SplitSeq(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		name, parameter, _ := strings.Cut(coding, ";")
		if !strings.EqualFold(strings.TrimSpace(name), "gzip") {
			continue
		}
		weight, given := strings.CutPrefix(strings.ToLower(strings.TrimSpace(parameter)), "q=")
		q, err := strconv.ParseFloat(strings.TrimSpace(weight), 64)
		return !given || err == nil && q > 0
	}
	return false
}

// Document is the reply to a request for an OpenAPI document as JSON.
func Document(r *http.Request, text []byte, err error) (Reply, error) {
	return document(r, "application/json", text), err
}

// DocumentYAML is the reply to a request for an OpenAPI document as YAML.
func DocumentYAML(r *http.Request, text []byte, err error) (Reply, error) {
	return document(r, "application/yaml", text), err
}

// document tags the text by its content, so that a caller that has it gets 304
// until another version of the server runs. The tag is weak because it also
// stands for the compressed text.
func document(r *http.Request, contentType string, text []byte) Reply {
	sum := sha256.Sum256(text)
	tag := `W/"` + hex.EncodeToString(sum[:12]) + `"`
	h := http.Header{"Etag": {tag}, "Cache-Control": {"no-cache"}, "Vary": {"Accept-Encoding"}}
	for known := range strings.SplitSeq(strings.Join(r.Header.Values("If-None-Match"), ","), ",") {
		if known = strings.TrimSpace(known); known == "*" || strings.TrimPrefix(known, "W/") == tag[2:] {
			return Reply{Status: http.StatusNotModified, Header: h}
		}
	}
	h.Set("Content-Type", contentType)
	return Reply{Status: http.StatusOK, Body: text, Header: h}
}
