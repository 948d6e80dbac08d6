package publicapi_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/api"
	"parley/internal/access"
	"parley/internal/blob"
	"parley/internal/chatapp"
	"parley/internal/chatapp/sandbox"
	"parley/internal/contracttest"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/numbers"
	"parley/internal/pgtest"
	"parley/internal/publicapi"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/vault"
)

// gate is shared by all tests of the package, so that it knows which of the
// documented answers were seen.
var gate = sync.OnceValue(func() *contracttest.Gate {
	g, err := contracttest.New(api.YAML())
	if err != nil {
		panic(err)
	}
	return g
})

// varying are examples that hold what differs from one server to another.
var varying = regexp.MustCompile(`^(\w+ (410|413|429|503)|getHealth|getReadiness|getFile) `)

// TestMain demands, when all tests ran, that every documented answer was seen, and the
// example of every error.
func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if code == 0 && flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.fuzz").Value.String() == "" && !testing.Short() &&
		flag.Lookup("test.list").Value.String() == "" && flag.Lookup("test.bench").Value.String() == "" {
		for _, name := range gate().Unsaid() {
			// Numbers in these are of the operator's choice; and see below.
			if !varying.MatchString(name) {
				fmt.Println("FAIL: the example of an error that was never answered:", name)
				code = 1
			}
		}
		for _, name := range gate().Unseen() {
			if strings.HasPrefix(name, "getHealth ") || strings.HasPrefix(name, "getReadiness ") || strings.HasPrefix(name, "getFile ") {
				continue // outside /v1/public; see the tests of cmd/parley and internal/files
			}
			fmt.Println("FAIL: documented and never seen:", name)
			code = 1
		}
	}
	pgtest.Stop()
	os.Exit(code)
}

// A world is an API with one workspace on one engine.
type world struct {
	t       testing.TB
	store   *store.Store
	desk    *desk.Desk
	access  *access.Service
	numbers *numbers.Service
	handler http.Handler
	network *faulty
	files   *place
	clock   atomic.Int64 // Unix milliseconds
	home    access.Founding
	key     string // of every scope
	product parley.Product
	changed string // the newest updatedAt that events has seen
}

type worldOptions struct {
	rate   httpjson.Rate
	sunset time.Time // zero for the usual one
}

// start is the time at which a world begins.
var start = time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)

// each runs a test in a new world on each engine.
func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) { test(t, newWorld(t, o, worldOptions{})) })
}

// onSQLite returns a world for tests in which the engine does not matter.
func onSQLite(t *testing.T, wo worldOptions) *world {
	t.Helper()
	o := storetest.MigratedSQLite(t)
	return newWorld(t, o, wo)
}

