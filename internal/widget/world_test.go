package widget_test

import (
	"bytes"
	"context"
	"encoding/json"
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
	"parley/internal/blob"
	"parley/internal/contracttest"
	"parley/internal/customers"
	"parley/internal/dashboard"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/identity"
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
		for _, route := range widget.Routes() {
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

// A world is the widget, the dashboard and the public API with one workspace on
// one engine. It has an inbox for the web, and an agent.
type world struct {
	t         testing.TB
	store     *store.Store
	desk      *desk.Desk
	access    *access.Service
	customers *customers.Service
	handler   http.Handler
	clock     atomic.Int64 // Unix milliseconds
	home      access.Founding
	inbox     parley.ID
	agent     parley.Token // of the owner's session
}

// maxUpload is how many bytes a file may have in a world.
const maxUpload = 64 << 10

// uploadedAnHour is how many bytes may arrive from an address in a world.
const uploadedAnHour = 8 * maxUpload

// start is the time at which a world begins.
var start = time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)

// each runs a test in a new world on each engine.
func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) { test(t, newWorld(t, o)) })
}

// publicURL is where the server is said to be.
const publicURL = "https://support.example"

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
	w := &world{t: t, store: storetest.Open(t, o)}
	w.clock.Store(start.UnixMilli())
	v, err := vault.FromFile(filepath.Join(t.TempDir(), "master.key"))
	if err != nil {
		t.Fatal(err)
	}
	w.desk = desk.New(desk.Options{
		Store: w.store, Vault: v, Clock: w.now, IDs: parley.NewIDs(nil), Log: storetest.Quiet(),
		Files: blob.NewFolder(filepath.Join(t.TempDir(), "attachments")), MaxUpload: maxUpload, PublicURL: publicURL,
	})
	w.access = access.New(w.desk)
	w.customers = customers.New(customers.Options{Desk: w.desk})
	messengers := numbers.New(numbers.Options{Desk: w.desk}) // of no network
	hub := live.New(live.Options{
		Log: w.desk, Bell: bell, Clock: w.now, Logger: storetest.Quiet(), View: widget.View{Desk: w.desk, Customers: w.customers},
		Render: publicapi.Events{Clock: w.now, Sunset: publicapi.StoresSunset(), Files: w.desk.FileSigner}.Append,
	})
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { hub.Run(ctx) })
	t.Cleanup(func() {
		stop()
		running.Wait()
	})
	log := slog.New(slog.NewTextHandler(testWriter{t}, &slog.HandlerOptions{Level: slog.LevelError}))
	ours := widget.New(widget.Options{Desk: w.desk, Customers: w.customers, Live: hub, Clock: w.now, Log: log, UploadedAnHour: uploadedAnHour}).Handler()
	board := dashboard.New(dashboard.Options{
		Desk: w.desk, Access: w.access, Numbers: messengers, Customers: w.customers, Search: search.New(search.Options{Desk: w.desk}),
		Live: hub, Clock: w.now, Log: log, Sunset: publicapi.StoresSunset(),
	}).Handler()
	public := publicapi.New(publicapi.Options{Desk: w.desk, Access: w.access, Numbers: messengers, Live: hub, Clock: w.now, Log: log, Sunset: publicapi.StoresSunset()}).Handler()
	envelope := httpjson.Envelope{Log: log, IDs: parley.NewIDs(nil), Timeout: 20 * time.Second}
	w.handler = envelope.Wrap(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/v1/public/"):
			public.ServeHTTP(rw, r)
		case strings.HasPrefix(r.URL.Path, "/v1/dashboard/"):
			board.ServeHTTP(rw, r)
		default:
			ours.ServeHTTP(rw, r)
		}
	}))
	w.home, err = w.access.CreateWorkspace(t.Context(), "Home", "owner@home.example")
	if err != nil {
		t.Fatal(err)
	}
	w.inbox = w.webInbox(w.home)
	_, w.agent, err = w.access.StartSession(t.Context(), w.by(), w.home.Owner.ID, "test browser")
	if err != nil {
		t.Fatal(err)
	}
	return w
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

func (w *world) webInbox(of access.Founding) parley.ID {
	w.t.Helper()
	inbox, err := w.desk.CreateInbox(w.t.Context(), desk.Caller{Workspace: of.Workspace.ID}, desk.NewInbox{Name: "Web", Channel: parley.ChannelWeb})
	if err != nil {
		w.t.Fatal(err)
	}
	return inbox.ID
}

