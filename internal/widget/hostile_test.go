package widget_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/httpjson"
	"parley/internal/store/storetest"
	"parley/internal/widget"
)

// A sample is a request of an operation that succeeds.
type sample struct {
	path, body string
	status     int
}

// samples has a row for every operation; one without a row fails the tests
// below. A row makes what it needs, for the customer who asks.
func samples(w *world) map[string]func(c *customer) sample {
	fixed := func(path, body string, status int) func(*customer) sample {
		return func(*customer) sample { return sample{"/v1/widget/" + path, body, status} }
	}
	own := func(more, body string, status int) func(*customer) sample {
		return func(c *customer) sample {
			w.t.Helper()
			return sample{"/v1/widget/conversations/" + c.begin("hi") + more, body, status}
		}
	}
	return map[string]func(*customer) sample{
		"getWidget":                 fixed("inboxes/"+w.inbox.String(), "", 200),
		"startCustomerSession":      fixed("sessions", `{"inboxId":"`+w.inbox.String()+`"}`, 201),
		"getCustomerSession":        fixed("session", "", 200),
		"endCustomerSession":        fixed("session", "", 200),
		"listCustomerConversations": fixed("conversations", "", 200),
		"startCustomerConversation": fixed("conversations", `{"content":"hi"}`, 201),
		"getCustomerConversation":   own("", "", 200),
		"postCustomerMessage":       own("/messages", `{"content":"more"}`, 201),
		"readCustomerConversation":  own("/read", "", 200),
		"setCustomerTyping":         own("/typing", `{"typing":true}`, 200),
		"uploadCustomerAttachment":  fixed("attachments", "%PDF-1.7", 201),
		"streamCustomerEvents":      fixed("events", "", 200),
		"getWidgetOpenapiJson":      fixed("openapi.json", "", 200),
		"getWidgetOpenapiYaml":      fixed("openapi.yaml", "", 200),
	}
}

