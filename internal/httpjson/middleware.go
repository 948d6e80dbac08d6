package httpjson

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
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
		watched := &watchedWriter{ResponseWriter: w}
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
	internalError(r).write(w)
}

// A watchedWriter knows whether the answer has begun.
type watchedWriter struct {
	http.ResponseWriter
	begun bool
}

func (w *watchedWriter) WriteHeader(status int) {
	w.begun = w.begun || status >= http.StatusOK || status == http.StatusSwitchingProtocols
	w.ResponseWriter.WriteHeader(status)
}

func (w *watchedWriter) Write(b []byte) (int, error) {
	w.begun = true
	return w.ResponseWriter.Write(b)
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
		if !clean(r.URL.Path) {
			NotFound(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// clean reports whether a path is one that http.ServeMux does not redirect to
// its clean form. The path is decoded, so this refuses escaped dots too.
func clean(p string) bool {
	cleaned := path.Clean(p)
	return strings.HasPrefix(p, "/") && (p == cleaned || cleaned != "/" && p == cleaned+"/")
}

// NotFound answers that there is no such address.
func NotFound(w http.ResponseWriter, _ *http.Request) {
	refusal{statusOf(parley.NotFound), "there is no such address"}.write(w)
}
