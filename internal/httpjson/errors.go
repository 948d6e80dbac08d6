package httpjson

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley"
)

// statusOf is the only table from kinds of errors to HTTP statuses.
func statusOf(kind parley.Kind) int {
	switch kind {
	case parley.Invalid:
		return http.StatusBadRequest
	case parley.Unauthenticated:
		return http.StatusUnauthorized
	case parley.Forbidden:
		return http.StatusForbidden
	case parley.NotFound:
		return http.StatusNotFound
	case parley.NotAllowed:
		return http.StatusMethodNotAllowed
	case parley.Conflict:
		return http.StatusConflict
	case parley.Gone:
		return http.StatusGone
	case parley.TooLarge:
		return http.StatusRequestEntityTooLarge
	case parley.Unsupported:
		return http.StatusUnsupportedMediaType
	case parley.Mismatch:
		return http.StatusUnprocessableEntity
	case parley.Limited:
		return http.StatusTooManyRequests
	case parley.BadUpstream:
		return http.StatusBadGateway
	case parley.Unavailable:
		return http.StatusServiceUnavailable
	case parley.UpstreamTimeout:
		return http.StatusGatewayTimeout
	}
	return http.StatusInternalServerError
}

// Status returns the status of the answer to a request that failed with err.
func Status(err error) int { return statusOf(classify(err).Kind) }

// WriteError writes an error as {"error": message} (contract, section 7), and
// for programs as the header Parley-Error; see errorHeader. Text that is not
// meant for the caller is only logged, with the request's id. An error from an
// ended context is Unavailable. Retry-After is in whole seconds, rounded up, at
// least 1.
func WriteError(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error) {
	refuse(w, told(w.Header(), r, log, err))
}

// WriteErrorPage is [WriteError] with a page of HTML for people, which page
// renders of the error. HEAD gets only the headers.
func WriteErrorPage(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error, page func(*parley.Error) []byte) {
	h := w.Header()
	known := told(h, r, log, err)
	text := page(known)
	h.Del("Content-Encoding")
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(statusOf(known.Kind))
	if r.Method != http.MethodHead {
		_, _ = w.Write(text) // a reader who has left needs no page
	}
}

// told returns the error that the caller is told, sets its headers and logs what
// the caller is not told.
func told(h http.Header, r *http.Request, log *slog.Logger, err error) *parley.Error {
	known := classify(err)
	switch known.Kind {
	case parley.Unauthenticated:
		h.Set("WWW-Authenticate", "Bearer")
	case parley.Unavailable, parley.Limited:
		h.Set("Retry-After", strconv.Itoa(max(1, ceilSeconds(known.RetryAfter))))
	case parley.TooLarge:
		// The rest of the body is not read, so the connection cannot be reused.
		h.Set("Connection", "close")
	}
	status := statusOf(known.Kind)
	if status >= http.StatusInternalServerError {
		level := slog.LevelWarn // a dependency failed, or the caller left
		if known.Kind == parley.Internal {
			level = slog.LevelError
		}
		log = Traced(r.Context(), log)
		log.Log(r.Context(), level, "http: request failed", "request", RequestID(r.Context()), "method", r.Method,
			"path", loggedPath(r), "status", status, "error", err)
	}
	if known.Kind == parley.Internal {
		return internalError(r)
	}
	return known
}

// longestID is the length of the longest id in a path. What is longer may be the token of
// a link in a mail, which opens what it leads to.
const longestID = len("0193480f-2c4a-7d1e-8f00-3a5b9c2d1e04")

// loggedPath returns the path of a request without the segments that may be secret.
func loggedPath(r *http.Request) string {
	segments := strings.Split(r.URL.Path, "/")
	for i, segment := range segments {
		if len(segment) > longestID {
			segments[i] = "…"
		}
	}
	return strings.Join(segments, "/")
}

// classify returns the error that the caller is told.
func classify(err error) *parley.Error {
	var known *parley.Error
	if errors.As(err, &known) && statusOf(known.Kind) != http.StatusInternalServerError {
		return known
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return &parley.Error{Kind: parley.Unavailable, Message: "the request took too long; try again", RetryAfter: time.Second}
	}
	return &parley.Error{Kind: parley.Internal}
}

func internalError(r *http.Request) *parley.Error {
	return parley.Errorf(parley.Internal, "internal error; the log has it under request id %s", RequestID(r.Context()))
}

// refuse writes an error whose message is meant for the caller.
func refuse(w http.ResponseWriter, e *parley.Error) {
	body, err := json.Marshal(struct {
		Error string `json:"error"`
	}{e.Message})
	if err != nil { // a string can always be encoded
		body = []byte(`{"error":"internal error"}`)
	}
	// The handler may have begun another kind of answer.
	w.Header().Del("Content-Encoding")
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Parley-Error", errorHeader(e))
	Reply{Status: statusOf(e.Kind), Body: body}.Write(w)
}

// errorHeader is the error for programs: its code, and as parameters the faulty
// inputs and the other records that the message names (RFC 9110, section
// 5.6.6). Several values of a parameter are separated by commas.
func errorHeader(e *parley.Error) string {
	ids := make([]string, len(e.IDs))
	for i, id := range e.IDs {
		ids[i] = id.String()
	}
	return string(cmp.Or(e.Code, e.Kind.Code())) + parameter("field", e.Fields) + parameter("id", ids)
}

func parameter(name string, values []string) string {
	var shown []string
	for _, value := range values {
		if !slices.Contains(shown, value) && len(shown) < maxIgnored {
			shown = append(shown, value)
		}
	}
	text := strings.Join(shown, ",")
	switch {
	case text == "":
		return ""
	case strings.ContainsFunc(text, notToken):
		text = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
	}
	return "; " + name + "=" + text
}

// notToken reports whether a character must be quoted (RFC 9110, section
// 5.6.2).
func notToken(c rune) bool {
	return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && !strings.ContainsRune("!#$%&'*+-.^_`|~", c)
}