// everyRoute runs a test for each route with its sample.
func everyRoute(t *testing.T, w *world, test func(t *testing.T, route widget.Route, sample func(*customer) sample)) {
	t.Helper()
	all := samples(w)
	for _, route := range widget.Routes() {
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

// method is that of a route. A stream is asked for by HEAD, which ends.
func method(route widget.Route) string {
	if route.Operation == "streamCustomerEvents" {
		return http.MethodHead
	}
	return route.Method
}

// TestRouteTableIsTheDocument compares the route table with the document.
func TestRouteTableIsTheDocument(t *testing.T) {
	documented := map[string]bool{}
	for _, o := range gate().Operations() {
		if strings.HasPrefix(o.Path, "/v1/widget/") {
			documented[o.ID] = true
		}
	}
	for _, route := range widget.Routes() {
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
		}
		if !found {
			t.Errorf("%s is not in the document", route.Operation)
		}
	}
	for id := range documented {
		t.Errorf("%s is in the document and not in the table", id)
	}
}

// TestAuthorization sends every operation with a session, without one, with one
// that has ended, and with what is no customer's session.
func TestAuthorization(t *testing.T) {
	w := onSQLite(t)
	everyRoute(t, w, func(t *testing.T, route widget.Route, sample func(*customer) sample) {
		c := w.visitor()
		s := sample(c)
		send := func(token parley.Token) answer {
			return w.send(request{method: method(route), path: s.path, body: s.body, token: token, address: w.address()})
		}
		if !route.Open {
			gone := w.visitor()
			w.send(request{method: "DELETE", path: "/v1/widget/session", token: gone.token}).want(200)
			for _, token := range []parley.Token{"", gone.token, "x", parley.Token(w.home.Secret), w.agent, "cs_" + parley.Token(strings.Repeat("a", 43))} {
				send(token).want(401)
			}
			basic := http.Header{"Authorization": {"Basic " + string(c.token)}}
			w.send(request{method: method(route), path: s.path, body: s.body, header: basic}).want(401)
		}
		send(c.token).want(s.status)
	})
}

// TestCrossSite sends what would change something as another site's page would
// have a browser send it.
func TestCrossSite(t *testing.T) {
	w := onSQLite(t)
	everyRoute(t, w, func(t *testing.T, route widget.Route, sample func(*customer) sample) {
		if route.Method == "GET" {
			return
		}
		c := w.visitor()
		s := sample(c)
		for _, header := range []http.Header{
			{"Sec-Fetch-Site": {"cross-site"}},
			{"Sec-Fetch-Site": {"same-site"}},
			{"Sec-Fetch-Site": nil, "Origin": {"https://evil.example"}},
			{"Sec-Fetch-Site": nil, "Origin": {"null"}},
		} {
			w.send(request{method: route.Method, path: s.path, body: s.body, token: c.token, header: header, address: w.address()}).
				refused(403, "the request came from another site")
		}
	})
}

// TestBadInput sends what no operation takes.
func TestBadInput(t *testing.T) {
	w := onSQLite(t)
	takesBody := map[string]bool{}
	for _, o := range gate().Operations() {
		takesBody[o.ID] = o.TakesBody()
	}
	everyRoute(t, w, func(t *testing.T, route widget.Route, sample func(*customer) sample) {
		c := w.visitor()
		s := sample(c)
		send := func(more, body string, header http.Header) answer {
			return w.send(request{
				method: method(route), path: s.path + more, body: body, token: c.token, header: header, address: w.address(),
			})
		}
		send("?a=%zz", s.body, nil).want(400)
		if strings.Contains(route.Path, "{id}") {
			path := strings.Replace(route.Path, "{id}", "x", 1)
			w.send(request{method: route.Method, path: path, body: s.body, token: c.token}).want(400)
		}
		if !takesBody[route.Operation] {
			return
		}
		send("", s.body, http.Header{"Content-Type": {"text/plain"}}).want(415)
		send("", `{"x":"`+strings.Repeat("x", httpjson.MaxBody)+`"}`, nil).want(413)
		for _, body := range []string{`{`, `[]`, `null`, s.body + "x", `{}`} {
			send("", body, nil).want(400)
		}
		got := send("?typo=1", strings.Replace(s.body, "{", `{"colour":1,`, 1), nil).want(s.status)
		if ignored := got.header.Get("Parley-Ignored"); ignored != "colour, typo" {
			t.Errorf("Parley-Ignored is %q", ignored)
		}
	})
}

// TestHostileMessages sends what no customer may write.
func TestHostileMessages(t *testing.T) {
	w := onSQLite(t)
	v := w.visitor()
	v.begin("hi")
	for _, body := range []string{
		`{"content":""}`, `{"content":"  "}`, `{"content":1}`, `{"content":null}`, `{"content":"` + strings.Repeat("x", 65537) + `"}`,
		`{"content":"a\u0000b"}`, `{"content":"\ud800"}`, `{"attachmentIds":["x"]}`, `{"content":"x","attachmentIds":"x"}`,
	} {
		v.post("conversations", body).want(400)
	}
	v = w.visitor()
	id := v.begin("hi")
	v.post("conversations/"+id+"/messages", `{"content":"x","attachmentIds":["0193480f-2c4a-7d1e-8f00-3a5b9c2d1e05"]}`).want(404)
	// What only members and programs may say has no effect.
	got := v.post("conversations/"+id+"/messages",
		`{"content":"<script>alert(1)</script>","role":"outgoing","isPrivate":true,"agentUserId":"usr_x","createdAt":"2020-01-01T00:00:00Z","contentType":"html"}`).want(201)
	got.is("from", `"customer"`, "contentType", `"text"`)
	if ignored := got.header.Get("Parley-Ignored"); ignored != "agentUserId, contentType, createdAt, isPrivate, role" {
		t.Errorf("Parley-Ignored is %q", ignored)
	}
	if strings.Contains(string(got.body), "<script") {
		t.Errorf("the answer has markup: %s", got.body)
	}
	w.agentGet("/v1/public/conversations/"+id).want(200).is("messages.data.1.isPrivate", "false", "messages.data.1.senderType", `"contact"`)
	for _, body := range []string{
		`{"inboxId":1}`, `{"inboxId":"x"}`, `{}`, `{"inboxId":"` + w.inbox.String() + `","identity":1}`,
		`{"inboxId":"` + w.inbox.String() + `","identity":"` + strings.Repeat("a", 16385) + `"}`,
		`{"inboxId":"` + w.inbox.String() + `","visitor":1}`, `{"inboxId":"` + w.inbox.String() + `","identity":null}`,
	} {
		w.send(request{method: "POST", path: "/v1/widget/sessions", body: body, address: w.address()}).want(400)
	}
}

func TestThrottles(t *testing.T) {
	w := onSQLite(t)
	start := func(address, identity string) answer {
		body := `{"inboxId":"` + w.inbox.String() + `"}`
		if identity != "" {
			body = `{"inboxId":"` + w.inbox.String() + `","identity":"` + identity + `"}`
		}
		return w.send(request{method: "POST", path: "/v1/widget/sessions", body: body, address: address})
	}
	for range 10 {
		start("10.0.0.1:1", "bad").want(401)
	}
	if wait := start("10.0.0.1:2", "bad").want(429).header.Get("Retry-After"); wait == "" {
		t.Error("no Retry-After")
	}
	start("10.0.0.1:1", w.signed(claims("ada", ""))).want(201) // others behind the same address go on
	for range 30 {
		start("10.0.0.2:1", "").want(201)
	}
	start("10.0.0.2:1", "").refused(429, "too much at once; try again in a moment")
	start("10.0.0.3:1", "").want(201)
	w.advance(time.Minute)
	start("10.0.0.2:1", "").want(201)

	v, other := w.visitor(), w.visitor()
	id := v.begin("1")
	for i := range 29 {
		v.post("conversations/"+id+"/messages", fmt.Sprintf(`{"content":"%d"}`, i)).want(201)
	}
	v.post("conversations/"+id+"/messages", `{"content":"x"}`).want(429)
	v.post("conversations", `{"content":"x"}`).want(429)
	other.begin("hi")
	for range 60 {
		v.post("conversations/"+id+"/typing", `{"typing":true}`).want(200)
	}
	v.post("conversations/"+id+"/typing", `{"typing":true}`).want(429)
	for range 20 {
		w.send(request{method: "POST", path: "/v1/widget/attachments", token: other.token}).want(400) // an empty one
	}
	w.send(request{method: "POST", path: "/v1/widget/attachments", token: other.token}).want(429)
}

// TestReadsOfASession reads more often than one session may.
func TestReadsOfASession(t *testing.T) {
	w := onSQLite(t)
	v, other := w.visitor(), w.visitor()
	id := v.begin("hi")
	const most = 600
	for range most - 1 {
		v.get("session").want(200)
	}
	v.post("conversations/"+id+"/read", "").want(200)
	for _, path := range []string{"session", "conversations", "conversations/" + id} {
		if got := v.get(path).want(429); got.header.Get("Retry-After") == "" {
			t.Errorf("%s: no Retry-After", path)
		}
	}
	v.post("conversations/"+id+"/read", "").refused(429, "too much at once; try again in a moment")
	w.send(request{method: "DELETE", path: "/v1/widget/session", token: v.token, address: v.address}).want(429)
	v.post("conversations/"+id+"/messages", `{"content":"x"}`).want(201) // counted by itself
	other.get("session").want(200)
	w.advance(time.Minute)
	v.get("session").want(200)
}

// TestRequestsOfAnAddress asks for everything from an address that has asked for
// too much, with a session and without.
func TestRequestsOfAnAddress(t *testing.T) {
	w := onSQLite(t)
	const most = 3
	mine := widget.New(widget.Options{
		Desk: w.desk, Customers: w.customers, Clock: w.now, Log: storetest.Quiet(), Requests: httpjson.AddressLimits{AMinute: most, AtOnce: most},
	})
	pages := mine.Limited(pagesOf(t, w))
	envelope := httpjson.Envelope{Log: storetest.Quiet(), IDs: parley.NewIDs(nil)}
	ask := func(h http.Handler, method, path, address string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, nil)
		r.RemoteAddr = address
		if strings.HasPrefix(path, "/v1/") {
			return gate().Do(t, envelope.Wrap(h), r)
		}
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		return rec
	}
	const address = "10.9.9.9:1"
	settings := "/v1/widget/inboxes/" + w.inbox.String()
	for range most {
		if got := ask(mine.Handler(), "GET", settings, address); got.Code != 200 {
			t.Fatalf("the widget is answered with %d", got.Code)
		}
	}
	for _, route := range widget.Routes() {
		path := strings.ReplaceAll(route.Path, "{id}", w.inbox.String())
		if got := ask(mine.Handler(), route.Method, path, address); got.Code != 429 || got.Header().Get("Retry-After") == "" {
			t.Errorf("%s is answered with %d %v", route.Operation, got.Code, got.Header())
		}
	}
	if got := ask(pages, "GET", "/widget/frame?inbox="+w.inbox.String(), address); got.Code != 429 {
		t.Errorf("the frame is answered with %d", got.Code)
	}
	if got := ask(mine.Handler(), "GET", settings, "10.9.9.8:1"); got.Code != 200 {
		t.Errorf("another address is answered with %d", got.Code)
	}
	w.advance(time.Minute)
	if got := ask(pages, "GET", "/widget/frame?inbox="+w.inbox.String(), address); got.Code != 200 {
		t.Errorf("a minute later the frame is answered with %d", got.Code)
	}
}

