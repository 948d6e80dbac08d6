// Package dashboard is /v1/dashboard: what the dashboard needs besides the
// public API, which it uses under a session. It is one table of routes
// (routes.go) and one thin handler per operation, in files by noun. A handler
// reads its inputs, calls one verb and renders the result. This file has what
// all operations share: sessions, roles, the order of checks.
//
// It imports the vocabulary, the desk and the packages over it, the JSON
// shapes, live, the frame of a surface and httpjson.
package dashboard

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/access/openid"
	"parley/internal/assist"
	"parley/internal/audit"
	"parley/internal/audit/entry"
	"parley/internal/bot/simulating"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/erasure"
	"parley/internal/httpjson"
	"parley/internal/knowledge"
	"parley/internal/knowledge/answers"
	"parley/internal/live"
	"parley/internal/merging"
	"parley/internal/numbers"
	"parley/internal/providers"
	"parley/internal/search"
	"parley/internal/settings"
	"parley/internal/surface"
)

// Options configure a Dashboard.
type Options struct {
	Desk   *desk.Desk
	Access *access.Service
	// OpenID reaches the providers by which members sign in, and PublicURL is the address of
	// this server, to which they send browsers back; "" if it is unknown.
	OpenID     *openid.Network
	PublicURL  string
	Audit      *audit.Service
	Numbers    *numbers.Service
	Customers  *customers.Service
	Merging    *merging.Service
	Search     *search.Service
	Settings   *settings.Service
	Knowledge  *knowledge.Service
	Answers    *answers.Service
	Recorder   *knowledge.Recorder // counts what members looked for and did not find
	Erasure    *erasure.Service
	Providers  *providers.Service
	Assist     *assist.Service
	Simulating *simulating.Service
	Work       Work
	Live       *live.Hub
	Clock      parley.Clock
	Log        *slog.Logger
	Sunset     time.Time // of the stores routes
	Clients    *httpjson.Clients
	// Open counts the requests of routes that need no session.
	Open  *httpjson.AddressLimiter
	Turns *httpjson.Turns // of callers that read
	// Measure is told of each answer; nil: nobody is.
	Measure surface.Measure
}

// A Dashboard answers requests under /v1/dashboard.
type Dashboard struct {
	desk       *desk.Desk
	access     *access.Service
	signIns    access.SignInProviders
	audit      *audit.Service
	numbers    *numbers.Service
	customers  *customers.Service
	merging    *merging.Service
	searcher   *search.Service
	settings   *settings.Service
	knowledge  *knowledge.Service
	answers    *answers.Service
	recorder   *knowledge.Recorder
	erasure    *erasure.Service
	providers  *providers.Service
	assist     *assist.Service
	simulating *simulating.Service
	work       Work
	live       *live.Hub
	clock      parley.Clock
	frame      surface.Frame
	sunset     time.Time
	clients    *httpjson.Clients
	arriving   httpjson.InFlight[parley.ID] // incoming pictures, by session
	log        *slog.Logger
	forgotten  sync.WaitGroup // requests for new passwords
}

// New returns a Dashboard.
func New(o Options) *Dashboard {
	return &Dashboard{
		desk: o.Desk, access: o.Access, signIns: newSignIns(o), audit: o.Audit, numbers: o.Numbers, customers: o.Customers, merging: o.Merging, searcher: o.Search, settings: o.Settings, knowledge: o.Knowledge, answers: o.Answers, recorder: o.Recorder, erasure: o.Erasure, providers: o.Providers, assist: o.Assist, simulating: o.Simulating, work: o.Work, log: o.Log,
		live: o.Live, clock: o.Clock, sunset: o.Sunset, clients: o.Clients,
		frame: surface.Frame{Desk: o.Desk, Live: o.Live, Log: o.Log, Turns: o.Turns, Open: o.Open, Measure: o.Measure},
	}
}

// Handler returns the handler for all routes.
func (d *Dashboard) Handler() http.Handler {
	var routes []surface.Route
	for _, route := range Routes() {
		routes = append(routes, surface.Route{
			Operation: route.Operation, Method: route.Method, Path: route.Path, Open: route.Open,
			Answer: func(c *surface.Call) (httpjson.Reply, error) { return d.answer(c, route) },
		})
	}
	return httpjson.CleanPaths(d.frame.Mux(routes))
}

// A call is one request to the dashboard.
type call struct {
	*surface.Call
	in    access.SignedIn // zero on an open route
	role  parley.Role     // the lowest role that the route admits
	proof access.Proof    // see desk.Caller
	// address is the client's network address, "" if unknown.
	address string
}

func (c *call) ws() parley.WorkspaceID { return c.in.Session.Workspace }

func (c *call) by() desk.Caller {
	return desk.Caller{
		Workspace: c.ws(), Actor: parley.MemberActor(&c.in.Member), Member: c.in.Member.ID, Role: c.role, Sight: c.in.Sight,
		Client: entry.Client{Address: c.address, UserAgent: c.Request().UserAgent()}, Proof: c.proof,
	}
}

func (c *call) visibility() parley.Visibility { return c.by().Visibility() }

// answer checks in the order 401, 403, 400, 404, so a member without the role
// learns nothing about what exists.
func (d *Dashboard) answer(base *surface.Call, route Route) (httpjson.Reply, error) {
	r := base.Request()
	c := &call{Call: base, address: d.clients.Address(r), role: route.Role}
	if err := admit(d, c, route); err != nil {
		return httpjson.Reply{}, err
	}
	return c.HandleMember(func() error {
		d.access.ForgetSessions()
		return admit(d, c, route)
	}, func() (httpjson.Reply, error) { return route.handle(d, c) })
}

// admit admits a member who has the role of the route, and anybody to an open route.
func admit(d *Dashboard, c *call, route Route) error {
	r := c.Request()
	if !route.Open {
		in, err := d.access.AuthenticateSession(r.Context(), httpjson.SessionToken(r))
		if err != nil {
			return err
		}
		c.in, c.Viewer = in, in.Viewer()
		c.Asker = httpjson.Asker{Workspace: in.Session.Workspace, Credential: in.Session.ID}
	}
	if err := httpjson.SameSite(r); err != nil {
		return err
	}
	if !route.Open && !c.in.Member.Role.Includes(route.Role) {
		return parley.Errorf(parley.Forbidden, "your role is %s; this needs %s", c.in.Member.Role, route.Role)
	}
	if route.Open {
		return nil
	}
	return demand(d, c, route.Demand())
}

// demand refuses a call whose session does not meet a demand, now and again in the
// transaction of the change.
func demand(d *Dashboard, c *call, what access.Demand) error {
	c.proof = confirmations(d).Proof(&c.in.Session, what)
	return confirmations(d).Prove(c.Request().Context(), &c.in.Session, what)
}

// do calls a verb that changes something; see [surface.Do].
func do[T any](c *call, render func(T) httpjson.Reply, verb func(context.Context, desk.Caller) (T, error)) (httpjson.Reply, error) {
	return surface.Do(c.Call, nil, render, func(ctx context.Context, _ *desk.Once) (T, error) { return verb(ctx, c.by()) })
}

// get answers with the result of a read; see [surface.Get].
func get[T any](c *call, render func(T) []byte, read desk.Read[T]) (httpjson.Reply, error) {
	return surface.Get(c.Call, render, read)
}