func newWorld(t testing.TB, o store.Options, wo worldOptions) *world {
	t.Helper()
	w := &world{t: t, store: storetest.Open(t, o)}
	w.clock.Store(start.UnixMilli())
	v, err := vault.FromFile(filepath.Join(t.TempDir(), "master.key"))
	if err != nil {
		t.Fatal(err)
	}
	w.files = &place{Place: blob.NewFolder(filepath.Join(t.TempDir(), "attachments"))}
	w.network = &faulty{Network: sandbox.New(w.store, w.now, parley.NewIDs(nil))}
	connectors := map[parley.Driver]chatapp.Connector{parley.DriverSandbox: w.network}
	w.desk = desk.New(desk.Options{
		Store: w.store, Vault: v, Clock: w.now, IDs: parley.NewIDs(nil), Log: storetest.Quiet(),
		Capabilities: numbers.CapabilitiesOf(connectors), Files: w.files, MaxUpload: maxUpload,
	})
	w.access = access.New(w.desk)
	w.numbers = numbers.New(numbers.Options{Desk: w.desk, Connectors: connectors})
	if wo.sunset.IsZero() {
		wo.sunset = publicapi.StoresSunset()
	}
	surface := publicapi.New(publicapi.Options{
		Desk: w.desk, Access: w.access, Numbers: w.numbers, Clock: w.now, Log: testLog(t), Sunset: wo.sunset, Rate: wo.rate,
	})
	envelope := httpjson.Envelope{Log: testLog(t), IDs: parley.NewIDs(nil), Timeout: 20 * time.Second}
	w.handler = envelope.Wrap(surface.Handler())
	w.home = w.found("Home")
	w.key = string(w.home.Secret)
	w.product, err = w.desk.CreateProduct(t.Context(), w.by(), "Shop", "")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// testLog shows errors of the server with the test that made them.
func testLog(t testing.TB) *slog.Logger {
	return slog.New(slog.NewTextHandler(testWriter{t}, &slog.HandlerOptions{Level: slog.LevelError}))
}

type testWriter struct{ t testing.TB }

func (w testWriter) Write(b []byte) (int, error) {
	if w.t.Context().Err() == nil { // the test still runs
		w.t.Log(string(bytes.TrimSpace(b)))
	}
	return len(b), nil
}

func (w *world) now() time.Time { return time.UnixMilli(w.clock.Load()).UTC() }

func (w *world) advance(d time.Duration) { w.clock.Add(d.Milliseconds()) }

func (w *world) found(name string) access.Founding {
	w.t.Helper()
	f, err := w.access.CreateWorkspace(w.t.Context(), name, "owner@"+strings.ToLower(name)+".example")
	if err != nil {
		w.t.Fatal(err)
	}
	return f
}

func (w *world) by() desk.Caller { return desk.Caller{Workspace: w.home.Workspace.ID} }

// keyWith makes a key of some scopes.
func (w *world) keyWith(scopes ...parley.Scope) string {
	w.t.Helper()
	_, secret, err := w.access.CreateKey(w.t.Context(), w.by(), access.NewKey{Name: "test", Scopes: scopes})
	if err != nil {
		w.t.Fatal(err)
	}
	return string(secret)
}

// run runs a subtest in this world.
func (w *world) run(t *testing.T, name string, test func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		w.with(t, func() { test(t) })
	})
}

// A request is one that a test sends; key is the world's own unless given.
type request struct {
	method, path, body string
	key                string
	header             http.Header
}

// An answer is what came back.
type answer struct {
	t      testing.TB
	status int
	header http.Header
	body   []byte
}

// send sends a request through the contract gate.
func (w *world) send(r request) answer {
	w.t.Helper()
	var body io.Reader
	if r.body != "" {
		body = strings.NewReader(r.body)
	}
	req := httptest.NewRequest(r.method, r.path, body)
	if r.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	switch r.key {
	case "":
		req.Header.Set("Authorization", "Bearer "+w.key)
	case "none":
	default:
		req.Header.Set("Authorization", "Bearer "+r.key)
	}
	for name, values := range r.header {
		req.Header[name] = values
	}
	got := gate().Do(w.t, w.handler, req)
	return answer{w.t, got.Code, got.Header(), got.Body.Bytes()}
}

func (w *world) get(path string) answer {
	w.t.Helper()
	return w.send(request{method: "GET", path: path})
}

func (w *world) post(path, body string) answer {
	w.t.Helper()
	return w.send(request{method: "POST", path: path, body: body})
}

func (w *world) patch(path, body string) answer {
	w.t.Helper()
	return w.send(request{method: "PATCH", path: path, body: body})
}

// want demands a status and returns the answer.
func (a answer) want(status int) answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("status is %d, want %d: %s", a.status, status, a.body)
	}
	return a
}

// refused demands an error with a message.
func (a answer) refused(status int, message string) {
	a.t.Helper()
	if got := a.want(status).text("error"); got != message {
		a.t.Errorf("the error is %q, want %q", got, message)
	}
}

// blames demands an error about an input, for people and for programs.
func (a answer) blames(field string, status int, message string) {
	a.t.Helper()
	a.refused(status, message)
	if got := a.header.Get("Parley-Error"); !strings.HasSuffix(got, "; field="+field) {
		a.t.Errorf("Parley-Error is %q, and not about %s", got, field)
	}
}