// TestStoreAway asks for everything while the store is closed.
func TestStoreAway(t *testing.T) {
	w := onSQLite(t)
	c := w.visitor()
	requests := map[string]request{}
	everyRoute(t, w, func(t *testing.T, route widget.Route, sample func(*customer) sample) {
		// A stream's HEAD reads nothing, and the document is part of the binary.
		if route.Operation != "streamCustomerEvents" && !strings.HasPrefix(route.Operation, "getWidgetOpenapi") {
			s := sample(c)
			requests[route.Operation] = request{method: route.Method, path: s.path, body: s.body, token: c.token, address: w.address()}
		}
	})
	c.get("session").want(200)
	if err := w.store.Close(); err != nil {
		t.Fatal(err)
	}
	for operation, r := range requests {
		if got := w.send(r).want(503); got.header.Get("Retry-After") == "" {
			t.Errorf("%s: no Retry-After", operation)
		}
	}
	stream := request{method: "GET", path: "/v1/widget/events", token: w.unknown()}
	w.send(stream).want(503)
}

// unknown returns a token that the server has not seen a moment ago.
func (w *world) unknown() parley.Token {
	w.t.Helper()
	token, err := parley.NewToken("cs")
	if err != nil {
		w.t.Fatal(err)
	}
	return token
}

