package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"syscall"
	"time"

	"parley/internal/outward"
)

// errSlow is why an exchange was given up.
var errSlow = errors.New("it took too long")

// An exchange is a request whose answer has begun with status 200.
type exchange struct {
	answer *http.Response
	client *Client
	parent context.Context // the caller's
	ctx    context.Context // parent, and the limits of time
	end    func()
	silent *time.Timer // ends the exchange
}

// open sends a request, and returns the exchange when its answer begins. The
// caller must call end. If the connection fails before the answer begins, it
// tries once more: whether the server computed something is then unknown, but
// nothing of it is shown or stored.
func (c *Client) open(ctx context.Context, path string, body any, first time.Duration) (*exchange, error) {
	method, sent := http.MethodGet, []byte(nil)
	if body != nil {
		var err error
		if sent, err = json.Marshal(body); err != nil {
			return nil, err
		}
		method = http.MethodPost
	}
	x := c.begin(ctx, first)
	for attempt := 0; ; attempt++ {
		answer, received, err := c.send(x.ctx, method, c.address+path, sent) //nolint:bodyclose // x.end closes it
		if err == nil {
			x.answer = answer
			break
		}
		if attempt > 0 || received || !broken(err) || x.ctx.Err() != nil {
			defer x.end()
			return nil, x.fault(err)
		}
	}
	if x.answer.StatusCode == http.StatusOK {
		return x, nil
	}
	defer x.end()
	text, err := io.ReadAll(io.LimitReader(x, maxFailure))
	if err != nil && ctx.Err() != nil {
		return nil, x.fault(err)
	}
	return nil, c.failure(x.answer.StatusCode, x.answer.Header, text) // even if its text was cut
}

// begin starts the clocks of an exchange.
func (c *Client) begin(ctx context.Context, first time.Duration) *exchange {
	x := &exchange{client: c, parent: ctx}
	limited, endWhole := context.WithTimeoutCause(ctx, c.times.Whole, errSlow)
	cancelable, cancel := context.WithCancelCause(limited)
	x.ctx, x.silent = cancelable, time.AfterFunc(first, func() { cancel(errSlow) })
	x.end = func() {
		x.silent.Stop()
		cancel(nil)
		endWhole()
		if x.answer != nil {
			_ = x.answer.Body.Close() // whatever is left is not wanted
		}
	}
	return x
}

// send sends a request once, and reports whether anything was received.
func (c *Client) send(ctx context.Context, method, address string, body []byte) (*http.Response, bool, error) {
	var received atomic.Bool
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotFirstResponseByte: func() { received.Store(true) }})
	r, err := http.NewRequestWithContext(traced, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, false, err
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("User-Agent", "parley")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.server.Key != "" {
		r.Header.Set("Authorization", "Bearer "+c.server.Key)
	}
	answer, err := c.http.Do(r)
	return answer, received.Load(), err
}

// broken reports whether a connection was refused or broke, which the next one
// may not.
func broken(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// Read reads the body, and sets back the clock of silence.
func (x *exchange) Read(p []byte) (int, error) {
	n, err := x.answer.Body.Read(p)
	if n > 0 {
		x.silent.Reset(x.client.times.Between)
	}
	return n, err
}

// fault returns the error of an exchange that broke. If the caller gave up, it
// is the caller's own.
func (x *exchange) fault(err error) error {
	var large *http.MaxBytesError
	switch {
	case x.parent.Err() != nil:
		return x.parent.Err()
	case errors.Is(context.Cause(x.ctx), errSlow):
		return &Error{Fault: TimedOut}
	case errors.As(err, &large):
		return &Error{Fault: TooLarge, Status: http.StatusOK}
	case x.answer != nil:
		return &Error{Fault: Cut, Status: http.StatusOK, Cause: err}
	case errors.Is(err, outward.ErrNotAllowed):
		return &Error{Fault: Unreachable, Cause: outward.ErrNotAllowed}
	}
	return &Error{Fault: Unreachable, Cause: err}
}

// whole reads a whole answer of JSON into a value.
func (x *exchange) whole(to any) error {
	text, err := io.ReadAll(x)
	if err != nil {
		return x.fault(err)
	}
	return decode(text, to)
}

// decode reads JSON.
func decode(text []byte, to any) error {
	if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 && trimmed[0] == '<' {
		return &Error{Fault: NotAModel, Status: http.StatusOK}
	}
	if json.Unmarshal(text, to) != nil { // its error may contain parts of the answer
		return &Error{Fault: Broken, Status: http.StatusOK}
	}
	return nil
}
