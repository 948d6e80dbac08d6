// Package publicapi is the public REST API under /v1/public: one table of
// routes (routes.go) and one thin handler per operation, in files by noun. A
// handler reads its inputs, calls one verb and renders the result. This file
// has what all operations share: keys, scopes, sessions, the order of checks,
// the headers of the stores routes.
//
// It imports the vocabulary, the desk, access, numbers, knowledge, answers, teams, the JSON shapes, live,
// the frame of a surface, httpjson and the OpenAPI document.
package publicapi

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley"
	"parley/api"
	"parley/internal/access"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/knowledge"
	"parley/internal/knowledge/answers"
	"parley/internal/live"
	"parley/internal/numbers"
	"parley/internal/surface"
	"parley/internal/teams"
)

// StoresSunset is when the routes under /v1/public/stores end (contract,
// section 9), unless the operator moves it.
func StoresSunset() time.Time { return time.Date(2027, time.February, 16, 0, 0, 0, 0, time.UTC) }

// StoresDeprecation is when stores became the old name of companies. The routes
// cannot end before it (RFC 9745, section 4).
func StoresDeprecation() time.Time { return time.Date(2026, time.February, 16, 0, 0, 0, 0, time.UTC) }

// Options configure an API.
type Options struct {
	Desk      *desk.Desk
	Access    *access.Service
	Numbers   *numbers.Service
	Knowledge *knowledge.Service
	Answers   *answers.Service
	Teams     *teams.Service
	Clock     parley.Clock
	Log       *slog.Logger
	Live      *live.Hub       // for the event streams
	Sunset    time.Time       // of the stores routes; see StoresSunset
	Rate      httpjson.Rate   // of each key; zero: no limit
	Turns     *httpjson.Turns // of callers that read
	Clients   *httpjson.Clients
	// Open counts the requests of routes that need no key.
	Open *httpjson.AddressLimiter
	// Measure is told of each answer; nil: nobody is.
	Measure surface.Measure
}

// An API answers requests under /v1/public.
type API struct {
	desk      *desk.Desk
	access    *access.Service
	numbers   *numbers.Service
	knowledge *knowledge.Service
	answers   *answers.Service
	teams     *teams.Service
	clock     parley.Clock
	frame     surface.Frame
	sunset    time.Time
	limiter   *httpjson.Limiter
	clients   *httpjson.Clients
	arriving  httpjson.InFlight[parley.ID] // incoming files, by key or session

	document   api.Document // with the actual sunset
	compressor httpjson.Compressor
}

// New returns an API.
func New(o Options) *API {
	return &API{
		desk: o.Desk, access: o.Access, numbers: o.Numbers, knowledge: o.Knowledge, answers: o.Answers, teams: o.Teams, clock: o.Clock, sunset: o.Sunset, limiter: httpjson.NewLimiter(o.Rate, o.Clock),
		frame:   surface.Frame{Desk: o.Desk, Live: o.Live, Log: o.Log, Turns: o.Turns, Open: o.Open, Measure: o.Measure},
		clients: o.Clients, document: api.PublicUntil(o.Sunset),
	}
}

// Handler returns the handler for all routes.
func (a *API) Handler() http.Handler {
	var routes []surface.Route
	for _, route := range Routes() {
		routes = append(routes, surface.Route{
			Operation: route.Operation, Method: route.Method, Path: route.Path, Open: route.Open,
			Answer: func(c *surface.Call) (httpjson.Reply, error) { return a.answer(c, route) },
		})
	}
	return a.stores(httpjson.CleanPaths(a.frame.Mux(routes)))
}

// A call is one request to the API.
type call struct {
	*surface.Call
	ws         parley.WorkspaceID
	member     parley.UserID // the signed-in member; "" for a key
	sight      parley.Sight  // of the member
	actor      parley.Actor
	credential parley.Credential
	until      time.Time    // the end of the credential; zero: never
	proof      access.Proof // of a member's session; see desk.Caller
	address    string       // the client's network address, "" if unknown
	stores     bool         // before the sunset: storeId and the older scopes are valid
}

func (c *call) by() desk.Caller {
	return desk.Caller{
		Workspace: c.ws, Actor: c.actor, Member: c.member, Role: parley.Agent, Sight: c.sight,
		Client: entry.Client{Address: c.address, UserAgent: c.Request().UserAgent()}, Proof: c.proof,
	}
}

func (c *call) visibility() parley.Visibility { return c.by().Visibility() }

// answer checks in the order 401, 403, 400, 404, so a caller without the scope
// learns nothing about what exists.
func (a *API) answer(base *surface.Call, route Route) (httpjson.Reply, error) {
	r := base.Request()
	c := &call{Call: base, address: a.clients.Address(r), stores: a.clock.Now().Before(a.sunset)}
	if !route.Open {
		admit := a.admitKey
		if len(r.Header.Values("Authorization")) == 0 && httpjson.SessionToken(r) != "" {
			admit = a.admitMember
		}
		if err := admit(c, r, route); err != nil {
			return httpjson.Reply{}, err
		}
		c.Asker = httpjson.Asker{Workspace: c.ws, Credential: c.credential.ID}
	}
	reply, err := c.HandleMember(func() error {
		a.access.ForgetSessions()
		return a.admitMember(c, r, route)
	}, func() (httpjson.Reply, error) { return route.handle(a, c) })
	if err == nil && c.member == "" { // answers to browsers are not compressed, because other sites can trigger them
		reply = a.compressor.Reply(r, reply)
	}
	return reply, err
}

