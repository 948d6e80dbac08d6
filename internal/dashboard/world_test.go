package dashboard_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/access/openid/openidtest"
	"parley/internal/apitest"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatapptest"
	"parley/internal/dashboard"
	"parley/internal/httpjson"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

func TestMain(m *testing.M) { apitest.Main(m, apitest.Coverage{Operations: surface(nil).Operations()}) }

// A world sends its requests as the owner. It has a network of real numbers
// besides the sandbox.
type world struct {
	*apitest.World
	network   *chatapptest.World
	driver    *chatapptest.Driver            // of real numbers
	people    map[parley.Token]parley.UserID // by the token of a session
	passwords map[parley.UserID]string
	keySets   map[string]string  // sets of public keys by their addresses
	issuer    *openidtest.Issuer // by which members may sign in
}

// each runs a test in a new world on each engine, in parallel.
func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) { test(t, newWorld(t, o)) })
}

// onSQLite returns a world for tests in which the engine does not matter.
func onSQLite(t *testing.T) *world {
	t.Helper()
	return newWorld(t, storetest.MigratedSQLite(t))
}

func newWorld(t testing.TB, o store.Options) *world {
	t.Helper()
	return newWorldOf(t, apitest.Options{Store: o})
}

func newWorldOf(t testing.TB, o apitest.Options) *world {
	t.Helper()
	w := &world{people: map[parley.Token]parley.UserID{}, passwords: map[parley.UserID]string{}}
	o.FetchKeys = w.keySet
	w.issuer = openidtest.New(t, func() time.Time { return w.Now() })
	o.OpenID = w.issuer.Options()
	o.Connect = func(made *apitest.World) map[parley.Driver]chatapp.Connector {
		w.network = chatapptest.NewWorld(made.Now)
		w.driver = w.network.Driver("here", made.Store)
		return map[parley.Driver]chatapp.Connector{parley.DriverSandbox: made.Sandbox(), parley.DriverWhatsApp: w.driver}
	}
	w.World = apitest.New(t, o)
	w.Sign = func(r *http.Request) { apitest.SignSession(r, w.Owner) }
	w.people[w.Owner] = w.Home.Owner.ID
	w.passwords[w.Home.Owner.ID] = w.Home.OwnerPassword
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { w.Dashboard.RunPairingNews(ctx) })
	t.Cleanup(func() {
		w.Dashboard.Settle()
		w.Numbers.GiveNumbersBack(context.Background())
		stop()
		running.Wait()
	})
	return w
}

// surface is the dashboard's own API, called by new owners of a world, which is
// nil if no request is sent.
func surface(w *world) apitest.Surface {
	s := apitest.Surface{
		Prefix: "/v1/dashboard/", Cheap: "/v1/dashboard/labels",
		// A stream of a remembered session asks first for a connection to take over,
		// which a recorder has not, a request for a new password is answered first, and the
		// documents are part of the binary.
		Storeless:  []string{"setPresence", "forgotPassword", "streamEvents", "getDashboardOpenapiJson", "getDashboardOpenapiYaml"},
		Remembered: []string{"previewArticle"},
	}
	for _, r := range dashboard.Routes() {
		s.Rows = append(s.Rows, apitest.Row{Operation: r.Operation, Method: r.Method, Path: r.Path, Open: r.Open, Role: r.Role})
	}
	s.Good = func(t *testing.T, row apitest.Row) (apitest.Request, int) {
		sample, ok := samples(w)[row.Operation]
		if !ok {
			t.Fatalf("the operation %s has no row in samples", row.Operation)
		}
		good := sample()
		_, token := w.member(parley.Owner) // a sample may sign its sender out
		return w.request(row.Method, good, token), good.Status
	}
	return s
}

// request is a sample sent by a signed-in member, or apitest.None. In its path
// and body {session} stands for another session of the member's, {me} for the member's id, {password} for the password, {macro}, {view} and {bulk}
// for a macro, a view and a bulk job that has ended of the member's own; without a session it is the owner.
func (w *world) request(method string, sample apitest.Sample, session parley.Token) apitest.Request {
	me, ok := w.people[session]
	if !ok {
		me = w.Home.Owner.ID
	}
	if before, after, asked := strings.Cut(sample.Path, "{bulk}"); asked {
		sample.Path = before + w.bulkOf(me) + after
	}
	if before, after, asked := strings.Cut(sample.Path, "{view}"); asked {
		sample.Path = before + w.viewOf(me) + after
	}
	if before, after, asked := strings.Cut(sample.Path, "{macro}"); asked {
		sample.Path = before + w.macroOf(me) + after
	}
	if before, after, asked := strings.Cut(sample.Path, "{session}"); asked {
		in, _, err := w.Access.StartSession(w.T.Context(), w.By(), me, "another browser")
		if err != nil {
			w.T.Fatal(err)
		}
		sample.Path = before + in.Session.ID.String() + after
	}
	own := strings.NewReplacer("{me}", string(me), "{password}", w.passwords[me])
	r := apitest.Request{Method: method, Path: own.Replace(sample.Path), Body: w.factorsIn(me, own.Replace(sample.Body)), Session: session}
	if sample.Type != "" {
		r.Header = http.Header{"Content-Type": {sample.Type}}
	}
	if sample.Cookie != "" {
		r.Header = http.Header{"Cookie": {sample.Cookie + "; " + httpjson.SessionCookie + "=" + string(session)}}
	}
	return r
}

// keySet simulates the servers of companies that publish keys.
func (w *world) keySet(_ context.Context, address string) ([]byte, error) {
	set, ok := w.keySets[address]
	if !ok {
		return nil, errors.New("nobody is there")
	}
	return []byte(set), nil
}

// signIn starts a session of a member.
func (w *world) signIn(member parley.UserID) parley.Token {
	w.T.Helper()
	token := w.SignIn(member)
	w.people[token] = member
	return token
}

// member creates a member with a role and returns it with a session.
func (w *world) member(role parley.Role) (parley.Member, parley.Token) {
	w.T.Helper()
	email := fmt.Sprintf("%s%d@home.example", role, w.Tick())
	m, password, err := w.Access.CreateMember(w.T.Context(), w.By(), access.NewMember{Email: email, Name: "The " + string(role), Role: role})
	if err != nil {
		w.T.Fatal(err)
	}
	w.passwords[m.ID] = password
	return m, w.signIn(m.ID)
}