// TestUploads sends files in messages, and those that a message cannot have.
func TestUploads(t *testing.T) {
	w := onSQLite(t)
	v, eve := w.visitor(), w.visitor()
	upload := func(c *customer, more string, header http.Header) answer {
		if header == nil {
			header = http.Header{"Content-Type": {"application/pdf"}}
		}
		return w.send(request{method: "POST", path: "/v1/widget/attachments?fileName=a.pdf", body: "%PDF-1.7" + more, token: c.token, header: header})
	}
	file := upload(v, "", nil).want(201).text("id")
	attached := `{"attachmentIds":["` + file + `"]}`
	theirs := eve.begin("give me that")
	eve.post("conversations/"+theirs+"/messages", attached).want(404)
	made := v.post("conversations", attached).want(201)
	made.is("message.contentType", `"file"`, "message.attachments.0.fileName", `"a.pdf"`, "message.content", `""`)
	for _, url := range []string{
		made.text("message.attachments.0.url"),
		v.get("conversations/" + made.text("conversation.id")).want(200).text("messages.data.0.attachments.0.url"),
		v.get("conversations").want(200).text("data.0.lastMessage.attachments.0.url"),
	} {
		if !strings.HasPrefix(url, publicURL+"/v1/files/") || !strings.Contains(url, "&s=") {
			t.Errorf("the address opens nothing: %s", url)
		}
	}
	v.post("conversations", attached).want(409)
	v.post("conversations/"+made.text("conversation.id")+"/messages", attached).want(409)
	upload(v, strings.Repeat("x", maxUpload), nil).want(413)
	upload(v, "", http.Header{"Content-Type": {"application/pdf"}, "Content-Encoding": {"gzip"}}).want(415)
	once := http.Header{"Content-Type": {"application/pdf"}, "Idempotency-Key": {"k"}}
	first := upload(v, "1", once).want(201).text("id")
	if again := upload(v, "1", once).want(201); again.text("id") != first || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the file was kept twice: %s", again.body)
	}
	upload(v, "2", once).want(422)
	// A file that a visitor uploaded goes along when the visitor signs in.
	in := w.customer(map[string]string{"identity": w.signed(claims("ada", "")), "visitor": string(v.token)})
	in.post("conversations", `{"attachmentIds":["`+first+`"]}`).want(201)
	for range parley.MaxWaiting {
		if got := upload(eve, "", nil); got.status != 201 {
			break
		}
	}
	w.advance(time.Minute)
	if got := upload(eve, "", nil).want(429).text("error"); !strings.Contains(got, "wait for a message") {
		t.Errorf("one file too many is refused by %q", got)
	}
	w.conflict(t, in)
}

// conflict sends an upload while the first one with its key arrives.
func (w *world) conflict(t *testing.T, c *customer) {
	t.Helper()
	body, rest := io.Pipe()
	send := func(body io.Reader) int {
		req := httptest.NewRequest("POST", "/v1/widget/attachments", body)
		req.Header = http.Header{"Idempotency-Key": {"one"}, "Authorization": {"Bearer " + string(c.token)}, "Content-Type": {"text/plain"}}
		return gate().Do(t, w.handler, req).Code
	}
	first := make(chan int)
	go func() { first <- send(body) }()
	if _, err := rest.Write([]byte("x")); err != nil { // it is being read
		t.Fatal(err)
	}
	if got := send(strings.NewReader("x")); got != 409 {
		t.Errorf("the second upload is answered by %d", got)
	}
	if err := rest.Close(); err != nil {
		t.Fatal(err)
	}
	if got := <-first; got != 201 {
		t.Errorf("the first upload is answered by %d", got)
	}
}

// TestStreamInput asks for streams that begin nowhere.
func TestStreamInput(t *testing.T) {
	w := onSQLite(t)
	v := w.visitor()
	v.get("events?after=x").want(400)
	w.send(request{method: "GET", path: "/v1/widget/events", token: v.token, header: http.Header{"Last-Event-Id": {"x"}}}).want(400)
}
