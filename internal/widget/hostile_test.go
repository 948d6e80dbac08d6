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
	"parley/internal/apitest"
	"parley/internal/httpjson"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/widget"
)

// samples has a row for every operation; one without a row fails the tests
// below. A row creates what it needs, for the customer who sends it.
func samples(w *world) map[string]func(c *customer) apitest.Sample {
	fixed := func(path, body string, status int) func(*customer) apitest.Sample {
		return func(*customer) apitest.Sample { return apitest.NewSample("/v1/widget/"+path, body, status) }
	}
	own := func(more, body string, status int) func(*customer) apitest.Sample {
		return func(c *customer) apitest.Sample {
			w.T.Helper()
			return apitest.NewSample("/v1/widget/conversations/"+c.begin("hi")+more, body, status)
		}
	}
	inbox := "inboxes/" + w.inbox.String()
	article := func(more, body string) func(*customer) apitest.Sample {
		return func(*customer) apitest.Sample {
			w.T.Helper()
			return apitest.NewSample("/v1/widget/"+inbox+"/articles/"+w.article("Return a parcel", parley.ID{}).Slug+more, body, 200)
		}
	}
	return map[string]func(*customer) apitest.Sample{
		"getWidget":             fixed(inbox, "", 200),
		"listWidgetArticles":    fixed(inbox+"/articles?language=de", "", 200),
		"searchWidgetArticles":  fixed(inbox+"/articles/search?q=parcel", "", 200),
		"suggestWidgetArticles": fixed(inbox+"/suggestions", `{"text":"return a parcel"}`, 200),
		"getWidgetArticle":      article("", ""),
		"rateWidgetArticle":     article("/feedback", `{"helped":true}`),
		"startCustomerSession":  fixed("sessions", `{"inboxId":"`+w.inbox.String()+`"}`, 201),
		"getCustomerSession":    fixed("session", "", 200),
		"endCustomerSession":    fixed("session", "", 200),
		"putVisit":              fixed("session/visit", `{"page":"https://shop.example/","facts":{"cart":3}}`, 200),
		"giveAddress": func(c *customer) apitest.Sample {
			w.T.Helper()
			w.settings(`{"ask":"after","askFields":["name","email"]}`)
			return apitest.NewSample("/v1/widget/session/address", `{"name":"Ann","email":"ann@home.example"}`, 200)
		},
		"listCustomerConversations": fixed("conversations", "", 200),
		"startCustomerConversation": fixed("conversations", `{"content":"hi"}`, 201),
		"getCustomerConversation":   own("", "", 200),
		"postCustomerMessage":       own("/messages", `{"content":"more"}`, 201),
		"readCustomerConversation":  own("/read", "", 200),
		"setCustomerTyping":         own("/typing", `{"typing":true}`, 200),
		"askForPerson":              own("/person", "", 200),
		"markAnswerHelped": func(c *customer) apitest.Sample {
			w.T.Helper()
			id := c.begin("hi")
			return apitest.NewSample("/v1/widget/conversations/"+id+"/messages/"+w.answer(id).String()+"/helped", "", 200)
		},
		"uploadCustomerAttachment": fixed("attachments", "%PDF-1.7", 201),
		"streamCustomerEvents":     fixed("events", "", 200),
		"getWidgetOpenapiJson":     fixed("openapi.json", "", 200),
		"getWidgetOpenapiYaml":     fixed("openapi.yaml", "", 200),
	}
}

// everyRoute runs a test for each route with its sample.
func everyRoute(t *testing.T, w *world, test func(t *testing.T, route widget.Route, sample func(*customer) apitest.Sample)) {
	t.Helper()
	apitest.EachRoute(t, w.World, widget.Routes(), func(r widget.Route) string { return r.Operation }, samples(w), test)
}

func TestRouteTableIsTheDocument(t *testing.T) { surface(nil).Matches(t) }

func TestCrossSite(t *testing.T) {
	w := onSQLite(t)
	surface(w).RefusesCrossSite(t, w.World)
}

