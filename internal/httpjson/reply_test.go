package httpjson_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/httpjson"
)

func TestReply(t *testing.T) {
	for _, c := range []struct {
		reply  httpjson.Reply
		status int
		header map[string]string
	}{
		{httpjson.OK([]byte(`{}`)), 200, map[string]string{"Content-Type": "application/json", "Content-Length": "2", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}},
		{httpjson.Saved(false, []byte(`{}`)), 200, nil},
		{httpjson.Saved(true, []byte(`{}`)), 201, nil},
		{httpjson.Reply{Status: 200, Body: []byte("a: 1"), Header: http.Header{"Content-Type": {"application/yaml"}, "X-More": {"1"}}}, 200,
			map[string]string{"Content-Type": "application/yaml", "X-More": "1", "Content-Length": "4"}},
		{httpjson.Reply{Status: 204}, 204, map[string]string{"Content-Type": "", "Content-Length": "", "Cache-Control": "no-store"}},
	} {
		w := httptest.NewRecorder()
		c.reply.Write(w)
		if w.Code != c.status || w.Body.String() != string(c.reply.Body) {
			t.Errorf("the answer is %d %s", w.Code, w.Body)
		}
		for name, want := range c.header {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
	}
}

func TestWriteError(t *testing.T) {
	const late = "the request took too long; try again"
	for _, c := range []struct {
		err     error
		status  int
		message string
		header  string // "Name: value" that must be there
		logged  string // level, "" for nothing
	}{
		{parley.InvalidField("limit", "be <1>"), 400, "limit: must be <1>", "", ""},
		{parley.Errorf(parley.Unauthenticated, "no key"), 401, "no key", "WWW-Authenticate: Bearer", ""},
		{parley.Errorf(parley.Forbidden, "no"), 403, "no", "", ""},
		{fmt.Errorf("wrapped: %w", parley.NotFoundf("none")), 404, "none", "", ""},
		{parley.Errorf(parley.NotAllowed, "no"), 405, "no", "", ""},
		{parley.Errorf(parley.Conflict, "no"), 409, "no", "", ""},
		{parley.Errorf(parley.Gone, "no"), 410, "no", "", ""},
		{parley.Errorf(parley.TooLarge, "no"), 413, "no", "Connection: close", ""},
		{parley.Errorf(parley.Unsupported, "no"), 415, "no", "", ""},
		{parley.Errorf(parley.Mismatch, "no"), 422, "no", "", ""},
		{&parley.Error{Kind: parley.Limited, Message: "no", RetryAfter: 2001 * time.Millisecond}, 429, "no", "Retry-After: 3", ""},
		{&parley.Error{Kind: parley.Limited, Message: "no", RetryAfter: 3 * time.Second}, 429, "no", "Retry-After: 3", ""},
		{parley.Errorf(parley.BadUpstream, "no"), 502, "no", "", "WARN"},
		{&parley.Error{Kind: parley.Unavailable, Message: "no", Cause: errors.New("secret")}, 503, "no", "Retry-After: 1", "WARN"},
		{&parley.Error{Kind: parley.UpstreamTimeout, Message: "no", Cause: context.DeadlineExceeded}, 504, "no", "", "WARN"},
		{fmt.Errorf("secret: %w", context.Canceled), 503, late, "Retry-After: 1", "WARN"},
		{&parley.Error{Message: "secret", Cause: context.DeadlineExceeded}, 503, late, "Retry-After: 1", "WARN"},
		{errors.New("secret"), 500, "internal error; the log has it under request id r-1", "", "ERROR"},
		{parley.Errorf(parley.Internal, "secret"), 500, "internal error; the log has it under request id r-1", "", "ERROR"},
		{&parley.Error{Kind: parley.Kind(99), Message: "secret"}, 500, "internal error; the log has it under request id r-1", "", "ERROR"},
	} {
		t.Run(c.err.Error(), func(t *testing.T) {
			log, text := logged()
			w := httptest.NewRecorder()
			w.Header().Set("Content-Type", "application/yaml")
			r := httptest.NewRequest(http.MethodGet, "/v1/x", nil)
			r.Header.Set("X-Request-Id", "r-1")
			envelope := httpjson.Envelope{Log: log, IDs: parley.NewIDs(nil)}
			envelope.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				httpjson.WriteError(w, r, log, c.err)
			})).ServeHTTP(w, r)
			if got := errorOf(t, w.Body.Bytes()); w.Code != c.status || got != c.message {
				t.Errorf("the answer is %d %q, want %d %q", w.Code, got, c.status, c.message)
			}
			if name, want, ok := strings.Cut(c.header, ": "); ok && w.Header().Get(name) != want {
				t.Errorf("%s is %q, want %q", name, w.Header().Get(name), want)
			}
			if got := w.Header().Get("Content-Type"); got != "application/json" {
				t.Errorf("the error is of type %q", got)
			}
			if c.logged == "" && text.String() != "" || !strings.Contains(text.String(), c.logged) {
				t.Errorf("the log says %q", text)
			}
			if c.logged != "" && (!strings.Contains(text.String(), "request=r-1") || !strings.Contains(text.String(), c.err.Error())) {
				t.Errorf("the log does not tell of the request: %q", text)
			}
		})
	}
}
