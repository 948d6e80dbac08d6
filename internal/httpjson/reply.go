package httpjson

import (
	"iter"
	"net/http"
	"strconv"
	"strings"
)

// A Reply is the answer of a handler: a status and a JSON body.
type Reply struct {
	Status int
	Body   []byte
	Header http.Header // more headers; may be nil
	// Pieces, if set, are the body instead of Body, for one that is too large
	// to be in memory at once. If they end with an error, the connection is
	// closed, so that the caller does not mistake a part for the whole.
	Pieces iter.Seq2[[]byte, error]
}

// OK is the reply 200.
func OK(body []byte) Reply { return Reply{Status: http.StatusOK, Body: body} }

// SeeOther is the reply that leads a browser to another page.
func SeeOther(address string) Reply {
	return Reply{Status: http.StatusSeeOther, Header: http.Header{"Location": {address}}}
}

// Saved is the reply 201 if a record was created, else 200.
func Saved(created bool, body []byte) Reply {
	if created {
		return Reply{Status: http.StatusCreated, Body: body}
	}
	return OK(body)
}

// Write writes a reply. Its body is JSON unless its headers say otherwise.
func (reply Reply) Write(w http.ResponseWriter) {
	h := w.Header()
	for name, values := range reply.Header {
		if name == "Vary" { // which the surface may have begun
			values = append(h.Values(name), values...)
		}
		h[name] = values
	}
	h.Set("X-Content-Type-Options", "nosniff")
	if reply.Header.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	switch reply.Status {
	case http.StatusNoContent, http.StatusNotModified, http.StatusSeeOther:
		w.WriteHeader(reply.Status) // the first two have no body (RFC 9110, section 8.6), and the third needs none
		_, _ = w.Write(nil)         // sets the deadline of a write, which is that of the head here
		return
	}
	if h.Get("Content-Type") == "" {
		h.Set("Content-Type", "application/json")
	}
	if reply.Pieces != nil {
		w.WriteHeader(reply.Status)
		writePieces(w, reply.Pieces)
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(reply.Body)))
	w.WriteHeader(reply.Status)
	// If the caller has left, there is nobody to tell.
	_, _ = w.Write(reply.Body)
}

func writePieces(w http.ResponseWriter, pieces iter.Seq2[[]byte, error]) {
	for piece, err := range pieces {
		if err == nil {
			_, err = w.Write(piece)
		}
		if err != nil {
			panic(http.ErrAbortHandler) // net/http closes the connection
		}
	}
}

// SetIgnored names at most 20 inputs without effect in the header
// Parley-Ignored. Characters that a header cannot carry are escaped as in a
// URL.
func SetIgnored(h http.Header, names []string) {
	if len(names) == 0 {
		return
	}
	shown := make([]string, 0, maxIgnored)
	for _, name := range names[:min(len(names), maxIgnored)] {
		shown = append(shown, headerName(name))
	}
	h.Set("Parley-Ignored", strings.Join(shown, ", "))
}

// headerName returns the first 100 bytes of a name in a form that a header can
// carry.
func headerName(name string) string {
	const longest = 100
	var b strings.Builder
	for i := range min(len(name), longest) {
		c := name[i]
		if c > ' ' && c < 0x7f && c != ',' && c != '%' {
			b.WriteByte(c)
		} else {
			b.WriteString("%" + strings.ToUpper(strconv.FormatInt(int64(c)|0x100, 16)[1:]))
		}
	}
	return b.String()
}
