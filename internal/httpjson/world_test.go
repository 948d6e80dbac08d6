package httpjson_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/httpjson"
)

const someID = "0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000"

// withQuery returns the Reader of a GET.
func withQuery(query string) *httpjson.Reader {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.URL.RawQuery = query
	return httpjson.NewReader(r)
}

// withBody returns the Reader of a POST of JSON, its body read.
func withBody(body string) *httpjson.Reader {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	in := httpjson.NewReader(r)
	in.ReadBody()
	return in
}

// changing returns the Reader of a PATCH of JSON, its body read.
func changing(body string) *httpjson.Reader {
	r := httptest.NewRequest(http.MethodPatch, "/", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	in := httpjson.NewReader(r)
	in.ReadBody()
	return in
}

// message returns the faults of the inputs, "" if there are none.
func message(in *httpjson.Reader) string {
	if err := in.Err(); err != nil {
		return err.Error()
	}
	return ""
}

func wantMessage(t *testing.T, in *httpjson.Reader, want string) {
	t.Helper()
	if got := message(in); got != want {
		t.Errorf("the error is %q, want %q", got, want)
	}
}

func wantKind(t *testing.T, err error, want parley.Kind) {
	t.Helper()
	if err == nil || parley.KindOf(err) != want {
		t.Errorf("the error is %v of kind %d, want kind %d", err, parley.KindOf(err), want)
	}
}

// errorOf returns the message of an error's body.
func errorOf(t *testing.T, body []byte) string {
	t.Helper()
	var e map[string]string
	if err := json.Unmarshal(body, &e); err != nil || len(e) != 1 {
		t.Fatalf("the body is %q, want only an error", body)
	}
	return e["error"]
}

// logged is a log that a test can read while a server writes it.
func logged() (*slog.Logger, *logText) {
	var text logText
	return slog.New(slog.NewTextHandler(&text, nil)), &text
}

type logText struct {
	mu   sync.Mutex
	text []byte
}

func (l *logText) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, b...)
	return len(b), nil
}

func (l *logText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}

// at is a clock that stands still until it is moved.
type at struct{ now time.Time }

func newClock() *at { return &at{time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)} }

func (a *at) clock() time.Time { return a.now }
