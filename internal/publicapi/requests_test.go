package publicapi_test

import (
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/publicapi"
	"parley/internal/store"
)

// TestBodies sends bodies that are not JSON objects to every operation that
// takes a body.
func TestBodies(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	large := `{"content":"` + strings.Repeat("x", 1<<20) + `"}`
	everyRoute(t, w, func(t *testing.T, route publicapi.Route, s apitest.Sample) {
		if s.Body == "" || route.Operation == "uploadAttachment" {
			return // an upload takes every body; see TestRefusedUploads
		}
		send := func(body, contentType string) apitest.Answer {
			return w.Send(apitest.Request{Method: route.Method, Path: s.Path, Body: body, Header: http.Header{"Content-Type": {contentType}}})
		}
		for _, body := range []string{`{"status":`, `[]`, `null`, `"x"`, `1`, `{} {}`, s.Body + "x", "{\"name\":\"\xff\"}", strings.Repeat("[", 100000)} {
			got := send(body, "application/json").Want(400)
			if !strings.HasPrefix(got.Text("error"), "body: must be ") {
				t.Errorf("%.20s: the error is %q", body, got.Text("error"))
			}
		}
		send(large, "application/json").Refused(413, "body: must be at most 1048576 bytes")
		for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "", "nonsense/"} {
			send(s.Body, kind).Refused(415, "Content-Type: must be application/json")
		}
		send(s.Body, "application/json; charset=latin1").Refused(415, "Content-Type: must be application/json in UTF-8, not with charset=latin1")
		send(s.Body, "application/merge-patch+json; charset=UTF-8").Want(s.Status)
	})
}

func TestQueries(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	everyRoute(t, w, func(t *testing.T, route publicapi.Route, s apitest.Sample) {
		if route.Open || route.Method != "GET" {
			return
		}
		w.Get(s.Path+"?x=%00").Refused(400, "query: must be UTF-8 without the NUL character")
		w.Get(s.Path+"?x=%zz").Refused(400, "query: must be encoded correctly")
		if got := w.Get(s.Path + "?colour=red&a%2Cb=1").Want(200).Header.Get("Parley-Ignored"); got != "a%2Cb, colour" {
			t.Errorf("Parley-Ignored is %q", got)
		}
		w.Send(apitest.Request{Method: "HEAD", Path: s.Path}).Want(200)
		if !strings.HasPrefix(route.Operation, "list") {
			return
		}
		for _, limit := range []string{"0", "201", "-1", "x", "", "1.5", "+1", "99999999999999999999"} {
			w.Get(s.Path+"?limit="+limit).Refused(400, "limit: must be an integer from 1 to 200")
		}
		w.Get(s.Path+"?limit=1&limit=2").Refused(400, "limit: must be given once")
		w.Get(s.Path + "?limit=200").Want(200)
	})
}

// TestHeadOfTheStream requests the headers of the event stream; HEAD is refused
// where the stream would be.
func TestHeadOfTheStream(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	head := func(query, last string) apitest.Answer {
		header := http.Header{"Accept": {"text/event-stream"}}
		if last != "" {
			header.Set("Last-Event-ID", last)
		}
		return w.Send(apitest.Request{Method: "HEAD", Path: "/v1/public/events" + query, Header: header})
	}
	for _, query := range []string{"", "?types=message.created"} {
		if got := head(query, "").Want(200); got.Header.Get("Content-Type") != "text/event-stream" || len(got.Body) != 0 {
			t.Errorf("%q is answered with %v and %d bytes", query, got.Header, len(got.Body))
		}
	}
	head("?after=x", "").Want(400)
	head("?types=none", "").Want(400)
	head("", "x").Want(400)
}

func TestUnknownAddresses(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	for _, path := range []string{
		"/v1/public/nothing", "/v1/public", "/v1/public/", "/v2/public/contacts", "/v1/public/conversations/", "/v1/public//contacts",
		"/v1/public/contacts/../contacts", "/v1/public/chatapp/groups/x/y", "/v1/public/stores/a/b/c",
	} {
		w.Send(apitest.Request{Method: "GET", Path: path, Bearer: apitest.None}).Want(404)
	}
}

// TestWrongMethods sends every route the methods that its address does not have.
func TestWrongMethods(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	all := samples(w.records())
	methods := map[string][]string{} // by pattern of the path
	for _, route := range publicapi.Routes() {
		methods[route.Path] = append(methods[route.Path], route.Method)
		if route.Method == http.MethodGet {
			methods[route.Path] = append(methods[route.Path], http.MethodHead)
		}
	}
	for _, route := range publicapi.Routes() {
		had := methods[route.Path]
		slices.Sort(had)
		allow := strings.Join(had, ", ")
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"} {
			if slices.Contains(had, method) {
				continue
			}
			got := w.Send(apitest.Request{Method: method, Path: all[route.Operation].Path, Bearer: apitest.None}).Want(http.StatusMethodNotAllowed)
			if got.Header.Get("Allow") != allow || got.Header.Get("Parley-Error") != "method_not_allowed" {
				t.Errorf("%s %s: Allow is %q, want %q; Parley-Error is %q", method, route.Path, got.Header.Get("Allow"), allow, got.Header.Get("Parley-Error"))
			}
			if method != http.MethodHead && got.Text("error") != "the method must be one of "+allow {
				t.Errorf("%s %s: %s", method, route.Path, got.Body)
			}
		}
	}
}