// TestBadInput sends inputs that no operation accepts. All operations with a
// body require a member of it.
func TestBadInput(t *testing.T) {
	w := onSQLite(t)
	surface(w).RefusesBadInput(t, w.World)
	takesBody := map[string]bool{}
	for _, o := range apitest.Gate().Operations() {
		takesBody[o.ID] = o.TakesBody()
	}
	everyRoute(t, w, func(t *testing.T, route widget.Route, sample func(*customer) apitest.Sample) {
		c := w.visitor()
		s := sample(c)
		bad := apitest.Request{Method: route.Method, Path: s.Path, Body: "{}", Bearer: string(c.token), Address: w.address()}
		if takesBody[route.Operation] {
			w.Send(bad).Want(400)
		}
		if strings.Contains(route.Path, "{id}") {
			bad.Path, bad.Body = strings.Replace(route.Path, "{id}", "x", 1), s.Body
			w.Send(bad).Want(400)
		}
	})
}

func TestStoreAway(t *testing.T) {
	w := onSQLite(t)
	surface(w).NeedsTheStore(t, w.World)
	w.Send(apitest.Request{Method: "GET", Path: "/v1/widget/events", Bearer: string(w.unknown())}).Want(503)
}

// TestAuthorization sends every operation with a session, without one, with an
// ended one, and with a credential that is not a customer's session.
func TestAuthorization(t *testing.T) {
	w := onSQLite(t)
	everyRoute(t, w, func(t *testing.T, route widget.Route, sample func(*customer) apitest.Sample) {
		c := w.visitor()
		s := sample(c)
		send := func(token parley.Token) apitest.Answer {
			return w.Send(apitest.Request{Method: method(route.Operation, route.Method), Path: s.Path, Body: s.Body, Bearer: string(token), Address: w.address()})
		}
		if !route.Open {
			gone := w.visitor()
			w.Send(apitest.Request{Method: "DELETE", Path: "/v1/widget/session", Bearer: string(gone.token)}).Want(200)
			for _, token := range []parley.Token{"", gone.token, "x", parley.Token(w.Home.Secret), w.Owner, "cs_" + parley.Token(strings.Repeat("a", 43))} {
				send(token).Want(401)
			}
			basic := http.Header{"Authorization": {"Basic " + string(c.token)}}
			w.Send(apitest.Request{Method: method(route.Operation, route.Method), Path: s.Path, Body: s.Body, Header: basic}).Want(401)
		}
		send(c.token).Want(s.Status)
	})
}

// TestHostileRequests sends generated requests of visitors to the widget's API.
func TestHostileRequests(t *testing.T) {
	apitest.SurviveHostility(t, 5_000, 1_500, func(t *testing.T, o store.Options) apitest.HostileWorld {
		w := newWorld(t, o)
		return apitest.HostileWorld{World: w.World, Surface: surface(w), IDs: []string{string(w.Home.Owner.ID), w.inbox.String()}}
	})
}

// TestHostileMessages sends messages that no customer may write.
func TestHostileMessages(t *testing.T) {
	w := onSQLite(t)
	v := w.visitor()
	v.begin("hi")
	for _, body := range []string{
		`{"content":""}`, `{"content":"  "}`, `{"content":1}`, `{"content":null}`, `{"content":"` + strings.Repeat("x", 65537) + `"}`,
		`{"content":"a\u0000b"}`, `{"content":"\ud800"}`, `{"attachmentIds":["x"]}`, `{"content":"x","attachmentIds":"x"}`,
	} {
		v.post("conversations", body).Want(400)
	}
	v = w.visitor()
	id := v.begin("hi")
	v.post("conversations/"+id+"/messages", `{"content":"x","attachmentIds":["0193480f-2c4a-7d1e-8f00-3a5b9c2d1e05"]}`).Want(404)
	v.post("conversations", `{"content":"x","attachmentIds":["0193480f-2c4a-7d1e-8f00-3a5b9c2d1e05"]}`).Refused(404, "attachmentIds: no such attachment in this workspace")
	// Fields for members and programs have no effect.
	got := v.post("conversations/"+id+"/messages",
		`{"content":"<script>alert(1)</script>","role":"outgoing","isPrivate":true,"agentUserId":"usr_x","createdAt":"2020-01-01T00:00:00Z","contentType":"html"}`).Want(201)
	got.Is("from", `"customer"`, "contentType", `"text"`)
	if ignored := got.Header.Get("Parley-Ignored"); ignored != "agentUserId, contentType, createdAt, isPrivate, role" {
		t.Errorf("Parley-Ignored is %q", ignored)
	}
	if strings.Contains(string(got.Body), "<script") {
		t.Errorf("the answer has markup: %s", got.Body)
	}
	w.agentGet("/v1/public/conversations/"+id).Want(200).Is("messages.data.1.isPrivate", "false", "messages.data.1.senderType", `"contact"`)
	for _, body := range []string{
		`{"inboxId":1}`, `{"inboxId":"x"}`, `{}`, `{"inboxId":"` + w.inbox.String() + `","identity":1}`,
		`{"inboxId":"` + w.inbox.String() + `","identity":"` + strings.Repeat("a", 16385) + `"}`,
		`{"inboxId":"` + w.inbox.String() + `","visitor":1}`, `{"inboxId":"` + w.inbox.String() + `","identity":null}`,
	} {
		w.Send(apitest.Request{Method: "POST", Path: "/v1/widget/sessions", Body: body, Address: w.address()}).Want(400)
	}
}

