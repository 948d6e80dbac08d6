// Package apitest is the world of the HTTP tests: a server with every surface
// and one workspace on one engine, requests to it, checks of its answers, and
// the walks that every surface must pass. Every exchange goes through the
// contract gate, and [Main] requires that every documented answer was seen.
//
// It is only for tests.
package apitest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/access/openid"
	"parley/internal/assist"
	"parley/internal/audit"
	"parley/internal/audit/entry"
	"parley/internal/blob"
	"parley/internal/bot/answering"
	"parley/internal/bot/simulating"
	"parley/internal/chatapp"
	"parley/internal/chatapp/sandbox"
	"parley/internal/customers"
	"parley/internal/dashboard"
	"parley/internal/desk"
	"parley/internal/erasure"
	"parley/internal/expiry"
	"parley/internal/files"
	"parley/internal/httpjson"
	"parley/internal/knowledge"
	"parley/internal/knowledge/answers"
	"parley/internal/live"
	"parley/internal/merging"
	"parley/internal/model"
	"parley/internal/numbers"
	"parley/internal/outward"
	"parley/internal/providers"
	"parley/internal/publicapi"
	"parley/internal/search"
	"parley/internal/settings"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/timer"
	"parley/internal/vault"
	"parley/internal/widget"
	"parley/internal/wire"
)

// A World is a server with one workspace, whose owner is signed in. Its clock
// moves only when a test moves it.
type World struct {
	T          testing.TB // the running test or subtest
	Store      *store.Store
	Desk       *desk.Desk
	Access     *access.Service
	Numbers    *numbers.Service
	Customers  *customers.Service
	Search     *search.Service
	Settings   *settings.Service
	Knowledge  *knowledge.Service
	Answers    *answers.Service
	Providers  *providers.Service
	Answering  *answering.Answerer
	Simulating *simulating.Service
	Recorder   *knowledge.Recorder
	Assist     *assist.Service
	Erasure    *erasure.Service
	Work
	Dashboard *dashboard.Dashboard
	Handler   http.Handler
	Home      access.Founding
	Owner     parley.Token // of the owner's session
	Logged    Lines        // what the desk logs
	// SearchWake wakes the search index.
	SearchWake chan struct{}
	// Sign adds a credential to a request without one; nil: none is added.
	Sign func(r *http.Request)

	options Options
	hub     *live.Hub
	ids     *parley.IDs
	clock   atomic.Int64 // Unix milliseconds
}

// Options are the differences from the usual world. Only Store is required.
type Options struct {
	Store  store.Options // with the latest schema
	Sunset time.Time     // of the stores routes
	Rate   httpjson.Rate // of a key; zero: no limit
	// Files store the content of files; nil: a folder.
	Files          desk.Files
	MaxUpload      int64 // of a file, in bytes
	UploadedAnHour int64 // from an address of the widget, in bytes
	PublicURL      string
	// Connect returns the networks; nil: the sandbox.
	Connect   func(w *World) map[parley.Driver]chatapp.Connector
	FetchKeys func(ctx context.Context, address string) ([]byte, error)
	// Models reaches servers of models; nil: public ones.
	Models *model.Network
	// OpenID is where the providers are by which members sign in.
	OpenID outward.Options
	// Push is where push services are; NoPush leaves pushes out.
	Push   outward.Options
	NoPush bool
	// NoMail leaves out the mail server.
	NoMail bool
	// IDs is where random ids come from; nil: the system.
	IDs io.Reader
	// PasswordCost is the cost of hashing a password; zero: nearly none.
	PasswordCost vault.Cost
}

// Start is the time at which every world begins.
func Start() time.Time { return time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC) }

// New returns a world that exists until the test ends.
func New(t testing.TB, o Options) *World {
	t.Helper()
	bell := live.NewBell()
	o.Store.Committed = bell.Ring
	ids := parley.NewIDs(o.IDs)
	if o.IDs != nil {
		o.Store.IDs = ids
	}
	w := &World{T: t, Store: storetest.Open(t, o.Store), SearchWake: make(chan struct{}, 1), ids: ids}
	w.clock.Store(Start().UnixMilli())
	if o.Sunset.IsZero() {
		o.Sunset = publicapi.StoresSunset()
	}
	w.open(t, o)
	w.hub = live.New(live.Options{
		Log: w.Desk, Bell: bell, Clock: w.Now, Logger: storetest.Quiet(), View: widget.View{Desk: w.Desk, Customers: w.Customers},
		Render: publicapi.Events{Clock: w.Now, Sunset: o.Sunset, Files: w.Desk.Attachments().FileSigner}.Append,
	})
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { w.hub.Run(ctx) })
	t.Cleanup(func() {
		stop()
		running.Wait()
	})
	w.options = o
	w.Handler, w.Dashboard = w.surfaces(o, w.Access)
	w.Home = w.Found("Home")
	w.Owner = w.SignIn(w.Home.Owner.ID)
	return w
}

