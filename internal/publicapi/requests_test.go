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
	"parley/internal/publicapi"
	"parley/internal/store"
)

// TestBodies sends what is no JSON object to every operation that takes a
// body.
func TestBodies(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	large := `{"content":"` + strings.Repeat("x", 1<<20) + `"}`
	everyRoute(t, w, func(t *testing.T, route publicapi.Route, s sample) {
		if s.body == "" || route.Operation == "uploadAttachment" {
			return // an upload takes every body; see TestRefusedUploads
		}
		send := func(body, contentType string) answer {
			return w.send(request{method: route.Method, path: s.path, body: body, header: http.Header{"Content-Type": {contentType}}})
		}
		for _, body := range []string{`{"status":`, `[]`, `null`, `"x"`, `1`, `{} {}`, s.body + "x", "{\"name\":\"\xff\"}", strings.Repeat("[", 100000)} {
			got := send(body, "application/json").want(400)
			if !strings.HasPrefix(got.text("error"), "body: must be ") {
				t.Errorf("%.20s: the error is %q", body, got.text("error"))
			}
		}
		send(large, "application/json").refused(413, "body: must be at most 1048576 bytes")
		for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "", "nonsense/"} {
			send(s.body, kind).refused(415, "Content-Type: must be application/json")
		}
		send(s.body, "application/json; charset=latin1").refused(415, "Content-Type: must be application/json in UTF-8, not with charset=latin1")
		send(s.body, "application/merge-patch+json; charset=UTF-8").want(s.status)
	})
}

func TestQueries(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	everyRoute(t, w, func(t *testing.T, route publicapi.Route, s sample) {
		if route.Open || route.Method != "GET" {
			return
		}
		w.get(s.path+"?x=%00").refused(400, "query: must be UTF-8 without the NUL character")
		w.get(s.path+"?x=%zz").refused(400, "query: must be encoded correctly")
		if got := w.get(s.path + "?colour=red&a%2Cb=1").want(200).header.Get("Parley-Ignored"); got != "a%2Cb, colour" {
			t.Errorf("Parley-Ignored is %q", got)
		}
		w.send(request{method: "HEAD", path: s.path}).want(200)
		if !strings.HasPrefix(route.Operation, "list") {
			return
		}
		for _, limit := range []string{"0", "201", "-1", "x", "", "1.5", "+1", "99999999999999999999"} {
			w.get(s.path+"?limit="+limit).refused(400, "limit: must be an integer from 1 to 200")
		}
		w.get(s.path+"?limit=1&limit=2").refused(400, "limit: must be given once")
		w.get(s.path + "?limit=200").want(200)
	})
}

func TestUnknownAddresses(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	for _, path := range []string{
		"/v1/public/nothing", "/v1/public", "/v1/public/", "/v2/public/contacts", "/v1/public/conversations/", "/v1/public//contacts",
		"/v1/public/contacts/../contacts", "/v1/public/chatapp/groups/x/y", "/v1/public/stores/a/b/c",
	} {
		w.send(request{method: "GET", path: path, key: "none"}).want(404)
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
			got := w.send(request{method: method, path: all[route.Operation].path, key: "none"}).want(http.StatusMethodNotAllowed)
			if got.header.Get("Allow") != allow || got.header.Get("Parley-Error") != "method_not_allowed" {
				t.Errorf("%s %s: Allow is %q, want %q; Parley-Error is %q", method, route.Path, got.header.Get("Allow"), allow, got.header.Get("Parley-Error"))
			}
			if method != http.MethodHead && got.text("error") != "the method must be one of "+allow {
				t.Errorf("%s %s: %s", method, route.Path, got.body)
			}
		}
	}
}

