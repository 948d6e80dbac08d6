package apitest

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/httpjson"
)

// A Row is a row of a table of routes, with everything that its document says
// about it.
type Row struct {
	Operation, Method, Path string
	Open                    bool
	Role                    parley.Role
	Scopes, Older           [][]parley.Scope
}

// A Sample is a request to an operation that succeeds.
type Sample struct {
	Path, Body string
	Status     int
	Cookie     string // sent beside that of a session, "" for none
	Type       string // of the body; "" for JSON
}

// NewSample returns a sample.
func NewSample(path, body string, status int) Sample {
	return Sample{Path: path, Body: body, Status: status}
}

// A Surface describes the routes below a prefix for the walks.
type Surface struct {
	Prefix string
	Rows   []Row
	// Good returns a request to a route that succeeds with the status, each
	// time from a new caller.
	Good func(t *testing.T, row Row) (r Request, status int)
	// Cheap is the path of a GET that every caller may send.
	Cheap string
	// Storeless are the operations that answer while the store is away.
	Storeless []string
	// Remembered are the operations that need nothing but the credential, so that
	// they answer without the store while it is remembered.
	Remembered []string
}

// Operations returns the names of the surface's operations.
func (s Surface) Operations() []string {
	var names []string
	for _, row := range s.Rows {
		names = append(names, row.Operation)
	}
	return names
}

// Matches compares the table of routes with the document.
func (s Surface) Matches(t *testing.T) {
	t.Helper()
	documented := map[string]Row{}
	for _, o := range Gate().Operations() {
		if strings.HasPrefix(o.Path, s.Prefix) {
			documented[o.ID] = Row{o.ID, o.Method, o.Path, o.Open, parley.Role(o.Role), scopes(o.Scopes), scopes(o.Older)}
		}
	}
	same := func(a, b [][]parley.Scope) bool { return slices.EqualFunc(a, b, slices.Equal) }
	for _, row := range s.Rows {
		d, ok := documented[row.Operation]
		switch {
		case !ok:
			t.Errorf("%s is not in the document", row.Operation)
		case d.Method != row.Method || d.Path != row.Path || d.Open != row.Open:
			t.Errorf("%s is %s %s in the document, %s %s in the table", d.Operation, d.Method, d.Path, row.Method, row.Path)
		case d.Role != row.Role:
			t.Errorf("%s needs the role %q in the document, %q in the table", d.Operation, d.Role, row.Role)
		case !same(d.Scopes, row.Scopes) || !same(d.Older, row.Older):
			t.Errorf("%s needs %v or %v in the document, %v or %v in the table", d.Operation, d.Scopes, d.Older, row.Scopes, row.Older)
		}
		delete(documented, row.Operation)
	}
	for id := range documented {
		t.Errorf("%s is in the document and not in the table", id)
	}
}

func scopes(texts [][]string) [][]parley.Scope {
	var alternatives [][]parley.Scope
	for _, all := range texts {
		var one []parley.Scope
		for _, text := range all {
			one = append(one, parley.Scope(text))
		}
		alternatives = append(alternatives, one)
	}
	return alternatives
}

// Each runs a test for each route.
func (s Surface) Each(t *testing.T, w *World, test func(t *testing.T, row Row)) {
	t.Helper()
	for _, row := range s.Rows {
		w.Run(t, row.Operation, func(t *testing.T) { test(t, row) })
	}
}

// EachRoute runs a test for each row of a table of routes with its sample. An
// operation without a sample is a failure.
func EachRoute[R, S any](t *testing.T, w *World, routes []R, operation func(R) string, samples map[string]S, test func(t *testing.T, route R, sample S)) {
	t.Helper()
	for _, route := range routes {
		w.Run(t, operation(route), func(t *testing.T) {
			sample, ok := samples[operation(route)]
			if !ok {
				t.Fatalf("the operation %s has no row in samples", operation(route))
			}
			test(t, route, sample)
		})
	}
}

// RefusesCrossSite sends changes in the way that a browser does for a page of
// another site.
func (s Surface) RefusesCrossSite(t *testing.T, w *World) {
	t.Helper()
	s.Each(t, w, func(t *testing.T, row Row) {
		if row.Method == http.MethodGet {
			return
		}
		for _, header := range []http.Header{
			{"Sec-Fetch-Site": {"cross-site"}},
			{"Sec-Fetch-Site": {"same-site"}},
			{"Sec-Fetch-Site": nil, "Origin": {"https://evil.example"}},
			{"Sec-Fetch-Site": nil, "Origin": {"null"}},
		} {
			r, _ := s.Good(t, row)
			r.Header = maps.Clone(r.Header)
			if r.Header == nil {
				r.Header = http.Header{}
			}
			maps.Copy(r.Header, header)
			w.Send(r).Refused(http.StatusForbidden, "the request came from another site")
		}
	})
}

