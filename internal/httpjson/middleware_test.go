package httpjson_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley"
	"parley/internal/httpjson"
)

// through sends a request through an envelope around a handler.
func through(e httpjson.Envelope, r *http.Request, h http.HandlerFunc) *httptest.ResponseRecorder {
	e.IDs = parley.NewIDs(nil)
	w := httptest.NewRecorder()
	e.Wrap(h).ServeHTTP(w, r)
	return w
}

func TestRequestID(t *testing.T) {
	made := regexp.MustCompile(`^req_[a-z2-7]{20}$`)
	for given, kept := range map[string]bool{
		"": false, "a": true, "A-z_0.9": true, strings.Repeat("x", 64): true, strings.Repeat("x", 65): false,
		"a b": false, "a\x00": false, "é": false, "a,b": false, "a:b": false,
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header["X-Request-Id"] = []string{given}
		var inside string
		w := through(httpjson.Envelope{}, r, func(_ http.ResponseWriter, r *http.Request) { inside = httpjson.RequestID(r.Context()) })
		id := w.Header().Get("X-Request-Id")
		if id != inside || kept && id != given || !kept && !made.MatchString(id) {
			t.Errorf("of %q the id is %q, inside %q", given, id, inside)
		}
	}
	if got := httpjson.RequestID(context.Background()); got != "" {
		t.Errorf("outside of a request the id is %q", got)
	}
}

// TestStrictTransport asks under several names for the header that makes
// browsers use HTTPS alone.
func TestStrictTransport(t *testing.T) {
	for host, want := range map[string]string{
		"support.example": "max-age=31536000", "support.example:8443": "max-age=31536000", "127.0.0.1:8443": "max-age=31536000", "notlocalhost": "max-age=31536000",
		"localhost": "", "localhost:8443": "", "LocalHost.:8443": "", "desk.localhost": "",
	} {
		for _, secure := range []bool{true, false} {
			if !secure {
				want = ""
			}
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Host = host
			w := through(httpjson.Envelope{Secure: secure}, r, func(http.ResponseWriter, *http.Request) {})
			if got := w.Header().Get("Strict-Transport-Security"); got != want {
				t.Errorf("%s, by HTTPS %t: %q, want %q", host, secure, got, want)
			}
		}
	}
}

// TestLinger has an answer that goes on after its handler: it counts no more, and
// ends before the envelope returns.
func TestLinger(t *testing.T) {
	limiter := httpjson.NewAddressLimiter(httpjson.AddressLimiterOptions{
		Limits: httpjson.AddressLimits{AMinute: 10, AtOnce: 1}, Clock: time.Now, Clients: httpjson.NewClients(httpjson.Proxies{}, slog.New(slog.DiscardHandler)),
		Log: slog.New(slog.DiscardHandler),
	})
	ask := func(h http.HandlerFunc) int {
		w := through(httpjson.Envelope{}, httptest.NewRequest(http.MethodGet, "/", nil), limiter.Wrap(h).ServeHTTP)
		return w.Code
	}
	lingered := 0
	status := ask(func(w http.ResponseWriter, _ *http.Request) {
		if inside := ask(func(http.ResponseWriter, *http.Request) {}); inside != http.StatusTooManyRequests {
			t.Errorf("beside a handler, a request is answered %d", inside)
		}
		w.(interface{ Linger(fn func()) }).Linger(func() {
			lingered = ask(func(http.ResponseWriter, *http.Request) {})
		})
	})
	if status != http.StatusOK || lingered != http.StatusOK {
		t.Errorf("the answers are %d and, beside one that goes on, %d", status, lingered)
	}
}