func withKey(key string) http.Header { return http.Header{"Idempotency-Key": {key}} }

// TestIdempotency repeats every POST with a key.
func TestIdempotency(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var position string
		w.events(&position)
		everyRoute(t, w, func(t *testing.T, route publicapi.Route, s apitest.Sample) {
			if route.Method != "POST" || route.Operation == "createGroup" {
				return // groups: see TestGroupIdempotency
			}
			send := func(body, key string) apitest.Answer {
				return w.Send(apitest.Request{Method: "POST", Path: s.Path, Body: body, Header: withKey(key)})
			}
			w.events(&position)
			first := send(s.Body, `"key 1"`).Want(s.Status)
			if first.Header.Get("Idempotent-Replayed") != "" {
				t.Error("the first answer says that it is replayed")
			}
			told := w.events(&position)
			second := send(s.Body, "key 1").Want(s.Status) // bare and quoted mean the same
			if string(second.Body) != string(first.Body) || second.Header.Get("Idempotent-Replayed") != "true" {
				t.Errorf("the second answer is %s, the first was %s", second.Body, first.Body)
			}
			if again := w.events(&position); len(again) != 0 {
				t.Errorf("the repetition wrote %v, the first call %v", again, told)
			}
			send(strings.Replace(s.Body, "{", `{"more":1,`, 1), "key 1").Refused(422,
				"Idempotency-Key: was used before with another body; use a new key for another request")
			for _, bad := range []string{"", strings.Repeat("k", 201), `"open`, "a\x01"} {
				send(s.Body, bad).Refused(400, "Idempotency-Key: must be one value of 1 to 200 printable characters")
			}
			send(s.Body, strings.Repeat("k", 200)).Want(s.Status)
			// A failure changed nothing and is not stored.
			if route.Operation != "uploadAttachment" { // which "[]" is a file for
				send("[]", "key 2").Want(400)
			}
			send(s.Body, "key 2").Want(s.Status)
			w.Advance(24*time.Hour + time.Millisecond)
			w.Expire()
			if late := send(s.Body, "key 1").Want(s.Status); late.Header.Get("Idempotent-Replayed") != "" {
				t.Error("an answer is replayed that was purged after 24 hours")
			}
		})
	})
}

// TestReplayNeedsTheScopes repeats every POST with a key that lacks its scopes,
// which must learn nothing about the first answer, and with one that only has
// those scopes, which gets what it would have got first.
func TestReplayNeedsTheScopes(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	everyRoute(t, w, func(t *testing.T, route publicapi.Route, s apitest.Sample) {
		if route.Method != "POST" || route.Operation == "uploadAttachment" {
			return
		}
		send := func(key, body string) apitest.Answer {
			return w.Send(apitest.Request{Method: "POST", Path: s.Path, Body: body, Bearer: key, Header: withKey("guessed")})
		}
		first := send(w.key, s.Body).Want(s.Status)
		lacking := slices.DeleteFunc(slices.Clone(parley.Scopes), func(scope parley.Scope) bool {
			return slices.ContainsFunc(append(slices.Clone(route.Scopes), route.Older...), func(all []parley.Scope) bool { return slices.Contains(all, scope) })
		})
		for _, body := range []string{s.Body, `{"x":1}`, ""} {
			if got := send(w.keyWith(lacking...), body).Want(403); got.Header.Get("Idempotent-Replayed") != "" {
				t.Errorf("who lacks the scopes is told of a replay: %v", got.Header)
			}
		}
		again := send(w.keyWith(route.Scopes[0]...), s.Body)
		if again.Header.Get("Idempotent-Replayed") != "true" || string(again.Body) != string(first.Body) {
			t.Errorf("who has the scopes gets %d %s", again.Status, again.Body)
		}
	})
}

// TestIdempotencyInFlight holds the writer, so that the first request of each
// POST is still running when the second comes.
func TestIdempotencyInFlight(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	everyRoute(t, w, func(t *testing.T, route publicapi.Route, s apitest.Sample) {
		if route.Method != "POST" || route.Operation == "createGroup" {
			return
		}
		var all sync.WaitGroup
		busy, open := make(chan struct{}), make(chan struct{})
		all.Go(func() {
			first := true
			_ = w.Store.Write(t.Context(), w.Home.Workspace.ID, func(*store.Tx) error {
				if first {
					first = false
					close(busy)
					<-open
				}
				return nil
			})
		})
		<-busy
		queued := w.Store.Stats().Queued
		r := apitest.Request{Method: "POST", Path: s.Path, Body: s.Body, Header: withKey("in flight")}
		all.Go(func() {
			if got := w.Send(r); got.Status != s.Status {
				t.Errorf("the first request gave %d: %s", got.Status, got.Body)
			}
		})
		for w.Store.Stats().Queued == queued {
			time.Sleep(time.Millisecond) // the queue has no signal
		}
		w.Send(r).Want(409)
		close(open)
		all.Wait()
		w.Send(r).Want(s.Status)
	})
}

