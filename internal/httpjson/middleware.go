package httpjson

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"runtime/debug"
	"strings"
	"time"

	"parley"
)

type envelopeKey struct{}

// RequestID returns the id of the request that a context belongs to, or "".
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(envelopeKey{}).(string)
	return id
}

// An Envelope is what every request goes through, whoever answers it.
type Envelope struct {
	Log     *slog.Logger
	IDs     *parley.IDs
	Timeout time.Duration // of a request, from its head to its answer; 0 for none
	Writing WriteTimes
	// Closing reports, when an answer begins, whether its connection is to end with
	// it (RFC 9112, section 9.6), for the server stops; nil: never.
	Closing func() bool
}

// WriteTimes bound how long an answer may take on its way out, so that a caller
// who does not read it holds neither memory nor a goroutine for longer. Times of
// 0 are the defaults, DefaultWriteTimes.
type WriteTimes struct {
	// Piece is how long each piece of 64 KiB may take.
	Piece time.Duration
	// Answer is how long all of it may take, from when the request may be worked
	// on no longer. A handler whose answer may take longer sets another deadline by
	// http.ResponseController.
	Answer time.Duration
}

// DefaultWriteTimes returns the times of a server that meets slow networks: a
// reader of 5 KiB in a second is in time.
func DefaultWriteTimes() WriteTimes {
	return WriteTimes{Piece: 15 * time.Second, Answer: 15 * time.Second}
}

// Wrap puts a handler into the envelope: a request gets an id (the caller's
// own from X-Request-Id if that has 1 to 64 letters, digits, dots, dashes and
// underscores) and a deadline; a panic becomes an answer. A handler that
// streams flushes by http.ResponseController.
func (e Envelope) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("X-Request-Id")
		if !goodRequestID(id) {
			id = "req_" + e.IDs.NewText(20)
		}
		w.Header().Set("X-Request-Id", id)
		ctx := context.WithValue(r.Context(), envelopeKey{}, id)
		if e.Timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, e.Timeout)
			defer cancel()
		}
		r = r.WithContext(ctx)
		watched := e.watch(w)
		defer e.recovered(watched, r)
		next.ServeHTTP(watched, r)
	})
}

// recovered answers a panic of a handler. Once the answer has begun, the
// connection ends instead, so that the caller does not take a part for the
// whole.
func (e Envelope) recovered(w *watchedWriter, r *http.Request) {
	p := recover()
	if p == nil {
		return
	}
	if p == http.ErrAbortHandler {
		panic(p) // net/http ends the connection
	}
	e.Log.Error("a handler panicked", "request", RequestID(r.Context()), "method", r.Method, "path", r.URL.Path,
		"panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	if w.begun {
		panic(http.ErrAbortHandler)
	}
	refuse(w, internalError(r))
}

// watch returns the writer of a request that begins now. Its first deadline is
// for an answer that the handler leaves to net/http, such as one without body.
func (e Envelope) watch(w http.ResponseWriter) *watchedWriter {
	times := DefaultWriteTimes()
	piece := cmp.Or(e.Writing.Piece, times.Piece)
	until := time.Now().Add(e.Timeout + cmp.Or(e.Writing.Answer, times.Answer))
	watched := &watchedWriter{ResponseWriter: w, conn: http.NewResponseController(w), piece: piece, until: until, closing: e.Closing}
	watched.setDeadline(until)
	return watched
}

// pieceSize is how much is written under one deadline.
const pieceSize = 64 << 10

// A watchedWriter knows whether the answer has begun, and gives each piece of it
// a time of its own, within the time of the whole.
type watchedWriter struct {
	http.ResponseWriter
	conn  *http.ResponseController
	piece time.Duration
	until time.Time // zero: for as long as pieces go out
	begun bool
	// closing is Envelope.Closing.
	closing func() bool
}

// SetWriteDeadline is for http.ResponseController: a handler says until when all
// of its answer has to be out.
func (w *watchedWriter) SetWriteDeadline(until time.Time) error {
	w.until = until
	return w.conn.SetWriteDeadline(until)
}

// setDeadline has what is written next be out by then. What cannot have a
// deadline, as in a test, takes no time.
func (w *watchedWriter) setDeadline(at time.Time) { _ = w.conn.SetWriteDeadline(at) }

func (w *watchedWriter) WriteHeader(status int) {
	if status >= http.StatusOK || status == http.StatusSwitchingProtocols {
		w.begin()
	}
	w.ResponseWriter.WriteHeader(status)
}

// begin notes that the answer begins. What a caller hears now of its connection
// it hears in time: the server does not wait for connections that nobody uses.
func (w *watchedWriter) begin() {
	if !w.begun && w.closing != nil && w.closing() {
		w.Header().Set("Connection", "close")
	}
	w.begun = true
}

func (w *watchedWriter) Write(b []byte) (int, error) {
	w.begin()
	for written := 0; ; {
		piece := b[written:min(len(b), written+pieceSize)]
		at := time.Now().Add(w.piece)
		if !w.until.IsZero() && w.until.Before(at) {
			at = w.until
		}
		w.setDeadline(at)
		n, err := w.ResponseWriter.Write(piece)
		if written += n; err != nil || written == len(b) {
			return written, err
		}
	}
}

// Unwrap is for http.ResponseController.
func (w *watchedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func goodRequestID(id string) bool {
	return len(id) >= 1 && len(id) <= 64 && strings.IndexFunc(id, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._-", r)
	}) < 0
}

// CleanPaths answers that a path that is not clean is unknown, where
// http.ServeMux would redirect to its clean form.
func CleanPaths(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !clean(r.URL.EscapedPath()) {
			NotFound(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// clean reports whether a path is one that http.ServeMux does not redirect to
// its clean form. Dots may be escaped; an escaped slash is part of a name.
func clean(escaped string) bool {
	for part := range strings.SplitSeq(escaped, "/") {
		if name, err := url.PathUnescape(part); err != nil || name == "." || name == ".." {
			return false
		}
	}
	cleaned := path.Clean(escaped)
	return strings.HasPrefix(escaped, "/") && (escaped == cleaned || cleaned != "/" && escaped == cleaned+"/")
}

// NotFound answers that there is no such address.
func NotFound(w http.ResponseWriter, _ *http.Request) {
	refuse(w, parley.NotFoundf("there is no such address"))
}