// open makes the services.
func (w *World) open(t testing.TB, o Options) {
	t.Helper()
	keys, err := vault.FromFile(filepath.Join(t.TempDir(), "master.key"))
	if err != nil {
		t.Fatal(err)
	}
	if o.PasswordCost == (vault.Cost{}) {
		o.PasswordCost = vault.Cost{Memory: 8, Passes: 1} // tests hash many passwords and protect none
	}
	keys = keys.WithPasswordCost(o.PasswordCost)
	connectors := map[parley.Driver]chatapp.Connector{parley.DriverSandbox: w.Sandbox()}
	if o.Connect != nil {
		connectors = o.Connect(w)
	}
	if o.Files == nil {
		o.Files = blob.NewFolder(filepath.Join(t.TempDir(), "attachments"))
	}
	w.Desk = desk.New(desk.Options{
		Store: w.Store, Vault: keys, Clock: w.Now, IDs: w.ids, Log: slog.New(slog.NewTextHandler(&w.Logged, nil)),
		Capabilities: numbers.CapabilitiesOf(connectors), Files: o.Files, MaxUpload: o.MaxUpload, PublicURL: o.PublicURL,
	})
	w.Access = access.New(w.Desk, func(t *desk.Tx, e *entry.Entry) error { return w.Work.alerts.Tell(t, e) })
	w.Numbers = numbers.New(numbers.Options{Desk: w.Desk, Connectors: connectors})
	w.Customers = customers.New(customers.Options{Desk: w.Desk, FetchKeys: o.FetchKeys})
	w.Settings = settings.New(w.Desk)
	w.Knowledge = knowledge.New(w.Desk)
	w.Answers = answers.New(w.Desk, w.Knowledge)
	w.Providers = providers.New(w.Desk, cmp.Or(o.Models, model.NewNetwork(nil, model.DefaultTimes())))
	w.Recorder = knowledge.NewRecorder(w.Knowledge, Log(t))
	w.Erasure = erasure.New(w.Desk, w.Numbers, func(made time.Time, every time.Duration) time.Time { return made.Add(14 * every) })
	w.Search = search.New(search.Options{Desk: w.Desk, Wake: w.SearchWake})
	w.Answering = answering.New(answering.Options{Desk: w.Desk, Knowledge: w.Knowledge, Articles: w.Answers, Providers: w.Providers, PublicURL: o.PublicURL, Log: Log(w.T)})
	w.Assist = assist.New(assist.Options{Desk: w.Desk, Providers: w.Providers, Log: Log(w.T), Answerer: w.Answering})
	w.Simulating = simulating.New(w.Desk, w.Answering)
	w.openWork(o)
}

// Node returns the handler of another node over the same store, which remembers sessions
// on its own.
func (w *World) Node() http.Handler {
	h, _ := w.surfaces(w.options, access.New(w.Desk))
	return h
}

// Sandbox returns a sandbox network over the world's store.
func (w *World) Sandbox() *sandbox.Network { return sandbox.New(w.Store, w.Now, w.ids) }

// surfaces returns the handler for everything that the server answers.
func (w *World) surfaces(o Options, members *access.Service) (http.Handler, *dashboard.Dashboard) {
	log := Log(w.T)
	dash := dashboard.New(dashboard.Options{
		Desk: w.Desk, Access: members, OpenID: openid.NewNetwork(outward.NewDialer(o.OpenID), w.Now), PublicURL: cmp.Or(o.PublicURL, "https://parley.example"), Audit: audit.New(w.Desk), Numbers: w.Numbers, Customers: w.Customers, Merging: merging.New(w.Desk), Search: w.Search, Settings: w.Settings, Knowledge: w.Knowledge, Answers: w.Answers, Recorder: w.Recorder, Erasure: w.Erasure, Providers: w.Providers, Simulating: w.Simulating, Assist: w.Assist, Work: w.Work.Work,
		Live: w.hub, Clock: w.Now, Log: log, Sunset: o.Sunset,
	})
	public := publicapi.New(publicapi.Options{
		Desk: w.Desk, Access: members, Numbers: w.Numbers, Knowledge: w.Knowledge, Answers: w.Answers, Teams: w.Work.Teams, Live: w.hub, Clock: w.Now, Log: log, Sunset: o.Sunset, Rate: o.Rate,
	}).Handler()
	chat := widget.New(widget.Options{
		Desk: w.Desk, Customers: w.Customers, Visitors: w.Work.Visitors, Knowledge: w.Knowledge, Answers: w.Answers, Recorder: w.Recorder, Live: w.hub, Clock: w.Now, Log: log,
		UploadedAnHour: o.UploadedAnHour,
	}).Handler()
	content := files.Handler(files.Options{Desk: w.Desk, Clock: w.Now, Log: log})
	board := dash.Handler()
	return w.Enveloped(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/v1/widget/"):
			chat.ServeHTTP(rw, r)
		case strings.HasPrefix(r.URL.Path, "/v1/dashboard/"):
			board.ServeHTTP(rw, r)
		case strings.HasPrefix(r.URL.Path, wire.FilesPath):
			content.ServeHTTP(rw, r)
		default:
			public.ServeHTTP(rw, r)
		}
	})), dash
}

