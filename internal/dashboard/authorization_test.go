package dashboard_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/dashboard"
)

// A sample is a request of an operation that succeeds.
type sample struct {
	path, body string
	status     int
}

// samples has a row for every operation, made of the rows of the nouns; an
// operation without one fails the tests below. A row makes the records that it
// needs, so that it can be asked for again and again.
func samples(w *world) map[string]func() sample {
	all := map[string]func() sample{}
	for _, part := range []map[string]func() sample{
		sessionSamples(w), memberSamples(w), liveSamples(w), searchSamples(w), reportSamples(w),
		keySamples(w), settingSamples(w), numberSamples(w), identitySamples(w), contactSamples(w), widgetSamples(w), documentSamples(),
	} {
		maps.Copy(all, part)
	}
	return all
}

// everyRoute runs a test for each route with its sample.
func everyRoute(t *testing.T, w *world, test func(t *testing.T, route dashboard.Route, sample func() sample)) {
	t.Helper()
	all := samples(w)
	for _, route := range dashboard.Routes() {
		t.Run(route.Operation, func(t *testing.T) {
			outer := w.t
			w.t = t
			defer func() { w.t = outer }()
			s, ok := all[route.Operation]
			if !ok {
				t.Fatalf("the operation %s has no row in samples", route.Operation)
			}
			test(t, route, s)
		})
	}
}

// TestRouteTableIsTheDocument compares the route table with the document:
// operations, roles, and which of them need no session.
func TestRouteTableIsTheDocument(t *testing.T) {
	documented := map[string]bool{}
	for _, o := range gate().Operations() {
		if strings.HasPrefix(o.Path, "/v1/dashboard") {
			documented[o.ID] = true
		}
	}
	for _, route := range dashboard.Routes() {
		found := false
		for _, o := range gate().Operations() {
			if o.ID != route.Operation {
				continue
			}
			found = true
			delete(documented, o.ID)
			if o.Method != route.Method || o.Path != route.Path || o.Open != route.Open {
				t.Errorf("%s is %s %s in the document, %s %s in the table", o.ID, o.Method, o.Path, route.Method, route.Path)
			}
			if o.Role != string(route.Role) {
				t.Errorf("%s needs the role %q in the document, %q in the table", o.ID, o.Role, route.Role)
			}
		}
		if !found {
			t.Errorf("%s is not in the document", route.Operation)
		}
	}
	for id := range documented {
		t.Errorf("%s is in the document and not in the table", id)
	}
}

// TestRoles sends every operation as each role, and without a session.
func TestRoles(t *testing.T) {
	w := onSQLite(t)
	everyRoute(t, w, func(t *testing.T, route dashboard.Route, sample func() sample) {
		for _, role := range parley.Roles {
			s := sample()
			_, token := w.member(role)
			got := w.send(request{method: route.Method, path: s.path, body: s.body, token: token})
			allowed := route.Open || slices.Index(parley.Roles, role) <= slices.Index(parley.Roles, route.Role)
			switch {
			case allowed && got.status != s.status:
				t.Errorf("as %s the status is %d, want %d: %s", role, got.status, s.status, got.body)
			case !allowed && got.status != 403:
				t.Errorf("as %s the status is %d, want 403: %s", role, got.status, got.body)
			}
		}
		if route.Open {
			return
		}
		s := sample()
		w.send(request{method: route.Method, path: s.path, body: s.body, token: "none"}).want(401)
		w.send(request{method: route.Method, path: s.path, body: s.body, token: "ps_" + parley.Token(strings.Repeat("a", 43))}).want(401)
	})
}

// TestCrossSite sends what would change something as another site's page would
// have a browser send it.
func TestCrossSite(t *testing.T) {
	w := onSQLite(t)
	everyRoute(t, w, func(t *testing.T, route dashboard.Route, sample func() sample) {
		if route.Method == "GET" {
			return
		}
		for _, header := range []map[string][]string{
			{"Sec-Fetch-Site": {"cross-site"}},
			{"Sec-Fetch-Site": {"same-site"}},
			{"Sec-Fetch-Site": nil, "Origin": {"https://evil.example"}},
			{"Sec-Fetch-Site": nil, "Origin": {"null"}},
		} {
			s := sample()
			w.send(request{method: route.Method, path: s.path, body: s.body, header: header}).
				refused(403, "the request came from another site")
		}
	})
}
