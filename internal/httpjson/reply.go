package httpjson

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"parley"
)

// A Reply is the answer of a handler: a status and a body of JSON.
type Reply struct {
	Status int
	Body   []byte
	Header http.Header // more headers; may be nil
}

// OK is the reply 200.
func OK(body []byte) Reply { return Reply{Status: http.StatusOK, Body: body} }

// Saved is the reply 201 where a record came into being, else 200.
func Saved(created bool, body []byte) Reply {
	if created {
		return Reply{Status: http.StatusCreated, Body: body}
	}
	return OK(body)
}

// Write writes a reply.
func (reply Reply) Write(w http.ResponseWriter) {
	h := w.Header()
	for name, values := range reply.Header {
		h[name] = values
	}
	if h.Get("Content-Type") == "" {
		h.Set("Content-Type", "application/json")
	}
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(reply.Body)))
	w.WriteHeader(reply.Status)
	// A caller that has left gets nothing, and there is nobody to tell.
	_, _ = w.Write(reply.Body)
}

// SetIgnored names inputs that had no effect in the header Parley-Ignored.
// Names that a header cannot carry are escaped as in a URL.
func SetIgnored(h http.Header, names []string) {
	const most = 20
	shown := make([]string, 0, min(len(names), most))
	for _, name := range names[:min(len(names), most)] {
		shown = append(shown, headerName(name))
	}
	if len(shown) > 0 {
		h.Set("Parley-Ignored", strings.Join(shown, ", "))
	}
}

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
// is not fit for the caller goes to the log alone, with the request's id.
func WriteError(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error) {
	var known *parley.Error
	if !errors.As(err, &known) {
		known = &parley.Error{Kind: parley.Internal, Cause: err}
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			known = &parley.Error{Kind: parley.Unavailable, Message: "the request took too long; try again", Cause: err}
		}
	}
	status := statusOf(known.Kind)
	message, h := known.Message, w.Header()
	switch known.Kind {
	case parley.Unauthenticated:
		h.Set("WWW-Authenticate", "Bearer")
	case parley.Unavailable, parley.Limited:
		after := max(time.Second, known.RetryAfter)
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(after.Seconds()))))
	case parley.Internal:
		message = "internal error; the server's log tells more under the request id " + RequestID(r.Context())
	case parley.TooLarge:
		// The rest of the body is not read, so the connection is of no more use.
		h.Set("Connection", "close")
	}
	if status >= http.StatusInternalServerError {
		log.Error("a request failed", "request", RequestID(r.Context()), "method", r.Method, "path", r.URL.Path, "status", status, "error", err)
	}
	Reply{Status: status, Body: errorBody(message)}.Write(w)
}
