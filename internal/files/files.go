// Package files serves the content of attachments under /v1/files. An address
// is valid for a limited time and needs nothing but its signature, so that
// pictures show in a page and links open in a browser.
//
// All files come from strangers, so none may act as a page of this server. Only
// pictures, sound and film of types without scripts are displayed; everything
// else is downloaded. The browser is told not to guess another type, and to
// give displayed content no rights (ADR 22).
//
// It imports the vocabulary, the desk, httpjson, media and the JSON shapes.
package files

import (
	"cmp"
	"log/slog"
	"mime"
	"net/http"
	"strconv"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/media"
	"parley/internal/wire"
)

// sendTime is how long sending a whole file may take; the envelope limits each
// piece.
const sendTime = 10 * time.Minute

// Options configure the handler.
type Options struct {
	Desk    *desk.Desk
	Clock   parley.Clock
	Log     *slog.Logger
	Clients *httpjson.Clients
	// Requests are the limits of one address; the zero value means
	// RequestLimits.
	Requests httpjson.AddressLimits
}

// RequestLimits returns how many files one network address may request: a
// file's address is enough to get it, and may have been passed on.
func RequestLimits() httpjson.AddressLimits {
	return httpjson.AddressLimits{AMinute: 6000, AtOnce: 100}
}

// Handler returns the handler for all files.
func Handler(o Options) http.Handler {
	f := &server{o}
	limiter := httpjson.NewAddressLimiter(httpjson.AddressLimiterOptions{
		Limits: cmp.Or(o.Requests, RequestLimits()), Clock: o.Clock, Log: o.Log, Clients: o.Clients,
	})
	return limiter.Wrap(httpjson.CleanPaths(httpjson.NewMux([]httpjson.Route{
		{Method: http.MethodGet, Path: wire.FilesPath + "{id}/{name}", Handler: http.HandlerFunc(f.serve)},
	})))
}

type server struct{ Options }

func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	in := httpjson.NewReader(r)
	expires, _ := in.Query("e")
	signature, _ := in.Query("s")
	if in.Err() != nil {
		expires, signature = "", "" // an address that cannot be read is not valid
	}
	id, _ := parley.ParseID(r.PathValue("id")) // one that is none has no signature
	file, err := s.Desk.Attachments().OpenFile(r.Context(), id, expires, signature)
	if err != nil {
		httpjson.WriteError(w, r, s.Log, err)
		return
	}
	defer func() { _ = file.Content.Close() }() // it was only read
	// A connection without deadlines, as in a test, needs none.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(sendTime))
	s.headers(w.Header(), &file)
	http.ServeContent(&jsonErrors{ResponseWriter: w}, r, "", file.CreatedAt, file.Content)
}

func (s *server) headers(h http.Header, file *desk.File) {
	disposition, kind := "attachment", media.Unknown
	if media.Inline(file.ContentType) {
		disposition, kind = "inline", file.ContentType
	}
	h.Set("Content-Type", kind)
	h.Set("Content-Disposition", mime.FormatMediaType(disposition, map[string]string{"filename": file.FileName}))
	h.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-site")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("ETag", `"`+file.ID.String()+`"`) // the content of a file never changes
	seconds := int64(file.Until.Sub(s.Clock.Now()) / time.Second)
	h.Set("Cache-Control", "private, max-age="+strconv.FormatInt(seconds, 10))
}

// jsonErrors answers in JSON if http.ServeContent refuses a range in plain
// text.
type jsonErrors struct {
	http.ResponseWriter
	refused bool
}

func (w *jsonErrors) WriteHeader(status int) {
	if status < http.StatusBadRequest || status == http.StatusPreconditionFailed {
		w.ResponseWriter.WriteHeader(status)
		return
	}
	w.refused = true
	h := w.Header()
	for _, name := range []string{"Content-Disposition", "Content-Length", "ETag", "Last-Modified"} {
		h.Del(name)
	}
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	code, message := string(parley.CodeInternal), `{"error":"the file cannot be read now; try again"}`
	if status == http.StatusRequestedRangeNotSatisfiable {
		code, message = string(parley.CodeInvalid)+"; field=Range", `{"error":"Range: must lie within the file"}`
	}
	h.Set("Parley-Error", code)
	w.ResponseWriter.WriteHeader(status)
	_, _ = w.ResponseWriter.Write([]byte(message)) // as with any answer, a caller who has left gets nothing
}

func (w *jsonErrors) Write(b []byte) (int, error) {
	if w.refused {
		return len(b), nil
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap is called by http.ResponseController.
func (w *jsonErrors) Unwrap() http.ResponseWriter { return w.ResponseWriter }
