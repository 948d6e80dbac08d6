package publicapi_test

import (
	"context"
	"net/http"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/apitest"
	"parley/internal/blob"
	"parley/internal/chatapp"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/publicapi"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// varying are examples that contain what differs between servers.
var varying = regexp.MustCompile(`^\w+ (410|413|429|503) `)

func TestMain(m *testing.M) {
	apitest.Main(m, apitest.Coverage{
		Operations: surface(nil).Operations(), Example: func(name string) bool { return !varying.MatchString(name) },
	})
}

// A world signs its requests with a key of every scope. Its network and its
// files fail on demand.
type world struct {
	*apitest.World
	network *faulty
	files   *place
	key     string
	product parley.Product
	changed string // the newest updatedAt in events so far
	// restore stores what a sample deletes again, by its path.
	restore map[string]func(context.Context)
}

type worldOptions struct {
	rate   httpjson.Rate
	sunset time.Time // zero for the usual one
}

// each runs a test in a new world on each engine, in parallel.
func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) { test(t, newWorld(t, o, worldOptions{})) })
}

// onSQLite returns a world for tests in which the engine does not matter.
func onSQLite(t *testing.T, wo worldOptions) *world {
	t.Helper()
	return newWorld(t, storetest.MigratedSQLite(t), wo)
}

func newWorld(t testing.TB, o store.Options, wo worldOptions) *world {
	t.Helper()
	w := &world{restore: map[string]func(context.Context){}, files: &place{Place: blob.NewFolder(filepath.Join(t.TempDir(), "attachments"))}}
	w.World = apitest.New(t, apitest.Options{
		Store: o, Rate: wo.rate, Sunset: wo.sunset, Files: w.files, MaxUpload: maxUpload,
		Connect: func(made *apitest.World) map[parley.Driver]chatapp.Connector {
			w.network = &faulty{Network: made.Sandbox()}
			return map[parley.Driver]chatapp.Connector{parley.DriverSandbox: w.network}
		},
	})
	w.Sign = func(r *http.Request) { apitest.SignBearer(r, w.key) }
	w.key = string(w.Home.Secret)
	served := w.Handler
	w.Handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if restore := w.restore[r.URL.Path]; restore != nil && r.Method == http.MethodDelete {
			restore(r.Context())
		}
		served.ServeHTTP(rw, r)
	})
	var err error
	w.product, err = w.Desk.CreateProduct(t.Context(), w.by(), "Shop", "")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// surface is the public API with the samples of a world, nil if no request is
// sent.
func surface(all map[string]apitest.Sample) apitest.Surface {
	s := apitest.Surface{Prefix: "/v1/public/", Cheap: "/v1/public/inboxes"}
	for _, r := range publicapi.Routes() {
		s.Rows = append(s.Rows, apitest.Row{Operation: r.Operation, Method: r.Method, Path: r.Path, Open: r.Open, Scopes: r.Scopes, Older: r.Older})
		if r.Open {
			s.Storeless = append(s.Storeless, r.Operation)
		}
	}
	s.Good = func(_ *testing.T, row apitest.Row) (apitest.Request, int) {
		sample := all[row.Operation]
		return apitest.Request{Method: row.Method, Path: sample.Path, Body: sample.Body}, sample.Status
	}
	return s
}

// by is a program of the workspace.
func (w *world) by() desk.Caller { return desk.Caller{Workspace: w.Home.Workspace.ID} }

// keyWith makes a key of some scopes.
func (w *world) keyWith(scopes ...parley.Scope) string {
	w.T.Helper()
	_, secret, err := w.Access.CreateKey(w.T.Context(), w.by(), access.NewKey{Name: "test", Scopes: scopes})
	if err != nil {
		w.T.Fatal(err)
	}
	return string(secret)
}

// events returns the events since the last call, as "type changed…". Their
// conversations must have changed later than any before.
func (w *world) events(after *string) []string {
	w.T.Helper()
	told := w.EventsAfter(after, apitest.Request{})
	concerned := map[string]bool{}
	for _, e := range told {
		if e.ConversationID != "" {
			concerned[e.ConversationID] = true
		}
	}
	newest := w.changed
	for id := range concerned {
		at := w.Get("/v1/public/conversations/" + id + "?messages_limit=1").Want(200).Text("updatedAt")
		if at <= w.changed {
			w.T.Errorf("an event told of conversation %s, and its updatedAt is %s; the newest before is %s", id, at, w.changed)
		}
		newest = max(newest, at)
	}
	w.changed = newest
	return apitest.Texts(told)
}

// number connects a number of the sandbox and returns its id.
func (w *world) number(phone parley.Phone) string {
	w.T.Helper()
	n, err := w.Numbers.ConnectNumber(w.T.Context(), w.by(), phone, parley.DriverSandbox)
	if err != nil {
		w.T.Fatal(err)
	}
	return n.Record.ID.String()
}

func deskKey(expires time.Time) access.NewKey {
	return access.NewKey{Name: "test", Scopes: parley.Scopes, ExpiresAt: expires}
}

// inbox makes an inbox with a product as its routing and returns its id.
func (w *world) inbox(name string, product parley.ID) string {
	w.T.Helper()
	return w.NewInbox(desk.NewInbox{Name: name, Channel: parley.ChannelAPI, ProductID: product}).String()
}