func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		e := httpjson.Envelope{Timeout: time.Minute}
		through(e, httptest.NewRequest(http.MethodGet, "/", nil), func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			if took := time.Since(began); took != time.Minute || r.Context().Err() != context.DeadlineExceeded {
				t.Errorf("the context ended after %s: %v", took, r.Context().Err())
			}
		})
		through(httpjson.Envelope{}, httptest.NewRequest(http.MethodGet, "/", nil), func(_ http.ResponseWriter, r *http.Request) {
			if _, limited := r.Context().Deadline(); limited {
				t.Error("there is a deadline without a timeout")
			}
		})
	})
	ctx, cancel := context.WithCancel(context.Background())
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
	through(httpjson.Envelope{Timeout: time.Minute}, r, func(_ http.ResponseWriter, r *http.Request) {
		cancel() // the caller leaves
		<-r.Context().Done()
	})
}

func TestPanic(t *testing.T) {
	log, text := logged()
	r := httptest.NewRequest(http.MethodGet, "/v1/x", nil)
	r.Header.Set("X-Request-Id", "r-1")
	w := through(httpjson.Envelope{Log: log}, r, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		panic("secret")
	})
	if got := errorOf(t, w.Body.Bytes()); w.Code != 500 || got != "internal error; the log has it under request id r-1" {
		t.Errorf("the answer is %d %q", w.Code, got)
	}
	for _, part := range []string{"secret", "request=r-1", "middleware_test.go", "level=ERROR"} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("the log lacks %s: %s", part, text)
		}
	}
}

// TestLoggedPaths lets handlers of links in mails fail: the log has the path without the token,
// which opens a conversation, and ids as they are.
func TestLoggedPaths(t *testing.T) {
	const token, id = "cr_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG", "0193480f-2c4a-7d1e-8f00-3a5b9c2d1e04"
	for name, fails := range map[string]func(w http.ResponseWriter, r *http.Request, log *slog.Logger){
		"panic": func(http.ResponseWriter, *http.Request, *slog.Logger) { panic("lost") },
		"error": func(w http.ResponseWriter, r *http.Request, log *slog.Logger) {
			httpjson.WriteError(w, r, log, errors.New("lost"))
		},
	} {
		log, text := logged()
		r := httptest.NewRequest(http.MethodPost, "/c/"+token+"/"+id, nil)
		through(httpjson.Envelope{Log: log, IDs: parley.NewIDs(nil)}, r, func(w http.ResponseWriter, r *http.Request) { fails(w, r, log) })
		if got := text.String(); strings.Contains(got, token) || !strings.Contains(got, "path=/c/…/"+id) {
			t.Errorf("after the %s the log says %s", name, got)
		}
	}
}

// TestPanicInAnAnswer checks that a caller does not mistake a part of an answer
// for the whole.
func TestPanicInAnAnswer(t *testing.T) {
	log, text := logged()
	e := httpjson.Envelope{Log: log, IDs: parley.NewIDs(nil)}
	server := httptest.NewServer(e.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/abort" {
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(w, "a part")
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		panic("late")
	})))
	defer server.Close()
	answer, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); err == nil || string(body) != "a part" {
		t.Errorf("the body is %q (%v), want a part and an error", body, err)
	}
	if !strings.Contains(text.String(), "late") {
		t.Errorf("the log says %q", text)
	}
	before := text.String()
	if answer, err := http.Get(server.URL + "/abort"); err == nil {
		answer.Body.Close()
		t.Errorf("an aborted request is answered with %d", answer.StatusCode)
	}
	if text.String() != before {
		t.Errorf("an abort is logged: %s", text)
	}
}