// TestStoreAway closes the store: every operation must answer 503.
func TestStoreAway(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	all := samples(w.records())
	if err := w.store.Close(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(600 * time.Millisecond) // the cache of keys forgets
	for _, route := range publicapi.Routes() {
		if s := all[route.Operation]; !route.Open {
			got := w.send(request{method: route.Method, path: s.path, body: s.body})
			got.refused(503, "the store cannot answer now; try again")
			if got.header.Get("Retry-After") != "1" {
				t.Errorf("%s: Retry-After is %q", route.Operation, got.header.Get("Retry-After"))
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
		everyRoute(t, w, func(t *testing.T, route publicapi.Route, s sample) {
			if route.Method != "POST" || route.Operation == "createGroup" {
				return // groups: see TestGroupIdempotency
			}
			send := func(body, key string) answer {
				return w.send(request{method: "POST", path: s.path, body: body, header: withKey(key)})
			}
			w.events(&position)
			first := send(s.body, `"key 1"`).want(s.status)
			if first.header.Get("Idempotent-Replayed") != "" {
				t.Error("the first answer says that it is replayed")
			}
			told := w.events(&position)
			second := send(s.body, "key 1").want(s.status) // bare and quoted mean the same
			if string(second.body) != string(first.body) || second.header.Get("Idempotent-Replayed") != "true" {
				t.Errorf("the second answer is %s, the first was %s", second.body, first.body)
			}
			if again := w.events(&position); len(again) != 0 {
				t.Errorf("the repetition wrote %v, the first call %v", again, told)
			}
			send(strings.Replace(s.body, "{", `{"more":1,`, 1), "key 1").refused(422,
				"Idempotency-Key: was used before with another body; use a new key for another request")
			for _, bad := range []string{"", strings.Repeat("k", 201), `"open`, "a\x01"} {
				send(s.body, bad).refused(400, "Idempotency-Key: must be one value of 1 to 200 printable characters")
			}
			send(s.body, strings.Repeat("k", 200)).want(s.status)
			// A failure changed nothing and is not kept.
			if route.Operation != "uploadAttachment" { // which "[]" is a file for
				send("[]", "key 2").want(400)
			}
			send(s.body, "key 2").want(s.status)
			w.advance(24*time.Hour + time.Millisecond)
			if err := w.desk.Purge(t.Context(), parley.EventRetention); err != nil {
				t.Fatal(err)
			}
			if late := send(s.body, "key 1").want(s.status); late.header.Get("Idempotent-Replayed") != "" {
				t.Error("an answer is replayed that was purged after 24 hours")
			}
		})
	})
}

// TestReplayNeedsTheScopes repeats every POST with a key that lacks its scopes,
// which learns nothing of the first answer, and with one that has no others, which
// gets what it would have got as the first.
func TestReplayNeedsTheScopes(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	everyRoute(t, w, func(t *testing.T, route publicapi.Route, s sample) {
		if route.Method != "POST" || route.Operation == "uploadAttachment" {
			return
		}
		send := func(key, body string) answer {
			return w.send(request{method: "POST", path: s.path, body: body, key: key, header: withKey("guessed")})
		}
		first := send(w.key, s.body).want(s.status)
		lacking := slices.DeleteFunc(slices.Clone(parley.Scopes), func(scope parley.Scope) bool {
			return slices.ContainsFunc(append(slices.Clone(route.Scopes), route.Older...), func(all []parley.Scope) bool { return slices.Contains(all, scope) })
		})
		for _, body := range []string{s.body, `{"x":1}`, ""} {
			if got := send(w.keyWith(lacking...), body).want(403); got.header.Get("Idempotent-Replayed") != "" {
				t.Errorf("who lacks the scopes is told of a replay: %v", got.header)
			}
		}
		again := send(w.keyWith(route.Scopes[0]...), s.body)
		if again.header.Get("Idempotent-Replayed") != "true" || string(again.body) != string(first.body) {
			t.Errorf("who has the scopes gets %d %s", again.status, again.body)
		}
	})
}

// TestIdempotencyInFlight holds the writer, so that the first request of each
// POST is still running when the second comes.
func TestIdempotencyInFlight(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	everyRoute(t, w, func(t *testing.T, route publicapi.Route, s sample) {
		if route.Method != "POST" || route.Operation == "createGroup" {
			return
		}
		var all sync.WaitGroup
		busy, open := make(chan struct{}), make(chan struct{})
		all.Go(func() {
			first := true
			_ = w.store.Write(t.Context(), w.home.Workspace.ID, func(*store.Tx) error {
				if first {
					first = false
					close(busy)
					<-open
				}
				return nil
			})
		})
		<-busy
		queued := w.store.Stats().Queued
		r := request{method: "POST", path: s.path, body: s.body, header: withKey("in flight")}
		all.Go(func() {
			if got := w.send(r); got.status != s.status {
				t.Errorf("the first request gave %d: %s", got.status, got.body)
			}
		})
		for w.store.Stats().Queued == queued {
			time.Sleep(time.Millisecond) // the queue has no signal
		}
		w.send(r).want(409)
		close(open)
		all.Wait()
		w.send(r).want(s.status)
	})
}

// TestParallelIdempotency posts one message 40 times at once.
func TestParallelIdempotency(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c := w.conversation()
		var all sync.WaitGroup
		var mu sync.Mutex
		statuses := map[int]int{}
		for range 40 {
			all.Go(func() {
				got := w.send(request{method: "POST", path: "/v1/public/conversations/" + c + "/messages", body: `{"content":"once"}`, header: withKey("k")})
				mu.Lock()
				defer mu.Unlock()
				statuses[got.status]++
			})
		}
		all.Wait()
		if statuses[201]+statuses[409] != 40 || statuses[201] < 1 {
			t.Errorf("the statuses are %v", statuses)
		}
		if got := w.get("/v1/public/conversations/" + c); len(got.field("messages.data").([]any)) != 1 {
			t.Errorf("there are several messages: %s", got.body)
		}
	})
}

