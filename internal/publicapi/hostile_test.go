package publicapi_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"

	"parley"
	"parley/internal/apitest"
	"parley/internal/publicapi"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// Requests that TestHostileRequests sends on each engine, of another seed each
// time, and how many times as many its long form sends.
const (
	hostileSQLite   = 20_000
	hostilePostgres = 5_000
	hostileTorture  = 50
)

// TestHostileRequests sends generated requests: valid, nearly valid and
// hostile. None may get a 5xx, an undocumented status or a body outside the
// schema (the gate checks each), and a refused one may leave nothing behind.
// PARLEY_SEED repeats a run.
func TestHostileRequests(t *testing.T) {
	seed := rand.Uint64()
	if text := os.Getenv("PARLEY_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("PARLEY_SEED=%d", seed)
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		count := hostileSQLite
		if o.Database != "" {
			count = hostilePostgres
		}
		switch {
		case os.Getenv("PARLEY_TORTURE") != "":
			count *= hostileTorture
		case testing.Short():
			count /= 50
		}
		w := newWorld(t, o, worldOptions{})
		h := &hostile{w: w, random: rand.New(rand.NewPCG(seed, 0)), all: samples(w.records()), routes: publicapi.Routes()}
		statuses := map[int]int{}
		for i := range count {
			r := h.request()
			before := int64(0)
			if i%20 == 0 {
				before = w.seq()
			}
			got := apitest.Gate().Do(t, w.Handler, r)
			statuses[got.Code]++
			h.learn(got)
			if got.Code >= 500 || got.Code >= 400 && len(got.Body.Bytes()) < len(`{"error":"x"}`) && r.Method != http.MethodHead {
				t.Fatalf("request %d of seed %d: %s %s: %d %s", i, seed, r.Method, r.URL, got.Code, got.Body)
			}
			if i%20 == 0 && got.Code >= 400 && w.seq() != before {
				t.Fatalf("request %d of seed %d: %s %s was refused with %d and wrote an event", i, seed, r.Method, r.URL, got.Code)
			}
			if t.Failed() {
				t.Fatalf("request %d of seed %d: %s %s", i, seed, r.Method, r.URL)
			}
		}
		t.Logf("answers: %v", statuses)
		if statuses[200] < count/20 || statuses[400] < count/20 {
			t.Errorf("the requests are one-sided: %v", statuses)
		}
		position := ""
		w.events(&position)
		if at, ok := parley.ParseLogPosition(position); !ok || at.Seq != w.seq() {
			t.Errorf("the log ends at %s, the workspace counts %d", position, w.seq())
		}
	})
}

// seq returns the number of the workspace's newest event.
func (w *world) seq() int64 {
	w.T.Helper()
	found, err := w.Desk.Workspace(w.T.Context(), w.Home.Workspace.ID)
	if err != nil {
		w.T.Fatal(err)
	}
	return found.Seq
}

// hostile generates requests.
type hostile struct {
	w       *world
	random  *rand.Rand
	routes  []publicapi.Route
	all     map[string]apitest.Sample
	cursors []string // seen in answers
}

func (h *hostile) one(in ...string) string { return in[h.random.IntN(len(in))] }

func (h *hostile) chance(percent int) bool { return h.random.IntN(100) < percent }

func (h *hostile) request() *http.Request {
	route := h.routes[h.random.IntN(len(h.routes))]
	s := h.all[route.Operation]
	path, body, method := s.Path, s.Body, route.Method
	if h.chance(25) {
		path = h.bendPath(path)
	}
	path += h.query(route)
	if body != "" || h.chance(3) {
		for range h.random.IntN(4) {
			body = h.bendBody(body)
		}
	}
	if h.chance(3) {
		method = h.one("GET", "POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE", "BREW")
	}
	u, err := url.Parse(path)
	if err != nil {
		u = &url.URL{Path: "/v1/public/contacts", RawQuery: "cursor=" + url.QueryEscape(path)}
	}
	r := httptest.NewRequest(method, "/", nil)
	r.URL, r.RequestURI = u, path
	if body != "" {
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
		r.Header.Set("Content-Type", "application/json")
	}
	h.headers(r)
	return r
}

func (h *hostile) headers(r *http.Request) {
	r.Header.Set("Authorization", "Bearer "+h.w.key)
	switch h.random.IntN(60) {
	case 0:
		r.Header.Set("Authorization", h.one("", "Bearer", "Bearer ", "bearer "+h.w.key, "Basic eA==", "Bearer pk_x", strings.Repeat("x", 10000)))
	case 1:
		r.Header.Set("Content-Type", h.one("", "text/html", "multipart/form-data", "multipart/form-data; boundary=x", "application/json; charset=utf-7", "application/x+json", ";;;", "application/json; charset"))
	case 2:
		r.Header["Idempotency-Key"] = []string{h.one("a", "b", `"c"`, `"`, "", strings.Repeat("k", 201), "ключ", "\x00", `"\x"`)}
	case 3:
		r.Header.Set("X-Request-Id", h.one("abc", "a b", "<script>", strings.Repeat("x", 65), "ü"))
	}
}

