package httpjson

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"path"
	"runtime/debug"
	"strings"
	"time"

	"parley"
)

// errorBody is the JSON of an error.
func errorBody(message string) []byte {
	body, err := json.Marshal(struct {
		Error string `json:"error"`
	}{message})
	if err != nil { // a string can always be written
		return []byte(`{"error":"internal error"}`)
	}
	return body
}

type requestIDKey struct{}

// RequestID returns the id of the request that a context belongs to, or "".
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// An Envelope is what every request goes through, whoever answers it.
type Envelope struct {
	Log     *slog.Logger
	IDs     *parley.IDs
	Timeout time.Duration // of a request, from its head to its answer
}

// Wrap puts a handler into the envelope: a request gets an id (the caller's
// own from X-Request-Id if that has 1 to 64 letters, digits, dots, dashes and
// underscores) and a deadline; a panic becomes an answer; a path that is not
// clean is unknown.
func (e Envelope) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("X-Request-Id")
		if !goodRequestID(id) {
			id = "req_" + e.IDs.NewText(20)
		}
		w.Header().Set("X-Request-Id", id)
		ctx, cancel := context.WithTimeout(context.WithValue(r.Context(), requestIDKey{}, id), e.Timeout)
		defer cancel()
		r = r.WithContext(ctx)
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p == http.ErrAbortHandler {
				panic(p) // net/http ends the connection
			}
			e.Log.Error("a handler panicked", "request", id, "panic", p, "stack", string(debug.Stack()))
			WriteError(w, r, e.Log, fmt.Errorf("panic: %v", p))
		}()
		if r.URL.Path != "*" && !clean(r.URL.Path) {
			NotFound(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func goodRequestID(id string) bool {
	return len(id) >= 1 && len(id) <= 64 && strings.IndexFunc(id, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._-", r)
	}) < 0
}

// clean reports whether a path is one that http.ServeMux does not redirect,
// and that can be stored and compared.
func clean(p string) bool {
	if !plain(p) || !strings.HasPrefix(p, "/") {
		return false
	}
	return p == "/" || path.Clean(p) == strings.TrimSuffix(p, "/")
}

// NotFound answers that there is no such address.
func NotFound(w http.ResponseWriter, _ *http.Request) {
	Reply{Status: http.StatusNotFound, Body: errorBody("there is no such address")}.Write(w)
}
