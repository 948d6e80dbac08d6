package dashboard_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/api"
	"parley/internal/access"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatapptest"
	"parley/internal/chatapp/sandbox"
	"parley/internal/contracttest"
	"parley/internal/customers"
	"parley/internal/dashboard"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/live"
	"parley/internal/numbers"
	"parley/internal/pgtest"
	"parley/internal/publicapi"
	"parley/internal/search"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/vault"
	"parley/internal/widget"
)

// gate is shared by all tests of the package, so that it knows which of the
// documented answers were seen.
var gate = sync.OnceValue(func() *contracttest.Gate {
	g, err := contracttest.New(api.YAML(), api.DashboardYAML(), api.WidgetYAML())
	if err != nil {
		panic(err)
	}
	return g
})

// TestMain demands, when all tests ran, that every documented answer was seen.
func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if code == 0 && flag.Lookup("test.run").Value.String() == "" && !testing.Short() && flag.Lookup("test.list").Value.String() == "" &&
		flag.Lookup("test.bench").Value.String() == "" {
		ours := map[string]bool{}
		for _, route := range dashboard.Routes() {
			ours[route.Operation] = true
		}
		for _, name := range gate().Unseen() {
			if operation, _, _ := strings.Cut(name, " "); ours[operation] {
				fmt.Println("FAIL: documented and never seen:", name)
				code = 1
			}
		}
	}
	pgtest.Stop()
	os.Exit(code)
}

// A world is the dashboard and the public API with one workspace on one
// engine. Its owner is signed in.
type world struct {
	t         testing.TB
	store     *store.Store
	desk      *desk.Desk
	access    *access.Service
	numbers   *numbers.Service
	customers *customers.Service
	searcher  *search.Service
	handler   http.Handler
	// searchWake wakes the index of the search.
	searchWake chan struct{}
	network    *chatapptest.World
	driver     *chatapptest.Driver // of real numbers
	clock      atomic.Int64        // Unix milliseconds
	home       access.Founding
	owner      parley.Token

	people    map[parley.Token]parley.UserID // who is signed in by a token
	passwords map[parley.UserID]string
	keySets   map[string]string // sets of public keys by their addresses
	lines     lines             // that the desk logs
}

// lines are what was logged.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// start is the time at which a world begins.
var start = time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)

// each runs a test in a new world on each engine.
func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) { test(t, newWorld(t, o)) })
}

// onSQLite returns a world for tests in which the engine does not matter.
func onSQLite(t *testing.T) *world {
	t.Helper()
	o := storetest.MigratedSQLite(t)
	return newWorld(t, o)
}

func newWorld(t testing.TB, o store.Options) *world {
	t.Helper()
	bell := live.NewBell()
	o.Committed = bell.Ring
	w := &world{
		t: t, store: storetest.Open(t, o), searchWake: make(chan struct{}, 1),
		people: map[parley.Token]parley.UserID{}, passwords: map[parley.UserID]string{},
	}
	w.clock.Store(start.UnixMilli())
	v, err := vault.FromFile(filepath.Join(t.TempDir(), "master.key"))
	if err != nil {
		t.Fatal(err)
	}
	w.network = chatapptest.NewWorld(w.now)
	w.driver = w.network.Driver("here", w.store)
	connectors := map[parley.Driver]chatapp.Connector{
		parley.DriverSandbox: sandbox.New(w.store, w.now, parley.NewIDs(nil)), parley.DriverWhatsApp: w.driver,
	}
	w.desk = desk.New(desk.Options{
		Store: w.store, Vault: v, Clock: w.now, IDs: parley.NewIDs(nil), Log: slog.New(slog.NewTextHandler(&w.lines, nil)),
		Capabilities: numbers.CapabilitiesOf(connectors),
	})
	w.access = access.New(w.desk)
	w.numbers = numbers.New(numbers.Options{Desk: w.desk, Connectors: connectors})
	w.customers = customers.New(customers.Options{Desk: w.desk, FetchKeys: w.keySet})
	w.searcher = search.New(search.Options{Desk: w.desk, Wake: w.searchWake})
	hub := live.New(live.Options{
		Log: w.desk, Bell: bell, Clock: w.now, Logger: storetest.Quiet(), Render: publicapi.Events{Clock: w.now, Sunset: publicapi.StoresSunset(), Files: w.desk.FileSigner}.Append,
	})
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { hub.Run(ctx) })
	board := dashboard.New(dashboard.Options{Desk: w.desk, Access: w.access, Numbers: w.numbers, Customers: w.customers, Search: w.searcher, Live: hub, Clock: w.now, Log: testLog(t), Sunset: publicapi.StoresSunset()})
	running.Go(func() { board.RunPairingNews(ctx) })
	t.Cleanup(func() {
		w.numbers.GiveNumbersBack(context.Background())
		stop()
		running.Wait()
	})
	ours := board.Handler()
	public := publicapi.New(publicapi.Options{Desk: w.desk, Access: w.access, Numbers: w.numbers, Live: hub, Clock: w.now, Log: testLog(t), Sunset: publicapi.StoresSunset()}).Handler()
	chat := widget.New(widget.Options{Desk: w.desk, Customers: w.customers, Live: hub, Clock: w.now, Log: testLog(t)}).Handler()
	envelope := httpjson.Envelope{Log: testLog(t), IDs: parley.NewIDs(nil), Timeout: 20 * time.Second}
	w.handler = envelope.Wrap(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/v1/public/"):
			public.ServeHTTP(rw, r)
		case strings.HasPrefix(r.URL.Path, "/v1/widget/"):
			chat.ServeHTTP(rw, r)
		default:
			ours.ServeHTTP(rw, r)
		}
	}))
	w.home, err = w.access.CreateWorkspace(t.Context(), "Home", "owner@home.example")
	if err != nil {
		t.Fatal(err)
	}
	w.passwords[w.home.Owner.ID] = w.home.OwnerPassword
	w.owner = w.signIn(w.home.Owner.ID)
	return w
}