func (h *hostile) bendPath(path string) string {
	parts := strings.Split(path, "/")
	at := 3 + h.random.IntN(len(parts)-3)
	parts[at] = h.one("x", "..", "", "%00", "%2F", "%zz", "ü", strings.Repeat("a", 3000), "00000000-0000-0000-0000-000000000000",
		"01a1fb68-2f6a-7000-87d8-89526ae1d0cd", strings.ToUpper(parts[at]), "{id}", "*", "a%20b", "%F0%9F%98%80", "%ff")
	return strings.Join(parts, "/")
}

func (h *hostile) query(route publicapi.Route) string {
	if route.Method != http.MethodGet && !h.chance(5) {
		return ""
	}
	var parts []string
	for range h.random.IntN(4) {
		name := h.one("limit", "cursor", "fileName", "messages_limit", "messages_cursor", "productId", "status", "inboxId", "contactId", "companyId",
			"assigneeId", "label", "updatedSince", "categoryId", "language", "state", "search", "include_archived", "after", "colour", "", "a;b", "%00")
		value := h.one("1", "0", "200", "201", "-1", "1e3", "none", "open", "true", "false", "", "%00", "%ff", "%", "x", "2026-11-21T10:00:00Z",
			"9999-12-31T23:59:59Z", "1969-12-31T23:59:59Z", "01a1fb68-2f6a-7000-87d8-89526ae1d0cd", "a.1", strings.Repeat("y", 300), "%25_%5C", "😀")
		if len(h.cursors) > 0 && h.chance(25) {
			value = h.cursors[h.random.IntN(len(h.cursors))]
		}
		parts = append(parts, name+"="+value)
	}
	if len(parts) == 0 {
		return ""
	}
	return "?" + strings.Join(parts, "&")
}

// bendBody changes a body slightly: it replaces a value, adds a member, or
// damages the text.
func (h *hostile) bendBody(body string) string {
	value := h.one(`null`, `true`, `0`, `-1`, `1e400`, `"x"`, `""`, `" "`, `[]`, `{}`, `[null]`, `["a","a"]`, `{"a":{"b":[1,2,{"c":null}]}}`, `"\u0000"`,
		`"\ud800"`, `"😀"`, `"<script>alert(1)</script>"`, `"01a1fb68-2f6a-7000-87d8-89526ae1d0cd"`, `"2026-11-21T10:00:00Z"`, `"2020-01-01T00:00:00+14:00"`,
		`"a@b.example"`, `"+4915100000077"`, `["4915100000077","4915100000001"]`, `["01a1fb68-2f6a-7000-87d8-89526ae1d0cd"]`, `"open"`, `"resolved"`, `"urgent"`, `"incoming"`, `"outgoing"`, `"markdown"`,
		`"https://a.example"`, `9007199254740993`, `"`+strings.Repeat("z", 70000)+`"`, strings.Repeat("[", 150)+strings.Repeat("]", 150), `"'; DROP TABLE contacts; --"`,
		`"`+h.w.product.ID.String()+`"`, `"`+string(h.w.Home.Owner.ID)+`"`, `"`+h.w.Home.Inbox.ID.String()+`"`)
	name := h.one("name", "email", "phoneNumber", "shopName", "avatarUrl", "identifier", "companyId", "storeId", "customAttributes", "contactId", "inboxId",
		"productId", "status", "priority", "assigneeId", "labels", "content", "contentType", "role", "agentUserId", "isPrivate", "createdAt", "website", "industry",
		"notes", "externalId", "participants", "from", "integrationId", "sendInviteLink", "message", "phone", "admin", "attachmentIds", "id", "workspaceId", "__proto__", "ü", "")
	switch h.random.IntN(12) {
	case 0:
		return body + h.one(" ", "x", "{}", "\x00", "]")
	case 1:
		return h.one("", "null", "[]", `"x"`, "1", "{", "\xef\xbb\xbf"+body, body[:len(body)/2], strings.ReplaceAll(body, `"`, `'`), "{\"a\":\"\xff\"}")
	default:
		member := fmt.Sprintf("%q:%s", name, value)
		if rest, ok := strings.CutPrefix(body, "{"); ok && rest != "}" {
			return h.one("{"+member+","+rest, strings.TrimSuffix(body, "}")+","+member+"}")
		}
		return "{" + member + "}"
	}
}

// learn collects cursors and positions, to send them elsewhere.
func (h *hostile) learn(got *httptest.ResponseRecorder) {
	_, rest, ok := strings.Cut(got.Body.String(), `"next_cursor":"`)
	cursor, _, _ := strings.Cut(rest, `"`)
	if !ok || cursor == "" {
		return
	}
	if len(h.cursors) > 50 {
		h.cursors = h.cursors[1:]
	}
	h.cursors = append(h.cursors, cursor)
}
