package dashboard_test

import (
	"strings"
	"testing"

	"parley"
	"parley/internal/dashboard"
	"parley/internal/httpjson"
)

// TestBadInput sends what no operation takes.
func TestBadInput(t *testing.T) {
	w := onSQLite(t)
	takesBody := map[string]bool{}
	for _, o := range gate().Operations() {
		takesBody[o.ID] = o.TakesBody()
	}
	everyRoute(t, w, func(t *testing.T, route dashboard.Route, sample func() sample) {
		s := sample()
		_, token := w.member(parley.Owner) // whom a good request may sign out
		path, _, _ := strings.Cut(s.path, "?")
		w.send(request{method: route.Method, path: path + "?a=%zz", body: s.body, token: token}).want(400)
		if !takesBody[route.Operation] {
			return
		}
		plain := map[string][]string{"Content-Type": {"text/plain"}}
		w.send(request{method: route.Method, path: path, body: s.body, header: plain, token: token}).want(415)
		w.send(request{method: route.Method, path: path, body: `{"x":"` + strings.Repeat("x", httpjson.MaxBody) + `"}`, token: token}).want(413)
		for _, body := range []string{`{`, `[]`, `null`, s.body + "x"} {
			w.send(request{method: route.Method, path: path, body: body, token: token}).want(400)
		}
		got := w.send(request{
			method: route.Method, path: path + "?typo=1", token: token, body: strings.Replace(s.body, "{", `{"colour":1,`, 1),
		}).want(s.status)
		if ignored := got.header.Get("Parley-Ignored"); ignored != "colour, typo" {
			t.Errorf("Parley-Ignored is %q", ignored)
		}
	})
}

// TestStoreAway asks for everything while the store is closed.
func TestStoreAway(t *testing.T) {
	w := onSQLite(t)
	requests := map[string]request{}
	everyRoute(t, w, func(t *testing.T, route dashboard.Route, sample func() sample) {
		s := sample()
		if !withoutStore(route.Operation) {
			requests[route.Operation] = request{method: route.Method, path: s.path, body: s.body}
		}
	})
	w.get("/v1/dashboard/labels").want(200) // the session is remembered for a moment
	if err := w.store.Close(); err != nil {
		t.Fatal(err)
	}
	for operation, r := range requests {
		if got := w.send(r).want(503); got.header.Get("Retry-After") == "" {
			t.Errorf("%s: no Retry-After", operation)
		}
	}
}