func TestThrottles(t *testing.T) {
	w := onSQLite(t)
	start := func(address, identity string) apitest.Answer {
		body := `{"inboxId":"` + w.inbox.String() + `"}`
		if identity != "" {
			body = `{"inboxId":"` + w.inbox.String() + `","identity":"` + identity + `"}`
		}
		return w.Send(apitest.Request{Method: "POST", Path: "/v1/widget/sessions", Body: body, Address: address})
	}
	for range 10 {
		start("10.0.0.1:1", "bad").Want(401)
	}
	if wait := start("10.0.0.1:2", "bad").Want(429).Header.Get("Retry-After"); wait == "" {
		t.Error("no Retry-After")
	}
	start("10.0.0.1:1", w.signed(claims("ada", ""))).Want(201) // others behind the same address go on
	for range 30 {
		start("10.0.0.2:1", "").Want(201)
	}
	start("10.0.0.2:1", "").Refused(429, "too much at once; try again in a moment")
	start("10.0.0.3:1", "").Want(201)
	w.Advance(time.Minute)
	start("10.0.0.2:1", "").Want(201)

	v, other := w.visitor(), w.visitor()
	id := v.begin("1")
	for i := range 29 {
		v.post("conversations/"+id+"/messages", fmt.Sprintf(`{"content":"%d"}`, i)).Want(201)
	}
	v.post("conversations/"+id+"/messages", `{"content":"x"}`).Want(429)
	v.post("conversations", `{"content":"x"}`).Want(429)
	other.begin("hi")
	for range 60 {
		v.post("conversations/"+id+"/typing", `{"typing":true}`).Want(200)
	}
	v.post("conversations/"+id+"/typing", `{"typing":true}`).Want(429)
	for range 20 {
		w.Send(apitest.Request{Method: "POST", Path: "/v1/widget/attachments", Bearer: string(other.token)}).Want(400) // an empty one
	}
	w.Send(apitest.Request{Method: "POST", Path: "/v1/widget/attachments", Bearer: string(other.token)}).Want(429)
}

// TestReadsOfASession reads more often than a session may.
func TestReadsOfASession(t *testing.T) {
	w := onSQLite(t)
	v, other := w.visitor(), w.visitor()
	id := v.begin("hi")
	const most = 600
	for range most - 1 {
		v.get("session").Want(200)
	}
	v.post("conversations/"+id+"/read", "").Want(200)
	for _, path := range []string{"session", "conversations", "conversations/" + id} {
		if got := v.get(path).Want(429); got.Header.Get("Retry-After") == "" {
			t.Errorf("%s: no Retry-After", path)
		}
	}
	v.post("conversations/"+id+"/read", "").Refused(429, "too much at once; try again in a moment")
	w.Send(apitest.Request{Method: "DELETE", Path: "/v1/widget/session", Bearer: string(v.token), Address: v.address}).Want(429)
	v.post("conversations/"+id+"/messages", `{"content":"x"}`).Want(201) // counted by itself
	other.get("session").Want(200)
	w.Advance(time.Minute)
	v.get("session").Want(200)
}

