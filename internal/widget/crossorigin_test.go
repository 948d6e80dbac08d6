package widget_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/customers"
	"parley/internal/dashboard"
	"parley/internal/publicapi"
	"parley/internal/widget"
)

const (
	shop    = "https://shop.example"    // what the inbox lists
	other   = "https://other.example"   // what another inbox lists
	nowhere = "https://nowhere.example" // what none lists
	phone   = "capacitor://localhost"   // what the inbox lists too
)

// list has an inbox list origins.
func (w *world) list(inbox parley.ID, origins ...string) {
	w.t.Helper()
	if _, err := w.customers.UpdateWidget(w.t.Context(), w.by(), inbox, customers.WidgetChange{Origins: parley.Some(origins)}); err != nil {
		w.t.Fatal(err)
	}
}

// from are the headers of a browser that sends a request for another site's page.
func from(origin string) http.Header {
	return http.Header{"Sec-Fetch-Site": {"cross-site"}, "Origin": {origin}}
}

// preflight asks as a browser does before it sends a request for a page.
func (w *world) preflight(method, path, origin string) answer {
	w.t.Helper()
	h := from(origin)
	h.Set("Access-Control-Request-Method", method)
	h.Set("Access-Control-Request-Headers", "authorization,content-type")
	return w.send(request{method: http.MethodOptions, path: path, header: h})
}

// readable demands that the page of an origin, "" for none, may read an answer.
// No answer may come by cookies.
func (a answer) readable(origin string) answer {
	a.t.Helper()
	if got := a.header.Get("Access-Control-Allow-Origin"); got != origin {
		a.t.Errorf("%d: the page that may read it is %q, want %q", a.status, got, origin)
	}
	if a.header.Get("Access-Control-Allow-Credentials") != "" {
		a.t.Error("cookies are allowed")
	}
	return a
}

// TestOrigins sends every operation as browsers send it for pages of the
// origins that its inbox lists, of others, and of the server's own.
func TestOrigins(t *testing.T) {
	w := onSQLite(t)
	second := w.webInbox(w.home)
	w.list(w.inbox, shop, phone, "https://ports.example:443")
	w.list(second, other)
	everyRoute(t, w, func(t *testing.T, route widget.Route, sample func(*customer) sample) {
		document := strings.HasPrefix(route.Operation, "getWidgetOpenapi") // which is about no inbox
		for origin, x := range map[string]struct{ listed, elsewhere bool }{
			shop: {listed: true}, phone: {listed: true}, "https://ports.example": {listed: true},
			other:   {elsewhere: true},
			nowhere: {}, "null": {}, "http://shop.example": {}, "https://shop.example:8443": {}, "https://evil-shop.example": {},
		} {
			c := w.visitor()
			s := sample(c)
			got := w.send(request{method: method(route), path: s.path, body: s.body, token: c.token, header: from(origin), address: w.address()})
			switch {
			case x.listed, document && x.elsewhere:
				got.want(s.status).readable(origin)
			case route.Method == http.MethodGet:
				got.want(s.status).readable("")
			default:
				got.readable("").refused(403, "the request came from another site")
			}
			if !slices.Contains(got.header.Values("Vary"), "Origin") {
				t.Error("a cache may give the answer to another origin")
			}
			if asked := w.preflight(route.Method, s.path, origin); x.listed || x.elsewhere {
				asked.want(204).readable(origin)
				if methods := asked.header.Get("Access-Control-Allow-Methods"); !strings.Contains(methods, route.Method) {
					t.Errorf("the methods are %s, want %s too", methods, route.Method)
				}
			} else {
				asked.want(405).readable("")
			}
		}
		// The frame of the widget itself is no other site.
		c := w.visitor()
		s := sample(c)
		own := http.Header{"Sec-Fetch-Site": nil, "Origin": {"http://example.com"}}
		w.send(request{method: method(route), path: s.path, body: s.body, token: c.token, header: own, address: w.address()}).
			want(s.status).readable("")
	})
}

// TestOriginsOfOtherInterfaces sends the operations of the dashboard and of the
// public API as a browser does for a page that an inbox lists.
func TestOriginsOfOtherInterfaces(t *testing.T) {
	w := onSQLite(t)
	w.list(w.inbox, shop)
	type route struct{ method, path string }
	var routes []route
	for _, r := range dashboard.Routes() {
		routes = append(routes, route{r.Method, r.Path})
	}
	for _, r := range publicapi.Routes() {
		routes = append(routes, route{r.Method, r.Path})
	}
	for _, r := range routes {
		path := strings.NewReplacer("{id}", w.inbox.String(), "{label}", "vip", "{", "", "}", "").Replace(r.path)
		w.preflight(r.method, path, shop).want(405).readable("")
		if r.method == http.MethodGet && !strings.HasSuffix(path, "/events") {
			w.send(request{method: r.method, path: path, agent: true, header: from(shop)}).readable("")
		}
	}
}

// TestOriginsOfErrors demands that a listed page can read that its session has
// ended, and what it did wrong, and that settings hold at once.
func TestOriginsOfErrors(t *testing.T) {
	w := onSQLite(t)
	w.list(w.inbox, shop)
	c := w.visitor()
	send := func(method, path, body, origin string) answer {
		return w.send(request{method: method, path: "/v1/widget/" + path, body: body, token: c.token, header: from(origin), address: w.address()})
	}
	send("POST", "conversations", `{"content":""}`, shop).want(400).readable(shop)
	send("GET", "conversations/"+w.inbox.String(), "", shop).want(404).readable(shop)
	send("POST", "sessions", `{"inboxId":"`+string(w.home.Owner.ID)+`"}`, shop).want(400).readable(shop)
	w.preflight("GET", "/v1/widget/nothing", shop).want(404).readable("")

	w.list(w.inbox, other)
	send("GET", "session", "", shop).want(200).readable("")
	send("GET", "session", "", other).want(200).readable(other)
	send("DELETE", "session", "", shop).want(403).readable("")
	w.list(w.inbox)
	send("GET", "session", "", other).want(200).readable("")
	w.preflight("GET", "/v1/widget/session", other).want(405).readable("")

	w.list(w.inbox, shop)
	send("DELETE", "session", "", shop).want(200).readable(shop)
	send("GET", "session", "", shop).want(401).readable(shop)
	send("GET", "session", "", nowhere).want(401).readable("")
}