// RefusesBadInput sends inputs that no operation accepts, and inputs that every
// operation ignores.
func (s Surface) RefusesBadInput(t *testing.T, w *World) {
	t.Helper()
	takesBody := map[string]bool{}
	for _, o := range Gate().Operations() {
		takesBody[o.ID] = o.TakesBody()
	}
	s.Each(t, w, func(t *testing.T, row Row) {
		send := func(change func(*Request)) Answer {
			r, _ := s.Good(t, row)
			change(&r)
			return w.Send(r)
		}
		body := func(body string) func(*Request) { return func(r *Request) { r.Body = body } }
		send(func(r *Request) { r.Path += separator(r.Path) + "a=%zz" }).Want(http.StatusBadRequest)
		if !takesBody[row.Operation] {
			return
		}
		send(func(r *Request) { r.Header = http.Header{"Content-Type": {"text/plain"}} }).Want(http.StatusUnsupportedMediaType)
		send(body(`{"x":"` + strings.Repeat("x", httpjson.MaxBody) + `"}`)).Want(http.StatusRequestEntityTooLarge)
		for _, bad := range []string{`{`, `[]`, `null`} {
			send(body(bad)).Want(http.StatusBadRequest)
		}
		send(func(r *Request) { r.Body += "x" }).Want(http.StatusBadRequest)
		r, status := s.Good(t, row)
		r.Path += separator(r.Path) + "typo=1"
		r.Body = strings.Replace(r.Body, "{", `{"colour":1,`, 1)
		if ignored := w.Send(r).Want(status).Header.Get("Parley-Ignored"); ignored != "colour, typo" {
			t.Errorf("Parley-Ignored is %q", ignored)
		}
	})
}

func separator(path string) string {
	if strings.Contains(path, "?") {
		return "&"
	}
	return "?"
}

// NeedsTheStore closes the store and calls all operations, with cached
// credentials and with credentials that must be looked up.
func (s Surface) NeedsTheStore(t *testing.T, w *World) {
	t.Helper()
	requests := map[string]Request{}
	s.Each(t, w, func(t *testing.T, row Row) {
		if slices.Contains(s.Storeless, row.Operation) {
			return
		}
		r, _ := s.Good(t, row)
		requests[row.Operation] = r
		r.Method, r.Path, r.Body = http.MethodGet, s.Cheap, ""
		w.Send(r).Want(http.StatusOK)
	})
	if err := w.Store.Close(); err != nil {
		t.Fatal(err)
	}
	for round := range 2 {
		for operation, r := range requests {
			got := w.Send(r)
			if round == 0 && got.Status != http.StatusServiceUnavailable && slices.Contains(s.Remembered, operation) {
				continue
			}
			got.Refused(http.StatusServiceUnavailable, "the store cannot answer now; try again")
			if got.Header.Get("Retry-After") != "1" {
				t.Errorf("%s: Retry-After is %q", operation, got.Header.Get("Retry-After"))
			}
		}
		w.Advance(time.Second)
	}
}

// CountsOpenRoutes calls routes without a credential from an address over its
// limit, and Cheap with a credential, which does not count for the address. The
// handler is the surface's own with the limiter.
func (s Surface) CountsOpenRoutes(t *testing.T, w *World, handler func(*httpjson.AddressLimiter) http.Handler) {
	t.Helper()
	enveloped := w.Enveloped(handler(httpjson.NewAddressLimiter(httpjson.AddressLimiterOptions{
		Limits: httpjson.AddressLimits{AMinute: 1, AtOnce: 1}, Clock: w.Now, Log: Log(t),
	})))
	known := func(row Row) {
		t.Helper()
		r := httptest.NewRequest(http.MethodGet, s.Cheap, nil)
		w.Sign(r)
		if got := Gate().Do(t, enveloped, r); got.Code != http.StatusOK {
			t.Errorf("beside %s a known caller is answered with %d: %s", row.Operation, got.Code, got.Body)
		}
	}
	for _, row := range s.Rows {
		if !row.Open {
			continue
		}
		known(row)
		for _, refused := range []bool{false, true} {
			r := httptest.NewRequest(row.Method, row.Path, nil)
			if row.Method == http.MethodPost {
				r = httptest.NewRequest(row.Method, row.Path, strings.NewReader("{}"))
				r.Header.Set("Content-Type", "application/json")
			}
			got := Gate().Do(t, enveloped, r)
			if got.Code >= http.StatusInternalServerError {
				t.Errorf("%s fails with %d: %s", row.Operation, got.Code, got.Body)
			}
			if (got.Code == http.StatusTooManyRequests) != refused || (got.Header().Get("Retry-After") != "") != refused {
				t.Errorf("%s is answered with %d %v; too much: %t", row.Operation, got.Code, got.Header(), refused)
			}
		}
		known(row)
		w.Advance(time.Minute)
	}
}

// KeepsDocument requests a document like a client that already has it.
func KeepsDocument(t *testing.T, w *World, path string) {
	t.Helper()
	ask := func(known string) Answer {
		return w.Send(Request{Method: http.MethodGet, Path: path, Bearer: None, Header: http.Header{"If-None-Match": {known}}})
	}
	first := ask("").Want(http.StatusOK)
	tag := first.Header.Get("ETag")
	if first.Header.Get("Cache-Control") != "no-cache" || !strings.HasPrefix(tag, `W/"`) {
		t.Errorf("%s: the headers are %v", path, first.Header)
	}
	for _, known := range []string{tag, strings.TrimPrefix(tag, "W/"), `"x", ` + tag, "*"} {
		if got := ask(known).Want(http.StatusNotModified); len(got.Body) != 0 || got.Header.Get("ETag") != tag {
			t.Errorf("%s: %q gives %d bytes and %v", path, known, len(got.Body), got.Header)
		}
	}
	ask(`"x"`).Want(http.StatusOK)
}
