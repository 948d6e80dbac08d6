package httpjson

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"path"
	"runtime/debug"
	"strings"
	"time"

	"parley"
	"parley/internal/tracing"
)

type envelopeKey struct{}

// RequestID returns the id of the request that a context belongs to, or "".
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(envelopeKey{}).(string)
	return id
}

// An Envelope wraps every request, whichever handler answers it.
type Envelope struct {
	Log     *slog.Logger
	IDs     *parley.IDs
	Timeout time.Duration // of a request, from its headers to its answer; 0 for none
	Writing WriteTimes
	// Closing reports, when an answer begins, whether its connection should
	// close after it (RFC 9112, section 9.6) because the server is stopping;
	// nil: never.
	Closing func() bool
	// Secure says that clients reach the server by HTTPS. Answers then tell
	// browsers to use nothing else (RFC 6797).
	Secure bool
	Tracer *tracing.Tracer // nil: requests are not traced
}

// strictTransport makes browsers use HTTPS alone for a year. It leaves out
// subdomains, which may not be this server's.
const strictTransport = "max-age=31536000"

// isLocal reports whether a request names this machine, as in development:
// other servers of that name, at other ports, may have no HTTPS.
func isLocal(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// WriteTimes limit how long writing an answer may take, so that a caller who
// does not read it does not hold memory or a goroutine for longer. Zero times
// mean DefaultWriteTimes.
type WriteTimes struct {
	// Piece is the time for each piece of 64 KiB.
	Piece time.Duration
	// Answer is the time for the whole answer, counted from the end of the time
	// for handling the request. A handler whose answer may take longer sets its
	// own deadline through http.ResponseController.
	Answer time.Duration
}

// DefaultWriteTimes returns times that suit slow networks: reading 5 KiB per
// second is fast enough.
func DefaultWriteTimes() WriteTimes {
	return WriteTimes{Piece: 15 * time.Second, Answer: 15 * time.Second}
}

// Wrap puts a handler into the envelope. A request gets an id (from
// X-Request-Id if that consists of 1 to 64 letters, digits, dots, dashes and
// underscores) and a deadline; a panic becomes an answer. A handler that
// streams must flush through http.ResponseController.
func (e Envelope) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("X-Request-Id")
		if !goodRequestID(id) {
			id = "req_" + e.IDs.NewText(20)
		}
		w.Header().Set("X-Request-Id", id)
		if e.Secure && !isLocal(r.Host) {
			w.Header().Set("Strict-Transport-Security", strictTransport)
		}
		ctx := context.WithValue(r.Context(), envelopeKey{}, id)
		ctx, span := e.Tracer.BeginRequest(ctx, r, id)
		if e.Timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, e.Timeout)
			defer cancel()
		}
		r = r.WithContext(ctx)
		watched := e.watch(w)
		defer func() { watched.trace(span) }() // with the answer to a panic
		defer e.recovered(watched, r)
		next.ServeHTTP(watched, r)
		if watched.rest != nil {
			watched.rest()
		}
	})
}

// recovered answers a panic of a handler. If the answer has begun already, the
// connection is closed instead, so that the caller does not mistake a part for
// the whole.
func (e Envelope) recovered(w *watchedWriter, r *http.Request) {
	p := recover()
	if p == nil {
		return
	}
	if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(p) // net/http closes the connection
	}
	log := Traced(r.Context(), e.Log)
	log.Error("http: a handler panicked", "request", RequestID(r.Context()), "method", r.Method, "path", loggedPath(r),
		"panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	if w.begun {
		panic(http.ErrAbortHandler)
	}
	refuse(w, internalError(r))
}

// watch returns the writer for a new request. Its first deadline is for an
// answer that the handler leaves to net/http, such as one without a body.
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

// A watchedWriter knows whether the answer has begun. It sets a deadline for
// each piece, within the time for the whole answer.
type watchedWriter struct {
	http.ResponseWriter
	conn   *http.ResponseController
	piece  time.Duration
	until  time.Time // zero: no limit for the whole
	begun  bool
	status int // of the answer that has begun; 0: of one without a head of its own
	// closing is Envelope.Closing.
	closing func() bool
	rest    func() // see Linger
}

// Linger runs fn when the handlers have returned, and only then ends the answer.
// A stream over HTTP/2, which lasts for days, so holds no place among the
// requests that a handler counts.
func (w *watchedWriter) Linger(fn func()) { w.rest = fn }

// SetWriteDeadline is called through http.ResponseController: a handler sets
// the deadline for its whole answer.
func (w *watchedWriter) SetWriteDeadline(until time.Time) error {
	w.until = until
	return w.conn.SetWriteDeadline(until)
}

// setDeadline sets the deadline of the next write. A writer without deadlines,
// as in a test, needs none.
func (w *watchedWriter) setDeadline(at time.Time) { _ = w.conn.SetWriteDeadline(at) }

func (w *watchedWriter) WriteHeader(status int) {
	if status >= http.StatusOK || status == http.StatusSwitchingProtocols {
		w.begin()
		w.status = cmp.Or(w.status, status)
	}
	w.ResponseWriter.WriteHeader(status)
}

// begin records that the answer begins. The caller learns now, in the headers,
// that the connection will close: a stopping server does not wait for idle
// connections.
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

// trace ends the span of a request that has been answered.
func (w *watchedWriter) trace(span tracing.Span) {
	status := cmp.Or(w.status, http.StatusOK)
	span.Set(tracing.Status(status))
	if status >= http.StatusInternalServerError {
		span.Fail(http.StatusText(status))
	}
	span.End(nil)
}

// Traced returns a log whose lines name the trace of a request, if there is one.
func Traced(ctx context.Context, log *slog.Logger) *slog.Logger {
	if id := tracing.ID(ctx); id != "" {
		return log.With("trace_id", id)
	}
	return log
}

// Unwrap is called by http.ResponseController.
func (w *watchedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func goodRequestID(id string) bool {
	return len(id) >= 1 && len(id) <= 64 && strings.IndexFunc(id, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._-", r)
	}) < 0
}

// CleanPaths answers 404 to a path that is not clean, where http.ServeMux would
// redirect to its clean form.
func CleanPaths(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !clean(r.URL.EscapedPath()) {
			NotFound(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// clean reports whether http.ServeMux would not redirect a path to its clean
// form. Dots may be escaped; an escaped slash is part of a name.
func clean(escaped string) bool {
	for part := range strings.SplitSeq(escaped, "/") {
		if name, err := url.PathUnescape(part); err != nil || name == "." || name == ".." {
			return false
		}
	}
	cleaned := path.Clean(escaped)
	return strings.HasPrefix(escaped, "/") && (escaped == cleaned || cleaned != "/" && escaped == cleaned+"/")
}

// NotFound answers that the address does not exist.
func NotFound(w http.ResponseWriter, _ *http.Request) {
	refuse(w, parley.NotFoundf("there is no such address"))
}