// TestParallelIdempotency posts one message 40 times at once.
func TestParallelIdempotency(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c := w.Conversation()
		var all sync.WaitGroup
		var mu sync.Mutex
		statuses := map[int]int{}
		for range 40 {
			all.Go(func() {
				got := w.Send(apitest.Request{Method: "POST", Path: "/v1/public/conversations/" + c + "/messages", Body: `{"content":"once"}`, Header: withKey("k")})
				mu.Lock()
				defer mu.Unlock()
				statuses[got.Status]++
			})
		}
		all.Wait()
		if statuses[201]+statuses[409] != 40 || statuses[201] < 1 {
			t.Errorf("the statuses are %v", statuses)
		}
		if got := w.Get("/v1/public/conversations/" + c); len(got.Field("messages.data").([]any)) != 1 {
			t.Errorf("there are several messages: %s", got.Body)
		}
	})
}

// TestPages reads each list in pages of every size and compares with one page.
func TestPages(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.records()
		for range 4 {
			w.Conversation()
			w.Post("/v1/public/companies", `{"name":"Page"}`).Want(201)
			w.Post("/v1/public/articles", `{"language":"en","title":"Page"}`).Want(201)
			w.Post("/v1/public/article-categories", `{"names":{"en":"Page"},"position":2}`).Want(201)
		}
		for _, name := range []string{"A", "B", "C"} {
			if _, err := w.Desk.CreateProduct(t.Context(), w.by(), name, ""); err != nil {
				t.Fatal(err)
			}
		}
		w.number("4930555003")
		w.number("4930555005")
		for _, path := range []string{"conversations", "contacts", "companies", "stores", "products", "inboxes", "members", "chatapp/numbers", "companies?search=page", "articles", "articles?state=draft&productId=none", "article-categories"} {
			t.Run(path, func(t *testing.T) {
				separator := "?"
				if strings.Contains(path, "?") {
					separator = "&"
				}
				path = "/v1/public/" + path + separator
				whole := w.Get(path + "limit=200").Want(200)
				whole.Is("has_more", "false", "next_cursor", `""`)
				for limit := 1; limit <= len(whole.IDs())+1; limit++ {
					var got []string
					cursor := ""
					for {
						page := w.Get(path + "limit=" + string(rune('0'+limit%10)) + "&cursor=" + cursor)
						if limit > 9 {
							return
						}
						got = append(got, page.Want(200).IDs()...)
						cursor = page.Text("next_cursor")
						if cursor == "" {
							break
						}
					}
					if !slices.Equal(got, whole.IDs()) {
						t.Errorf("in pages of %d the list is %v, want %v", limit, got, whole.IDs())
					}
				}
			})
		}
	})
}

// TestCursors sends cursors to lists where they do not belong.
func TestCursors(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	for range 3 {
		w.Conversation()
	}
	cursor := w.Get("/v1/public/conversations?limit=1&status=open").Want(200).Text("next_cursor")
	const rule = "cursor: must be a next_cursor of this list with the same filters"
	w.Get("/v1/public/conversations?status=open&cursor=" + cursor).Want(200)
	other := w.Found("Other")
	for name, path := range map[string]string{
		"other filter":  "/v1/public/conversations?cursor=" + cursor,
		"other list":    "/v1/public/contacts?cursor=" + cursor,
		"changed":       "/v1/public/conversations?status=open&cursor=B" + cursor[1:],
		"cut":           "/v1/public/conversations?status=open&cursor=" + cursor[:len(cursor)-1],
		"not a cursor":  "/v1/public/conversations?cursor=x",
		"not base64":    "/v1/public/conversations?cursor=%F0%9F%98%80",
		"company's 100": "/v1/public/companies?cursor=100",
	} {
		t.Run(name, func(t *testing.T) { w.Get(path).Refused(400, rule) })
	}
	w.Send(apitest.Request{Method: "GET", Path: "/v1/public/conversations?status=open&cursor=" + cursor, Bearer: string(other.Secret)}).Refused(400, rule)
	c := w.Conversation()
	w.Get("/v1/public/conversations/"+c+"?messages_cursor="+cursor).Refused(400, strings.Replace(rule, "cursor", "messages_cursor", 1))
}

// TestErrorCodes compares the codes of all kinds of errors with the guide. The
// contract gate requires that every error's code is in the document.
func TestErrorCodes(t *testing.T) {
	guide, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, row := range regexp.MustCompile("(?m)^\\| [0-9]{3} \\| `([a-z_]+)` \\|").FindAllSubmatch(guide, -1) {
		listed = append(listed, string(row[1]))
	}
	codes := []string{string(parley.CodeInProgress), string(parley.CodeUnconfirmed)}
	for kind := parley.Internal; kind <= parley.UpstreamTimeout; kind++ {
		codes = append(codes, string(kind.Code()))
	}
	slices.Sort(listed)
	slices.Sort(codes)
	if !slices.Equal(listed, codes) {
		t.Errorf("docs/api.md lists the codes %v, want %v", listed, codes)
	}
}