// Enveloped wraps a handler like the program does.
func (w *World) Enveloped(h http.Handler) http.Handler {
	return httpjson.Envelope{Log: Log(w.T), IDs: parley.NewIDs(nil), Timeout: 20 * time.Second}.Wrap(h)
}

// Now is the time in the world.
func (w *World) Now() time.Time { return time.UnixMilli(w.clock.Load()).UTC() }

// Advance moves the clock forward.
func (w *World) Advance(d time.Duration) { w.clock.Add(d.Milliseconds()) }

// MoveTo sets the clock.
func (w *World) MoveTo(t time.Time) { w.clock.Store(t.UnixMilli()) }

// Tick advances the clock by a millisecond and returns it in Unix milliseconds,
// a different number for each call.
func (w *World) Tick() int64 { return w.clock.Add(1) }

// By is the owner as a caller.
func (w *World) By() desk.Caller {
	return desk.Caller{Workspace: w.Home.Workspace.ID, Member: w.Home.Owner.ID}
}

// Found creates a workspace with an owner.
func (w *World) Found(name string) access.Founding {
	w.T.Helper()
	f, err := w.Access.CreateWorkspace(w.T.Context(), name, "owner@"+strings.ToLower(name)+".example")
	if err != nil {
		w.T.Fatal(err)
	}
	return f
}

// SignIn starts a session of a member.
func (w *World) SignIn(member parley.UserID) parley.Token {
	w.T.Helper()
	_, token, err := w.Access.StartSession(w.T.Context(), w.By(), member, "test browser")
	if err != nil {
		w.T.Fatal(err)
	}
	return token
}

// NewInbox makes an inbox and returns its id.
func (w *World) NewInbox(in desk.NewInbox) parley.ID {
	w.T.Helper()
	inbox, err := w.Desk.CreateInbox(w.T.Context(), desk.Caller{Workspace: w.Home.Workspace.ID}, in)
	if err != nil {
		w.T.Fatal(err)
	}
	return inbox.ID
}

// Contact makes a contact and returns its id.
func (w *World) Contact(body string) string {
	w.T.Helper()
	return w.Post("/v1/public/contacts", body).Want(201).Text("id")
}

// Conversation makes a conversation with a new contact and returns its id.
func (w *World) Conversation() string {
	w.T.Helper()
	return w.Post("/v1/public/conversations", `{"contactId":"`+w.Contact(`{"name":"Ann"}`)+`"}`).Want(201).Text("id")
}

// Run runs a subtest in this world.
func (w *World) Run(t *testing.T, name string, test func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		w.With(t, func() { test(t) })
	})
}

// With makes a test the world's test during do.
func (w *World) With(t testing.TB, do func()) {
	outer := w.T
	w.T = t
	defer func() { w.T = outer }()
	do()
}

// Expire deletes what has expired, and runs erasures, as the server does.
func (w *World) Expire() {
	w.T.Helper()
	w.ExpireWith(w.Erasure)
}

// ExpireWith is Expire with another service for erasures.
func (w *World) ExpireWith(erasures *erasure.Service) {
	w.T.Helper()
	ctx, timers := w.T.Context(), timer.New(w.Desk, slices.Concat(expiry.Kinds(w.Desk, expiry.Retention{Events: parley.EventRetention, Audit: entry.Retention}), erasures.Kinds(), w.kinds()))
	if err := errors.Join(timers.Sweep(ctx), timers.RunDue(ctx, true), expiry.Unowned(ctx, w.Desk)); err != nil {
		w.T.Fatal(err)
	}
}

// Lines are what was logged.
type Lines struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write adds a line.
func (l *Lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String returns all lines.
func (l *Lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Log returns a logger that reports errors to the test that caused them.
func Log(t testing.TB) *slog.Logger {
	return slog.New(slog.NewTextHandler(testWriter{t}, &slog.HandlerOptions{Level: slog.LevelError}))
}

type testWriter struct{ t testing.TB }

func (w testWriter) Write(b []byte) (int, error) {
	if w.t.Context().Err() == nil { // the test still runs
		w.t.Log(string(bytes.TrimSpace(b)))
	}
	return len(b), nil
}