// TestRequestsOfAnAddress sends every operation from an address over its limit,
// with a session and without.
func TestRequestsOfAnAddress(t *testing.T) {
	w := onSQLite(t)
	const most = 3
	mine := widget.New(widget.Options{
		Desk: w.Desk, Customers: w.Customers, Knowledge: w.Knowledge, Clock: w.Now, Log: storetest.Quiet(), Requests: httpjson.AddressLimits{AMinute: most, AtOnce: most},
	})
	pages := mine.Limited(pagesOf(t, w))
	envelope := httpjson.Envelope{Log: storetest.Quiet(), IDs: parley.NewIDs(nil)}
	ask := func(h http.Handler, method, path, address string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, nil)
		r.RemoteAddr = address
		if strings.HasPrefix(path, "/v1/") {
			return apitest.Gate().Do(t, envelope.Wrap(h), r)
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
	w.Advance(time.Minute)
	if got := ask(pages, "GET", "/widget/frame?inbox="+w.inbox.String(), address); got.Code != 200 {
		t.Errorf("a minute later the frame is answered with %d", got.Code)
	}
}

// unknown returns a token that the server has not seen.
func (w *world) unknown() parley.Token {
	w.T.Helper()
	token, err := parley.NewToken("cs")
	if err != nil {
		w.T.Fatal(err)
	}
	return token
}

// TestUploads attaches files to messages, and files that a message cannot have.
func TestUploads(t *testing.T) {
	w := onSQLite(t)
	v, eve := w.visitor(), w.visitor()
	upload := func(c *customer, more string, header http.Header) apitest.Answer {
		if header == nil {
			header = http.Header{"Content-Type": {"application/pdf"}}
		}
		return w.Send(apitest.Request{Method: "POST", Path: "/v1/widget/attachments?fileName=a.pdf", Body: "%PDF-1.7" + more, Bearer: string(c.token), Header: header})
	}
	file := upload(v, "", nil).Want(201).Text("id")
	attached := `{"attachmentIds":["` + file + `"]}`
	theirs := eve.begin("give me that")
	eve.post("conversations/"+theirs+"/messages", attached).Want(404)
	made := v.post("conversations", attached).Want(201)
	made.Is("message.contentType", `"file"`, "message.attachments.0.fileName", `"a.pdf"`, "message.content", `""`)
	for _, url := range []string{
		made.Text("message.attachments.0.url"),
		v.get("conversations/" + made.Text("conversation.id")).Want(200).Text("messages.data.0.attachments.0.url"),
		v.get("conversations").Want(200).Text("data.0.lastMessage.attachments.0.url"),
	} {
		if !strings.HasPrefix(url, publicURL+"/v1/files/") || !strings.Contains(url, "&s=") {
			t.Errorf("the address opens nothing: %s", url)
		}
	}
	v.post("conversations", attached).Want(409)
	v.post("conversations/"+made.Text("conversation.id")+"/messages", attached).Want(409)
	upload(v, strings.Repeat("x", maxUpload), nil).Want(413)
	upload(v, "", http.Header{"Content-Type": {"application/pdf"}, "Content-Encoding": {"gzip"}}).Want(415)
	once := http.Header{"Content-Type": {"application/pdf"}, "Idempotency-Key": {"k"}}
	first := upload(v, "1", once).Want(201).Text("id")
	if again := upload(v, "1", once).Want(201); again.Text("id") != first || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the file was kept twice: %s", again.Body)
	}
	upload(v, "2", once).Want(422)
	// A visitor's file stays usable after signing in.
	in := w.customer(map[string]string{"identity": w.signed(claims("ada", "")), "visitor": string(v.token)})
	in.post("conversations", `{"attachmentIds":["`+first+`"]}`).Want(201)
	for range parley.MaxWaiting {
		if got := upload(eve, "", nil); got.Status != 201 {
			break
		}
	}
	w.Advance(time.Minute)
	if got := upload(eve, "", nil).Want(429).Text("error"); !strings.Contains(got, "wait for a message") {
		t.Errorf("one file too many is refused by %q", got)
	}
	w.conflict(t, in)
}

// conflict sends an upload while the first one with its key is arriving.
func (w *world) conflict(t *testing.T, c *customer) {
	t.Helper()
	body, rest := io.Pipe()
	send := func(body io.Reader) int {
		req := httptest.NewRequest("POST", "/v1/widget/attachments", body)
		req.Header = http.Header{"Idempotency-Key": {"one"}, "Authorization": {"Bearer " + string(c.token)}, "Content-Type": {"text/plain"}}
		return apitest.Gate().Do(t, w.Handler, req).Code
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

// TestStreamInput requests streams with invalid positions.
func TestStreamInput(t *testing.T) {
	w := onSQLite(t)
	v := w.visitor()
	v.get("events?after=x").Want(400)
	w.Send(apitest.Request{Method: "GET", Path: "/v1/widget/events", Bearer: string(v.token), Header: http.Header{"Last-Event-Id": {"x"}}}).Want(400)
}