// keySet plays the servers of companies that publish keys.
func (w *world) keySet(_ context.Context, address string) ([]byte, error) {
	set, ok := w.keySets[address]
	if !ok {
		return nil, errors.New("nobody is there")
	}
	return []byte(set), nil
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

func (w *world) by() desk.Caller {
	return desk.Caller{Workspace: w.home.Workspace.ID, Member: w.home.Owner.ID}
}

// signIn starts a session of a member.
func (w *world) signIn(member parley.UserID) parley.Token {
	w.t.Helper()
	_, token, err := w.access.StartSession(w.t.Context(), w.by(), member, "test browser")
	if err != nil {
		w.t.Fatal(err)
	}
	w.people[token] = member
	return token
}

// member makes a member of a role and returns it with a session.
func (w *world) member(role parley.Role) (parley.Member, parley.Token) {
	w.t.Helper()
	email := fmt.Sprintf("%s%d@home.example", role, w.clock.Add(1))
	m, password, err := w.access.CreateMember(w.t.Context(), w.by(), access.NewMember{Email: email, Name: "The " + string(role), Role: role})
	if err != nil {
		w.t.Fatal(err)
	}
	w.passwords[m.ID] = password
	return m, w.signIn(m.ID)
}

// A request is one that a test sends; it is the owner's unless told otherwise.
// In its path and body {me} stands for the id of whose it is, {password} for
// that member's password.
type request struct {
	method, path, body string
	token              parley.Token // "none" for no session
	header             http.Header
	address            string // of the client, with its port
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
	token := r.token
	if token == "" {
		token = w.owner
	}
	me, signedIn := w.people[token]
	if !signedIn {
		me = w.home.Owner.ID
	}
	own := strings.NewReplacer("{me}", string(me), "{password}", w.passwords[me])
	r.path, r.body = own.Replace(r.path), own.Replace(r.body)
	var body io.Reader
	if r.body != "" {
		body = strings.NewReader(r.body)
	}
	req := httptest.NewRequest(r.method, r.path, body)
	if r.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.address != "" {
		req.RemoteAddr = r.address
	}
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	if token != "none" {
		req.AddCookie(&http.Cookie{Name: httpjson.SessionCookie, Value: string(token)})
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

func (w *world) delete(path string) answer {
	w.t.Helper()
	return w.send(request{method: "DELETE", path: path})
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

// count returns how many items the list at a way has.
func (a answer) count(path string) int {
	a.t.Helper()
	items, ok := a.field(path).([]any)
	if !ok {
		a.t.Fatalf("%s is no list: %s", path, a.body)
	}
	return len(items)
}

// events returns what the log tells since the last call, as "type changed…".
func (w *world) events(after *string) []string {
	w.t.Helper()
	var told []string
	for {
		page := w.get("/v1/public/events?limit=200&after=" + *after).want(200)
		var p struct {
			Data []struct {
				Type    string
				Changed []string
			}
			HasMore    bool   `json:"has_more"`
			NextCursor string `json:"next_cursor"`
		}
		if err := json.Unmarshal(page.body, &p); err != nil {
			w.t.Fatal(err)
		}
		for _, e := range p.Data {
			told = append(told, strings.TrimSpace(e.Type+" "+strings.Join(e.Changed, ",")))
		}
		*after = p.NextCursor
		if !p.HasMore {
			return told
		}
	}
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