func TestCleanPaths(t *testing.T) {
	for path, known := range map[string]bool{
		"/": true, "/a": true, "/a/": true, "/a/b.c": true, "/a..b": true,
		"//": false, "/a//b": false, "/a/../b": false, "/a/.": false, "/..": false, "/a//": false, "": false, "a": false, "*": false,
		"/%2e": false, "/a/%2E./b": false, "/a/.%2e": false, "/a%2F%2Fb": true, "/%2Fa%2F": true, "/a/..%2Fb": true, "/%2e%2e%2e": true,
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL.RawPath = path
		r.URL.Path, _ = url.PathUnescape(path)
		w := httptest.NewRecorder()
		httpjson.CleanPaths(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(w, r)
		if known && w.Code != 200 || !known && (w.Code != 404 || errorOf(t, w.Body.Bytes()) != "there is no such address") {
			t.Errorf("%q: the answer is %d %s", path, w.Code, w.Body)
		}
	}
}

func TestMux(t *testing.T) {
	say := func(name string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			httpjson.OK([]byte(`"` + name + r.PathValue("id") + `"`)).Write(w)
		})
	}
	mux := httpjson.NewMux([]httpjson.Route{
		{Method: "GET", Path: "/c", Handler: say("list")},
		{Method: "POST", Path: "/c", Handler: say("create")},
		{Method: "GET", Path: "/c/{id}", Handler: say("read ")},
		{Method: "PATCH", Path: "/c/{id}", Handler: say("change ")},
		{Method: "POST", Path: "/c/{id}/m", Handler: say("post ")},
		{Method: "HEAD", Path: "/h", Handler: say("head")},
		{Method: "GET", Path: "/h", Handler: say("get")},
	})
	const unknown = "there is no such address"
	for _, c := range []struct {
		method, path, body, allow string
		status                    int
	}{
		{"GET", "/c", "list", "", 200}, {"HEAD", "/c", "list", "", 200}, {"POST", "/c", "create", "", 200}, {"GET", "/c/5", "read 5", "", 200},
		{"PATCH", "/c/a%2Fb", "change a/b", "", 200}, {"POST", "/c/5/m", "post 5", "", 200}, {"HEAD", "/h", "head", "", 200}, {"GET", "/h", "get", "", 200},
		{"DELETE", "/c", "the method must be one of GET, HEAD, POST", "GET, HEAD, POST", 405},
		{"OPTIONS", "/c/5", "the method must be one of GET, HEAD, PATCH", "GET, HEAD, PATCH", 405},
		{"GET", "/c/5/m", "the method must be one of POST", "POST", 405},
		{"HEAD", "/c/5/m", "the method must be one of POST", "POST", 405},
		{"GET", "/", unknown, "", 404}, {"POST", "/x", unknown, "", 404}, {"GET", "/c/", unknown, "", 404}, {"GET", "/c/5/", unknown, "", 404}, {"GET", "/c/5/m/x", unknown, "", 404},
	} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest(c.method, c.path, nil))
		body := strings.Trim(w.Body.String(), `"`)
		if c.status >= 400 {
			body = errorOf(t, w.Body.Bytes())
		}
		if w.Code != c.status || body != c.body || w.Header().Get("Allow") != c.allow || w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%s %s: the answer is %d %s, %v", c.method, c.path, w.Code, body, w.Header())
		}
	}
}

func TestMuxRoot(t *testing.T) {
	root := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { httpjson.OK(nil).Write(w) })
	w := httptest.NewRecorder()
	httpjson.NewMux([]httpjson.Route{{Method: "GET", Path: "/", Handler: root}}).ServeHTTP(w, httptest.NewRequest("GET", "/x", nil))
	if w.Code != 200 {
		t.Errorf("a route of / answers %d", w.Code)
	}
	defer func() {
		if p := recover(); p != "httpjson: the route GET /a is there twice" {
			t.Errorf("a route that is there twice panics with %v", p)
		}
	}()
	httpjson.NewMux([]httpjson.Route{{Method: "GET", Path: "/a", Handler: root}, {Method: "GET", Path: "/a", Handler: root}})
}

// TestClosing stops the server while requests are in progress: their answers
// say that the connection closes.
func TestClosing(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"a status": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
		"a body":   func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "x") },
	} {
		stopping := false
		e := httpjson.Envelope{Closing: func() bool { return stopping }}
		for _, want := range []string{"", "close"} {
			w := through(e, httptest.NewRequest(http.MethodGet, "/", nil), func(w http.ResponseWriter, r *http.Request) {
				stopping = want != ""
				answer(w, r)
			})
			if got := w.Result().Header.Get("Connection"); got != want {
				t.Errorf("%s: Connection: %q, want %q", name, got, want)
			}
		}
	}
}
