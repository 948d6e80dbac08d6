package apitest

import (
	"context"
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
	"time"

	"parley/internal/store"
	"parley/internal/store/storetest"
)

const (
	// hostileRound is how many hostile requests a world gets: in one that they have
	// changed for long, few requests have an effect any more.
	hostileRound = 5000
	// hostileTorture is how many times as many requests the long form sends.
	hostileTorture = 50
	// hostilePatience is how long a request may take; one that waits longer, such as a
	// stream that was not expected, is given up.
	hostilePatience = 30 * time.Second
)

// A HostileWorld is a world, a surface of it, and ids that exist there.
type HostileWorld struct {
	*World
	Surface Surface
	IDs     []string
}

// SurviveHostility sends generated requests to a surface: valid, nearly valid and hostile.
// None may get a 5xx, an undocumented status or a body outside the schema (the gate checks
// each), and a refused one may leave nothing behind. The numbers of requests are for each
// engine; short runs send a fiftieth, and PARLEY_TORTURE fifty times as many. Each run has
// another seed; PARLEY_SEED repeats one.
func SurviveHostility(t *testing.T, sqlite, postgres int, made func(*testing.T, store.Options) HostileWorld) {
	t.Helper()
	seed := rand.Uint64()
	if text := os.Getenv("PARLEY_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("PARLEY_SEED=%d", seed)
	for _, engine := range []struct {
		name    string
		count   int
		options func(testing.TB) store.Options
	}{{"SQLite", sqlite, storetest.MigratedSQLite}, {"PostgreSQL", postgres, storetest.MigratedPostgres}} {
		t.Run(engine.name, func(t *testing.T) {
			count := engine.count
			switch {
			case os.Getenv("PARLEY_TORTURE") != "":
				count *= hostileTorture
			case testing.Short():
				count /= 50
			}
			h := &hostility{random: rand.New(rand.NewPCG(seed, 0)), statuses: map[int]int{}}
			for round := 0; h.sent < count; round++ {
				t.Run(fmt.Sprint(round), func(t *testing.T) {
					h.enter(t, made(t, engine.options(t)))
					for range min(hostileRound, count-h.sent) {
						h.send(t)
					}
				})
				if t.Failed() {
					t.FailNow()
				}
			}
			t.Logf("answers: %v", h.statuses)
			if done := h.statuses[200] + h.statuses[201]; done < count/20 || h.statuses[400] < count/20 {
				t.Errorf("the requests are one-sided: %v", h.statuses)
			}
		})
	}
}

// A hostility generates requests.
type hostility struct {
	random   *rand.Rand
	sent     int
	statuses map[int]int
	world    HostileWorld
	good     []goodRequest
	cursors  []string // seen in answers
}

// A goodRequest is a request that succeeds, and what its document says that it may have.
type goodRequest struct {
	Request
	operation string
	inputs    []string // of path, query and headers
	members   []string // of the body
}

// enter makes a good request to each route of a new world.
func (h *hostility) enter(t *testing.T, world HostileWorld) {
	h.world, h.good, h.cursors = world, nil, nil
	documented := map[string]goodRequest{}
	for _, o := range Gate().Operations() {
		known := goodRequest{operation: o.ID, inputs: o.Inputs}
		for _, member := range o.Members {
			known.members = append(known.members, member.Name)
		}
		documented[o.ID] = known
	}
	for _, row := range world.Surface.Rows {
		good := documented[row.Operation]
		good.Request, _ = world.Surface.Good(t, row)
		h.good = append(h.good, good)
	}
}

// send sends one request.
func (h *hostility) send(t *testing.T) {
	if h.sent%20 == 0 {
		h.world.Advance(time.Minute) // past the limits of requests in a time
	}
	watched := h.sent%20 == 0
	before := int64(0)
	if watched {
		before = h.seq(t)
	}
	r := h.request()
	ctx, cancel := context.WithTimeout(t.Context(), hostilePatience)
	defer cancel()
	got := Gate().Do(t, h.world.Handler, r.WithContext(ctx))
	h.sent++
	h.statuses[got.Code]++
	h.learn(got)
	switch {
	case got.Code >= 500, got.Code >= 400 && got.Body.Len() < len(`{"error":"x"}`) && r.Method != http.MethodHead, t.Failed():
		t.Fatalf("request %d: %s %s: %d %s", h.sent, r.Method, r.URL, got.Code, got.Body)
	case watched && got.Code >= 400 && h.seq(t) != before:
		t.Fatalf("request %d: %s %s was refused with %d and wrote an event", h.sent, r.Method, r.URL, got.Code)
	}
}

// seq returns the number of the workspace's newest event.
func (h *hostility) seq(t *testing.T) int64 {
	found, err := h.world.Desk.Workspace(t.Context(), h.world.Home.Workspace.ID)
	if err != nil {
		t.Fatal(err)
	}
	return found.Seq
}

func (h *hostility) one(in ...string) string { return in[h.random.IntN(len(in))] }

func (h *hostility) chance(percent int) bool { return h.random.IntN(100) < percent }

func (h *hostility) request() *http.Request {
	good := h.good[h.random.IntN(len(h.good))]
	path, body, method := good.Path, good.Body, good.Method
	if h.chance(25) {
		path = h.bendPath(path)
	}
	if method == http.MethodGet || h.chance(5) {
		path = h.bendQuery(path, good.inputs)
	}
	if body != "" || h.chance(3) {
		for range h.random.IntN(4) {
			body = h.bendBody(body, good.members)
		}
	}
	if h.chance(3) {
		method = h.one("POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE", "BREW")
	}
	if strings.HasPrefix(good.operation, "stream") && method == http.MethodGet {
		method = http.MethodHead // a stream would not end
	}
	u, err := url.Parse(path)
	if err != nil {
		u = &url.URL{Path: h.world.Surface.Prefix + "x", RawQuery: "cursor=" + url.QueryEscape(path)}
	}
	r := httptest.NewRequest(method, "/", nil)
	r.URL, r.RequestURI = u, path
	if body != "" {
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
		r.Header.Set("Content-Type", "application/json")
	}
	good.sign(h.world.World, r)
	h.bendHeaders(r)
	return r
}

// bendHeaders replaces a header now and then.
func (h *hostility) bendHeaders(r *http.Request) {
	switch h.random.IntN(60) {
	case 0:
		r.Header.Set("Authorization", h.one("", "Bearer", "Bearer ", "bearer x", "Basic eA==", "Bearer pk_x", strings.Repeat("x", 10000)))
	case 1:
		r.Header.Set("Content-Type", h.one("", "text/html", "multipart/form-data", "multipart/form-data; boundary=x", "application/json; charset=utf-7", "application/x+json", ";;;", "application/json; charset"))
	case 2:
		r.Header["Idempotency-Key"] = []string{h.one("a", "b", `"c"`, `"`, "", strings.Repeat("k", 201), "ключ", "\x00", `"\x"`)}
	case 3:
		r.Header.Set("X-Request-Id", h.one("abc", "a b", "<script>", strings.Repeat("x", 65), "ü"))
	case 4:
		r.Header.Set("Cookie", h.one("", "__Host-parley=", "__Host-parley=x; __Host-parley=y", strings.Repeat("a=b; ", 2000)))
	case 5:
		r.Header.Set(h.one("If-None-Match", "Accept-Encoding", "Accept", "Accept-Language", "Range", "Last-Event-ID", "Origin"), h.one("", "*", "x", "br;q=9", "bytes=0-0", "null", "\xff", strings.Repeat("9", 400)))
	}
}

// bendPath replaces a segment behind the surface's prefix.
func (h *hostility) bendPath(path string) string {
	path, query, asked := strings.Cut(path, "?")
	parts := strings.Split(path, "/")
	first := strings.Count(h.world.Surface.Prefix, "/")
	at := first + h.random.IntN(len(parts)-first)
	parts[at] = h.one("x", "..", "", "%00", "%2F", "%zz", "ü", strings.Repeat("a", 3000), "00000000-0000-0000-0000-000000000000",
		"01a1fb68-2f6a-7000-87d8-89526ae1d0cd", strings.ToUpper(parts[at]), "{id}", "*", "a%20b", "%F0%9F%98%80", "%ff", h.one(h.world.IDs...))
	path = strings.Join(parts, "/")
	if asked {
		path += "?" + query
	}
	return path
}

func (h *hostility) bendQuery(path string, inputs []string) string {
	for range h.random.IntN(4) {
		name := h.one("limit", "cursor", "after", "status", "search", "colour", "", "a;b", "%00")
		if len(inputs) > 0 && h.chance(70) {
			name = h.one(inputs...)
		}
		value := h.one("1", "0", "200", "201", "-1", "1e3", "none", "open", "true", "false", "", "%00", "%ff", "%", "x", "2026-11-21T10:00:00Z", "2026-11-21",
			"9999-12-31T23:59:59Z", "1969-12-31T23:59:59Z", h.one(h.world.IDs...), "a.1", strings.Repeat("y", 300), "%25_%5C", "😀", "me", "en", "label%3Aa+is%3Aopen")
		if len(h.cursors) > 0 && h.chance(25) {
			value = h.one(h.cursors...)
		}
		joint := "?"
		if strings.Contains(path, "?") {
			joint = "&"
		}
		path += joint + name + "=" + value
	}
	return path
}

// bendBody changes a body slightly: it replaces a value, adds a member, or
// damages the text.
func (h *hostility) bendBody(body string, members []string) string {
	value := h.one(`null`, `true`, `0`, `-1`, `1e400`, `"x"`, `""`, `" "`, `[]`, `{}`, `[null]`, `["a","a"]`, `{"a":{"b":[1,2,{"c":null}]}}`, `"\u0000"`,
		`"\ud800"`, `"😀"`, `"<script>alert(1)</script>"`, `"01a1fb68-2f6a-7000-87d8-89526ae1d0cd"`, `"2026-11-21T10:00:00Z"`, `"2020-01-01T00:00:00+14:00"`,
		`"a@b.example"`, `"+4915100000077"`, `["4915100000077","4915100000001"]`, `["01a1fb68-2f6a-7000-87d8-89526ae1d0cd"]`, `"open"`, `"resolved"`, `"urgent"`, `"incoming"`, `"outgoing"`, `"markdown"`,
		`"https://a.example"`, `9007199254740993`, `"`+strings.Repeat("z", 70000)+`"`, strings.Repeat("[", 150)+strings.Repeat("]", 150), `"' OR 1=1; --"`,
		`"`+h.one(h.world.IDs...)+`"`, `["`+h.one(h.world.IDs...)+`"]`)
	name := h.one("id", "workspaceId", "__proto__", "ü", "", "customAttributes", "content")
	if len(members) > 0 && h.chance(85) {
		name = h.one(members...)
	}
	switch h.random.IntN(12) {
	case 0:
		return body + h.one(" ", "x", "{}", "\x00", "]")
	case 1:
		return h.one("", "null", "[]", `"x"`, "1", "{", "\xef\xbb\xbf"+body, body[:len(body)/2], strings.ReplaceAll(body, `"`, `'`), "{\"a\":\"\xff\"}")
	}
	member := fmt.Sprintf("%q:%s", name, value)
	if rest, ok := strings.CutPrefix(body, "{"); ok && rest != "}" {
		return h.one("{"+member+","+rest, strings.TrimSuffix(body, "}")+","+member+"}")
	}
	return "{" + member + "}"
}

// learn collects cursors and positions, to send them elsewhere.
func (h *hostility) learn(got *httptest.ResponseRecorder) {
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
