package widget_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/apitest"
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

// list sets the origins of an inbox.
func (w *world) list(inbox parley.ID, origins ...string) {
	w.T.Helper()
	if _, err := w.Customers.UpdateWidget(w.T.Context(), w.By(), inbox, customers.WidgetChange{Origins: parley.Some(origins)}); err != nil {
		w.T.Fatal(err)
	}
}

// from returns the headers of a browser for a request of another site's page.
func from(origin string) http.Header {
	return http.Header{"Sec-Fetch-Site": {"cross-site"}, "Origin": {origin}}
}

// preflight sends what a browser sends before a page's request.
func (w *world) preflight(method, path, origin string) apitest.Answer {
	w.T.Helper()
	h := from(origin)
	h.Set("Access-Control-Request-Method", method)
	h.Set("Access-Control-Request-Headers", "authorization,content-type")
	return w.Send(apitest.Request{Method: http.MethodOptions, Path: path, Header: h})
}

// TestOrigins sends every operation like a browser: for pages of listed
// origins, of others, and of the server itself.
func TestOrigins(t *testing.T) {
	w := onSQLite(t)
	second := w.webInbox(w.Home)
	w.list(w.inbox, shop, phone, "https://ports.example:443")
	w.list(second, other)
	everyRoute(t, w, func(t *testing.T, route widget.Route, sample func(*customer) apitest.Sample) {
		document := strings.HasPrefix(route.Operation, "getWidgetOpenapi") // which is about no inbox
		for origin, x := range map[string]struct{ listed, elsewhere bool }{
			shop: {listed: true}, phone: {listed: true}, "https://ports.example": {listed: true},
			other:   {elsewhere: true},
			nowhere: {}, "null": {}, "http://shop.example": {}, "https://shop.example:8443": {}, "https://evil-shop.example": {},
		} {
			c := w.visitor()
			s := sample(c)
			got := w.Send(apitest.Request{Method: method(route.Operation, route.Method), Path: s.Path, Body: s.Body, Bearer: string(c.token), Header: from(origin), Address: w.address()})
			switch {
			case x.listed, document && x.elsewhere:
				got.Want(s.Status).Readable(origin)
			case route.Method == http.MethodGet:
				got.Want(s.Status).Readable("")
			default:
				got.Readable("").Refused(403, "the request came from another site")
			}
			if !slices.Contains(got.Header.Values("Vary"), "Origin") {
				t.Error("a cache may give the answer to another origin")
			}
			if asked := w.preflight(route.Method, s.Path, origin); x.listed || x.elsewhere {
				asked.Want(204).Readable(origin)
				if methods := asked.Header.Get("Access-Control-Allow-Methods"); !strings.Contains(methods, route.Method) {
					t.Errorf("the methods are %s, want %s too", methods, route.Method)
				}
			} else {
				asked.Want(405).Readable("")
			}
		}
		// The widget's own frame is not another site.
		c := w.visitor()
		s := sample(c)
		own := http.Header{"Sec-Fetch-Site": nil, "Origin": {"http://example.com"}}
		w.Send(apitest.Request{Method: method(route.Operation, route.Method), Path: s.Path, Body: s.Body, Bearer: string(c.token), Header: own, Address: w.address()}).
			Want(s.Status).Readable("")
	})
}

// TestOriginsOfOtherInterfaces sends the operations of the dashboard and of the
// public API like a browser for a page that an inbox lists.
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
		w.preflight(r.method, path, shop).Want(405).Readable("")
		if r.method == http.MethodGet && !strings.HasSuffix(path, "/events") {
			w.Send(apitest.Request{Method: r.method, Path: path, Session: w.Owner, Header: from(shop)}).Readable("")
		}
	}
}

// TestOriginsOfErrors requires that a listed page can read that its session has
// ended, and its errors, and that settings take effect at once.
func TestOriginsOfErrors(t *testing.T) {
	w := onSQLite(t)
	w.list(w.inbox, shop)
	c := w.visitor()
	send := func(method, path, body, origin string) apitest.Answer {
		return w.Send(apitest.Request{Method: method, Path: "/v1/widget/" + path, Body: body, Bearer: string(c.token), Header: from(origin), Address: w.address()})
	}
	send("POST", "conversations", `{"content":""}`, shop).Want(400).Readable(shop)
	send("GET", "conversations/"+w.inbox.String(), "", shop).Want(404).Readable(shop)
	send("POST", "sessions", `{"inboxId":"`+string(w.Home.Owner.ID)+`"}`, shop).Want(400).Readable(shop)
	w.preflight("GET", "/v1/widget/nothing", shop).Want(404).Readable("")

	w.list(w.inbox, other)
	send("GET", "session", "", shop).Want(200).Readable("")
	send("GET", "session", "", other).Want(200).Readable(other)
	send("DELETE", "session", "", shop).Want(403).Readable("")
	w.list(w.inbox)
	send("GET", "session", "", other).Want(200).Readable("")
	w.preflight("GET", "/v1/widget/session", other).Want(405).Readable("")

	w.list(w.inbox, shop)
	send("DELETE", "session", "", shop).Want(200).Readable(shop)
	send("GET", "session", "", shop).Want(401).Readable(shop)
	send("GET", "session", "", nowhere).Want(401).Readable("")
}