// TestPages reads each list in pages of every size and compares with one page.
func TestPages(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.records()
		for range 4 {
			w.conversation()
			w.post("/v1/public/companies", `{"name":"Page"}`).want(201)
		}
		for _, name := range []string{"A", "B", "C"} {
			if _, err := w.desk.CreateProduct(t.Context(), w.by(), name, ""); err != nil {
				t.Fatal(err)
			}
		}
		w.number("4930555003")
		w.number("4930555005")
		for _, path := range []string{"conversations", "contacts", "companies", "stores", "products", "inboxes", "members", "chatapp/numbers", "companies?search=page"} {
			t.Run(path, func(t *testing.T) {
				separator := "?"
				if strings.Contains(path, "?") {
					separator = "&"
				}
				path = "/v1/public/" + path + separator
				whole := w.get(path + "limit=200").want(200)
				whole.is("has_more", "false", "next_cursor", `""`)
				for limit := 1; limit <= len(whole.ids())+1; limit++ {
					var got []string
					cursor := ""
					for {
						page := w.get(path + "limit=" + string(rune('0'+limit%10)) + "&cursor=" + cursor)
						if limit > 9 {
							return
						}
						got = append(got, page.want(200).ids()...)
						cursor = page.text("next_cursor")
						if cursor == "" {
							break
						}
					}
					if !slices.Equal(got, whole.ids()) {
						t.Errorf("in pages of %d the list is %v, want %v", limit, got, whole.ids())
					}
				}
			})
		}
	})
}

// TestCursors sends cursors where they do not belong.
func TestCursors(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	for range 3 {
		w.conversation()
	}
	cursor := w.get("/v1/public/conversations?limit=1&status=open").want(200).text("next_cursor")
	const rule = "cursor: must be a next_cursor of this list with the same filters"
	w.get("/v1/public/conversations?status=open&cursor=" + cursor).want(200)
	other := w.found("Other")
	for name, path := range map[string]string{
		"other filter":  "/v1/public/conversations?cursor=" + cursor,
		"other list":    "/v1/public/contacts?cursor=" + cursor,
		"changed":       "/v1/public/conversations?status=open&cursor=B" + cursor[1:],
		"cut":           "/v1/public/conversations?status=open&cursor=" + cursor[:len(cursor)-1],
		"not a cursor":  "/v1/public/conversations?cursor=x",
		"not base64":    "/v1/public/conversations?cursor=%F0%9F%98%80",
		"company's 100": "/v1/public/companies?cursor=100",
	} {
		t.Run(name, func(t *testing.T) { w.get(path).refused(400, rule) })
	}
	w.send(request{method: "GET", path: "/v1/public/conversations?status=open&cursor=" + cursor, key: string(other.Secret)}).refused(400, rule)
	c := w.conversation()
	w.get("/v1/public/conversations/"+c+"?messages_cursor="+cursor).refused(400, strings.Replace(rule, "cursor", "messages_cursor", 1))
}

// TestErrorCodes compares the codes of all kinds of errors with the guide. The
// contract gate demands of every error in every test that its code is one of
// the document's.
func TestErrorCodes(t *testing.T) {
	guide, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, row := range regexp.MustCompile("(?m)^\\| [0-9]{3} \\| `([a-z_]+)` \\|").FindAllSubmatch(guide, -1) {
		listed = append(listed, string(row[1]))
	}
	codes := []string{string(parley.CodeInProgress)}
	for kind := parley.Internal; kind <= parley.UpstreamTimeout; kind++ {
		codes = append(codes, string(kind.Code()))
	}
	slices.Sort(listed)
	slices.Sort(codes)
	if !slices.Equal(listed, codes) {
		t.Errorf("docs/api.md lists the codes %v, want %v", listed, codes)
	}
}
