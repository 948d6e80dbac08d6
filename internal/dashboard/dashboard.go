// Package dashboard is /v1/dashboard: what only the dashboard needs beside the
// public API, which it uses under a session. One table of routes (routes.go),
// one thin handler per operation, in files by noun. A handler reads its inputs,
// calls one verb of the desk, and renders the result. What every operation
// shares (sessions, roles, the order of checks) is in this file.
//
// It imports the vocabulary, the desk and the packages over it, the JSON shapes,
// live and httpjson.
package dashboard

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/live"
	"parley/internal/numbers"
	"parley/internal/search"
)

// Options are what the dashboard works with.
type Options struct {
	Desk      *desk.Desk
	Access    *access.Service
	Numbers   *numbers.Service
	Customers *customers.Service
	Search    *search.Service
	Live      *live.Hub
	Clock     parley.Clock
	Log       *slog.Logger
	Sunset    time.Time // of the stores routes
	Clients   *httpjson.Clients
	// Open counts the requests of routes that need no session.
	Open  *httpjson.AddressLimiter
	Turns *httpjson.Turns // of those who read
}

// A Dashboard answers requests under /v1/dashboard.
type Dashboard struct {
	desk      *desk.Desk
	access    *access.Service
	numbers   *numbers.Service
	customers *customers.Service
	searcher  *search.Service
	live      *live.Hub
	clock     parley.Clock
	log       *slog.Logger
	sunset    time.Time
	clients   *httpjson.Clients
	open      *httpjson.AddressLimiter
	turns     *httpjson.Turns
}

// New returns a Dashboard.
func New(o Options) *Dashboard {
	return &Dashboard{desk: o.Desk, access: o.Access, numbers: o.Numbers, customers: o.Customers, searcher: o.Search, live: o.Live, clock: o.Clock, log: o.Log, sunset: o.Sunset, clients: o.Clients, open: o.Open, turns: o.Turns}
}

// Handler returns the handler of all routes.
func (d *Dashboard) Handler() http.Handler {
	var routes []httpjson.Route
	for _, route := range Routes() {
		routes = append(routes, httpjson.Route{Method: route.Method, Path: route.Path, Handler: d.handler(route)})
	}
	return httpjson.CleanPaths(httpjson.NewMux(routes))
}

// A call is one request on its way through the dashboard.
type call struct {
	*httpjson.Reader
	turns *httpjson.Turns
	in    access.SignedIn // zero on an open route
	role  parley.Role     // the least that the route needs
	// address is the client's on the network, "" if it is not known.
	address string
	header  http.Header // of the answer
	writer  http.ResponseWriter
}

func (c *call) context() context.Context { return c.Request().Context() }

func (c *call) ws() parley.WorkspaceID { return c.in.Session.Workspace }

func (c *call) by() desk.Caller {
	return desk.Caller{Workspace: c.ws(), Actor: parley.MemberActor(&c.in.Member), Member: c.in.Member.ID, Role: c.role, Address: c.address}
}

func (d *Dashboard) handler(route Route) http.Handler {
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reply, err := d.answer(w, r, route)
		if err != nil {
			httpjson.WriteError(w, r, d.log, err)
			return
		}
		if reply.Status != streamed {
			reply.Write(w)
		}
	})
	if route.Open {
		return d.open.Wrap(answer)
	}
	return answer
}

// streamed is the status of a reply that has been written already.
const streamed = 0

// answer checks in the order 401, 403, 400, 404: who may not do something
// learns nothing of what exists.
func (d *Dashboard) answer(w http.ResponseWriter, r *http.Request, route Route) (httpjson.Reply, error) {
	c := &call{turns: d.turns, address: d.clients.Address(r), header: w.Header(), writer: w, role: route.Role}
	if !route.Open {
		in, err := d.access.AuthenticateSession(r.Context(), httpjson.SessionToken(r))
		if err != nil {
			return httpjson.Reply{}, err
		}
		c.in = in
	}
	if err := httpjson.SameSite(r); err != nil {
		return httpjson.Reply{}, err
	}
	if !route.Open && !c.in.Member.Role.Includes(route.Role) {
		return httpjson.Reply{}, parley.Errorf(parley.Forbidden, "your role is %s; this needs %s", c.in.Member.Role, route.Role)
	}
	c.Reader = httpjson.NewReader(r)
	c.Prefer(w.Header())
	reply, err := route.handle(d, c)
	if err == nil {
		httpjson.SetIgnored(w.Header(), c.Ignored())
	}
	return reply, err
}

// do calls a verb that changes something and renders its result. It asks for
// what is wrong with the inputs first.
func do[T any](c *call, render func(T) httpjson.Reply, verb func(context.Context, desk.Caller) (T, error)) (httpjson.Reply, error) {
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	result, err := verb(c.context(), c.by())
	if err != nil {
		return httpjson.Reply{}, err
	}
	return render(result), nil
}

// get calls a verb that only reads, after asking for what is wrong with the
// inputs.
func get[T any](c *call, render func(T) []byte, verb func(context.Context, parley.WorkspaceID) (T, error)) (httpjson.Reply, error) {
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	ctx, at := desk.WithPosition(c.context(), c.ws())
	who := httpjson.Asker{Workspace: c.ws(), Credential: c.in.Session.ID}
	result, err := httpjson.InTurn(ctx, c.turns, who, func(ctx context.Context) (T, error) { return verb(ctx, c.ws()) })
	if err != nil {
		return httpjson.Reply{}, err
	}
	c.header.Set(httpjson.PositionHeader, at().String())
	return httpjson.OK(render(result)), nil
}
