package httpjson

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
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

// WriteError writes an error as {"error": message} (contract, section 7). What
// is not fit for the caller goes to the log alone, with the request's id. An
// error of a context that ended is Unavailable. Retry-After is in whole
// seconds, rounded up, at least 1.
func WriteError(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error) {
	known := classify(err)
	h := w.Header()
	switch known.Kind {
	case parley.Unauthenticated:
		h.Set("WWW-Authenticate", "Bearer")
	case parley.Unavailable, parley.Limited:
		h.Set("Retry-After", strconv.Itoa(max(1, ceilSeconds(known.RetryAfter))))
	case parley.TooLarge:
		// The rest of the body is not read, so the connection is of no more use.
		h.Set("Connection", "close")
	}
	status := statusOf(known.Kind)
	if status >= http.StatusInternalServerError {
		level := slog.LevelWarn // a neighbour's fault, or a caller who left
		if known.Kind == parley.Internal {
			level = slog.LevelError
		}
		log.Log(r.Context(), level, "a request failed", "request", RequestID(r.Context()), "method", r.Method,
			"path", r.URL.Path, "status", status, "error", err)
	}
	if known.Kind == parley.Internal {
		internalError(r).write(w)
		return
	}
	refusal{status, known.Message}.write(w)
}

// classify returns what a caller is told of an error.
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

// A refusal is a status and a message fit for the caller.
type refusal struct {
	status  int
	message string
}

func internalError(r *http.Request) refusal {
	return refusal{http.StatusInternalServerError, "internal error; the log has it under request id " + RequestID(r.Context())}
}

func (r refusal) write(w http.ResponseWriter) {
	body, err := json.Marshal(struct {
		Error string `json:"error"`
	}{r.message})
	if err != nil { // a string can always be written
		body = []byte(`{"error":"internal error"}`)
	}
	// The handler may have begun an answer of another type.
	w.Header().Del("Content-Encoding")
	w.Header().Set("Content-Type", "application/json")
	Reply{Status: r.status, Body: body}.Write(w)
}