// admitKey admits a key that has the required scopes.
func (a *API) admitKey(c *call, r *http.Request, route Route) error {
	key, err := a.authenticate(r)
	if err != nil {
		return err
	}
	if strings.HasPrefix(route.Path, storesPath) {
		a.access.CountStoresCall(key) // owners want to see which callers still use them
	}
	if err := a.limiter.Take(c.Writer.Header(), key.ID); err != nil {
		return err
	}
	if err := route.permit(key, c.stores); err != nil {
		return err
	}
	c.ws, c.actor = key.Workspace, parley.KeyActor(&key)
	c.credential, c.until = parley.NewKeyCredential(&key), key.ExpiresAt
	return nil
}

// adminOperations are those that a member may use only as an admin, as on the
// pages of the dashboard. Keys are made by admins.
var adminOperations = []string{"saveHelpCenter", "deleteHelpCenter"}

// confirmedOperations are those that need a confirmed session of a member, because they
// delete for good what members wrote (ADR 105).
var confirmedOperations = []string{"deleteArticle", "deleteArticleText"}

// admitMember admits a signed-in member, who has every scope and no rate limit.
// A browser sends the session along with any request of a page, so requests of
// other sites must not change anything.
func (a *API) admitMember(c *call, r *http.Request, route Route) error {
	in, err := a.access.AuthenticateSession(r.Context(), httpjson.SessionToken(r))
	if err != nil {
		return err
	}
	if err := httpjson.SameSite(r); err != nil {
		return err
	}
	if slices.Contains(adminOperations, route.Operation) && !in.Member.Role.Includes(parley.Admin) {
		return parley.Errorf(parley.Forbidden, "your role is %s; this needs %s", in.Member.Role, parley.Admin)
	}
	c.ws, c.member, c.actor = in.Session.Workspace, in.Member.ID, parley.MemberActor(&in.Member)
	c.credential, c.until, c.sight = in.Credential(), in.Session.ExpiresAt, in.Sight
	c.Viewer = in.Viewer() // the dashboard continues from there with the stream
	if !slices.Contains(confirmedOperations, route.Operation) {
		return nil
	}
	confirmations := access.Confirmations{Service: a.access}
	c.proof = confirmations.Proof(&in.Session, access.Confirmation)
	return confirmations.Prove(r.Context(), &in.Session, access.Confirmation)
}

func (a *API) authenticate(r *http.Request) (parley.Key, error) {
	secret, ok := httpjson.BearerToken(r)
	if !ok {
		return parley.Key{}, parley.FieldErrorf(parley.Unauthenticated, "Authorization", "must be Bearer and an API key")
	}
	return a.access.Authenticate(r.Context(), parley.Secret(secret))
}

// stores adds the deprecation headers to every response under /v1/public/stores
// (contract, section 9), and ends these routes at the sunset.
func (a *API) stores(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rest, ok := strings.CutPrefix(r.URL.Path, storesPath)
		if !ok || rest != "" && rest[0] != '/' {
			next.ServeHTTP(w, r)
			return
		}
		h := w.Header()
		h.Set("Deprecation", "@"+strconv.FormatInt(StoresDeprecation().Unix(), 10))
		h.Set("Sunset", a.sunset.UTC().Format(http.TimeFormat))
		h.Set("Link", `</docs/deprecations/stores>; rel="deprecation"`)
		if !a.clock.Now().Before(a.sunset) {
			httpjson.WriteError(w, r, a.frame.Log, parley.Errorf(parley.Gone,
				"the routes under %s ended at %s; use %s", storesPath, a.sunset.UTC().Format(time.RFC3339), companiesPath+rest))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// do calls a verb that changes something; see [surface.Do]. Every POST accepts
// an Idempotency-Key.
func do[T any](c *call, render func(T) httpjson.Reply, verb func(context.Context, desk.Caller) (T, error)) (httpjson.Reply, error) {
	var name *surface.Name
	if r := c.Request(); r.Method == http.MethodPost {
		name = &surface.Name{Route: r.Method + " " + onceRoute(r.URL.Path)}
	}
	return surface.Do(c.Call, name, render, func(ctx context.Context, once *desk.Once) (T, error) {
		by := c.by()
		by.Once = once
		return verb(ctx, by)
	})
}

// onceRoute returns the address to which an Idempotency-Key belongs: stores are
// the old name of companies.
func onceRoute(path string) string {
	if rest, ok := strings.CutPrefix(path, storesPath); ok {
		return companiesPath + rest
	}
	return path
}

// get answers with the result of a read; see [surface.Get].
func get[T any](c *call, render func(T) []byte, read desk.Read[T]) (httpjson.Reply, error) {
	return surface.Get(c.Call, render, read)
}
