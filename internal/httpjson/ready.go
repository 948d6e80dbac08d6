package httpjson

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"parley"
)

const (
	// readyTime is how long the result of a readiness check is reused. Anyone
	// may ask, and probes ask often.
	readyTime = 500 * time.Millisecond
	// readyPatience is how long the check may take.
	readyPatience = 3 * time.Second
)

// Healthy answers that the process works.
func Healthy(w http.ResponseWriter, _ *http.Request) { OK([]byte(`{"status":"ok"}`)).Write(w) }

// Readiness answers whether requests can be answered.
type Readiness struct {
	// Stopping reports whether the server is about to stop.
	Stopping func() bool
	// Check says why no request can be answered now.
	Check func(context.Context) error
	Log   *slog.Logger

	asking   sync.Mutex // one request checks, the others wait for its result
	answered time.Time
	answer   error
}

// ServeHTTP answers 200, or 503 with the reason.
func (h *Readiness) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h.Stopping() {
		WriteError(w, r, h.Log, &parley.Error{Kind: parley.Unavailable, Message: "the server stops; try again", RetryAfter: time.Second})
		return
	}
	if err := h.latest(r.Context()); err != nil {
		WriteError(w, r, h.Log, err)
		return
	}
	Healthy(w, r)
}

// latest returns the result of a check that is not older than readyTime. All requests
// share it, so the check does not end with one of them.
func (h *Readiness) latest(ctx context.Context) error {
	h.asking.Lock()
	defer h.asking.Unlock()
	if time.Since(h.answered) > readyTime {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyPatience)
		defer cancel()
		h.answer = h.Check(ctx)
		h.answered = time.Now()
	}
	return h.answer
}