// signed returns an identity of the workspace, valid for an hour.
func (w *world) signed(c identity.Claims) string {
	w.t.Helper()
	if c.ExpiresAt.IsZero() {
		c.ExpiresAt = w.now().Add(time.Hour)
	}
	token, err := w.customers.SignIdentity(w.t.Context(), w.home.Workspace.ID, c)
	if err != nil {
		w.t.Fatal(err)
	}
	return token
}

// claims are of a customer with a verified e-mail address.
func claims(subject, email string) identity.Claims {
	return identity.Claims{Subject: subject, Email: email, EmailVerified: true}
}

// of returns claims with an organization.
func of(c identity.Claims, id, name string) identity.Claims {
	c.Organization = parley.Some(identity.Organization{ID: id, Name: name})
	return c
}

// A customer is somebody in front of the widget.
type customer struct {
	w     *world
	token parley.Token
	id    string // of the contact
	// address is where the customer sits, which nobody else does.
	address string
}

// start sends what starts a session.
func (w *world) start(body map[string]string) answer {
	w.t.Helper()
	if body["inboxId"] == "" {
		body["inboxId"] = w.inbox.String()
	}
	raw, err := json.Marshal(body)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.send(request{method: "POST", path: "/v1/widget/sessions", body: string(raw), address: w.address()})
}

// address returns an address that nobody had before, so that no throttle counts.
func (w *world) address() string {
	n := w.clock.Add(1)
	return fmt.Sprintf("10.%d.%d.%d:1", n>>16&255, n>>8&255, n&255)
}

func (w *world) customer(body map[string]string) *customer {
	w.t.Helper()
	made := w.start(body).want(201)
	return &customer{w, parley.Token(made.text("token")), made.text("customer.id"), w.address()}
}

func (w *world) visitor() *customer {
	w.t.Helper()
	return w.customer(map[string]string{})
}

func (w *world) login(c identity.Claims) *customer {
	w.t.Helper()
	return w.customer(map[string]string{"identity": w.signed(c)})
}

func (c *customer) get(path string) answer {
	c.w.t.Helper()
	return c.w.send(request{method: "GET", path: "/v1/widget/" + path, token: c.token, address: c.address})
}

func (c *customer) post(path, body string) answer {
	c.w.t.Helper()
	return c.w.send(request{method: "POST", path: "/v1/widget/" + path, body: body, token: c.token, address: c.address})
}

// begin starts a conversation and returns its id.
func (c *customer) begin(content string) string {
	c.w.t.Helper()
	return c.post("conversations", `{"content":"`+content+`"}`).want(201).text("conversation.id")
}

// contact returns the customer's contact as agents see it.
func (c *customer) contact() answer {
	c.w.t.Helper()
	return c.w.agentGet("/v1/public/contacts/" + c.id).want(200)
}

// A request is one that a test sends: a customer's by token, or, without one,
// the agent's where the path is theirs.
type request struct {
	method, path, body string
	token              parley.Token
	agent              bool
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
	if r.token != "" {
		req.Header.Set("Authorization", "Bearer "+string(r.token))
	}
	if r.agent {
		req.AddCookie(&http.Cookie{Name: httpjson.SessionCookie, Value: string(w.agent)})
	}
	for name, values := range r.header {
		req.Header[name] = values
	}
	got := gate().Do(w.t, w.handler, req)
	return answer{w.t, got.Code, got.Header(), got.Body.Bytes()}
}

func (w *world) agentGet(path string) answer {
	w.t.Helper()
	return w.send(request{method: "GET", path: path, agent: true})
}

func (w *world) agentPost(path, body string) answer {
	w.t.Helper()
	return w.send(request{method: "POST", path: path, body: body, agent: true})
}

func (w *world) agentPatch(path, body string) answer {
	w.t.Helper()
	return w.send(request{method: "PATCH", path: path, body: body, agent: true})
}

// settings changes the settings of the widget.
func (w *world) settings(body string) answer {
	w.t.Helper()
	return w.agentPatch("/v1/dashboard/inboxes/"+w.inbox.String()+"/widget", body).want(200)
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
func (w *world) events(after *string) string {
	w.t.Helper()
	var told []string
	for {
		page := w.agentGet("/v1/public/events?limit=200&after=" + *after).want(200)
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
			return strings.Join(told, "; ")
		}
	}
}