// field returns a value of the body by the way to it, as in "data.0.id".
func (a answer) field(path string) any {
	a.t.Helper()
	var value any
	if err := json.Unmarshal(a.body, &value); err != nil {
		a.t.Fatalf("the body is not JSON: %v: %s", err, a.body)
	}
	for name := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[name]
		case []any:
			i := 0
			if _, err := fmt.Sscan(name, &i); err != nil || i >= len(v) {
				a.t.Fatalf("there is no item %s in %s", name, a.body)
			}
			value = v[i]
		default:
			a.t.Fatalf("there is no %s in %s", path, a.body)
		}
	}
	return value
}

func (a answer) text(path string) string {
	a.t.Helper()
	text, _ := a.field(path).(string)
	return text
}

// is demands values of the body, as pairs of a way and what stands there, in
// JSON.
func (a answer) is(pairs ...string) answer {
	a.t.Helper()
	for pair := range slices.Chunk(pairs, 2) {
		got, err := json.Marshal(a.field(pair[0]))
		if err != nil {
			a.t.Fatal(err)
		}
		if string(got) != pair[1] {
			a.t.Errorf("%s is %s, want %s", pair[0], got, pair[1])
		}
	}
	return a
}

// ids returns the ids of a page's items.
func (a answer) ids() []string {
	a.t.Helper()
	var page struct {
		Data []struct{ ID string }
	}
	if err := json.Unmarshal(a.body, &page); err != nil {
		a.t.Fatal(err)
	}
	ids := make([]string, len(page.Data))
	for i, item := range page.Data {
		ids[i] = item.ID
	}
	return ids
}

// events returns what the log tells since the last call, as "type changed…".
func (w *world) events(after *string) []string {
	w.t.Helper()
	var told []string
	concerned := map[string]bool{}
	for {
		page := w.get("/v1/public/events?limit=200&after=" + *after).want(200)
		var p struct {
			Data []struct {
				Type           string
				ConversationID string `json:"conversationId"`
				Changed        []string
			}
			HasMore    bool   `json:"has_more"`
			NextCursor string `json:"next_cursor"`
		}
		if err := json.Unmarshal(page.body, &p); err != nil {
			w.t.Fatal(err)
		}
		for _, e := range p.Data {
			told = append(told, strings.TrimSpace(e.Type+" "+strings.Join(e.Changed, ",")))
			if e.ConversationID != "" {
				concerned[e.ConversationID] = true
			}
		}
		*after = p.NextCursor
		if !p.HasMore {
			w.mustHaveChanged(concerned)
			return told
		}
	}
}

// mustHaveChanged demands of conversations that events told of that their
// updatedAt is later than any seen before.
func (w *world) mustHaveChanged(conversations map[string]bool) {
	w.t.Helper()
	newest := w.changed
	for id := range conversations {
		at := w.get("/v1/public/conversations/" + id + "?messages_limit=1").want(200).text("updatedAt")
		if at <= w.changed {
			w.t.Errorf("an event told of conversation %s, and its updatedAt is %s; the newest before is %s", id, at, w.changed)
		}
		newest = max(newest, at)
	}
	w.changed = newest
}

// contact makes a contact and returns its id.
func (w *world) contact(body string) string {
	w.t.Helper()
	return w.post("/v1/public/contacts", body).want(201).text("id")
}

// conversation makes a conversation with a new contact and returns its id.
func (w *world) conversation() string {
	w.t.Helper()
	return w.post("/v1/public/conversations", `{"contactId":"`+w.contact(`{"name":"Ann"}`)+`"}`).want(201).text("id")
}

// number connects a number of the sandbox and returns its id.
func (w *world) number(phone parley.Phone) string {
	w.t.Helper()
	n, err := w.numbers.ConnectNumber(w.t.Context(), w.by(), phone, parley.DriverSandbox)
	if err != nil {
		w.t.Fatal(err)
	}
	return n.Record.ID.String()
}

func deskKey(expires time.Time) access.NewKey {
	return access.NewKey{Name: "test", Scopes: parley.Scopes, ExpiresAt: expires}
}

// inbox makes an inbox with a product as its routing and returns its id.
func (w *world) inbox(name string, product parley.ID) string {
	w.t.Helper()
	i, err := w.desk.CreateInbox(w.t.Context(), w.by(), desk.NewInbox{Name: name, Channel: parley.ChannelAPI, ProductID: product})
	if err != nil {
		w.t.Fatal(err)
	}
	return i.ID.String()
}
