// Package widget is the chat widget: /v1/widget, the API that it uses on behalf
// of the customer in front of it, and its pages. It is one table of routes
// (routes.go) and one thin handler per operation, in files by noun. A handler
// reads its inputs, calls one verb and renders the result. This file has what
// all operations share: sessions, throttles, the order of checks.
//
// It imports the vocabulary, the API's documents, the desk, customers, articles
// and their search, the JSON shapes, live, the frame of a surface, httpjson, a
// cache, the room on the disks, and the serving of embedded files.
package widget

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"time"

	"parley"
	"parley/internal/cache"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/diskspace"
	"parley/internal/httpjson"
	"parley/internal/knowledge"
	"parley/internal/knowledge/answers"
	"parley/internal/live"
	"parley/internal/surface"
	"parley/internal/visitors"
)

// Options configure an API.
type Options struct {
	Desk      *desk.Desk
	Customers *customers.Service
	Visitors  *visitors.Service
	Knowledge *knowledge.Service
	Answers   *answers.Service
	Recorder  *knowledge.Recorder
	Live      *live.Hub
	Clock     parley.Clock
	Log       *slog.Logger
	Clients   *httpjson.Clients
	// UploadedAnHour is how many bytes may arrive from a network address in an
	// hour; 0 means 256 MiB, or two of the largest files if that is more.
	UploadedAnHour int64
	// Requests are the limits of one address; the zero value means
	// RequestLimits.
	Requests httpjson.AddressLimits
	Turns    *httpjson.Turns // of callers that read
	// Measure is told of each answer; nil: nobody is.
	Measure surface.Measure
	// Space refuses what visitors would store while a disk is short of room; nil: never.
	Space *diskspace.Guard
}

// An API answers requests under /v1/widget.
type API struct {
	desk      *desk.Desk
	customers *customers.Service
	visitors  *visitors.Service
	knowledge *knowledge.Service
	answers   *answers.Service
	recorder  *knowledge.Recorder
	stocked   *cache.Cache[stocked] // by inbox
	live      *live.Hub
	clock     parley.Clock
	frame     surface.Frame
	clients   *httpjson.Clients
	limits    *limits
	requests  *httpjson.AddressLimiter
	space     *diskspace.Guard
}

// New returns an API.
func New(o Options) *API {
	return &API{
		desk: o.Desk, customers: o.Customers, visitors: o.Visitors, knowledge: o.Knowledge, answers: o.Answers, recorder: o.Recorder,
		stocked: cache.New[stocked](time.Now), live: o.Live, clock: o.Clock, clients: o.Clients, limits: newLimits(&o), space: o.Space,
		frame: surface.Frame{Desk: o.Desk, Live: o.Live, Log: o.Log, Turns: o.Turns, Measure: o.Measure},
		requests: httpjson.NewAddressLimiter(httpjson.AddressLimiterOptions{
			Limits: cmp.Or(o.Requests, RequestLimits()), Clock: o.Clock, Log: o.Log, Clients: o.Clients,
		}),
	}
}

// Limited counts a handler's requests by network address, together with those
// of the API.
func (a *API) Limited(next http.Handler) http.Handler { return a.requests.Wrap(next) }

// Handler returns the handler for all routes.
func (a *API) Handler() http.Handler {
	var routes []surface.Route
	for _, route := range Routes() {
		routes = append(routes, surface.Route{
			Operation: route.Operation, Method: route.Method, Path: route.Path,
			Answer: func(c *surface.Call) (httpjson.Reply, error) { return a.answer(c, route) },
		})
	}
	return a.Limited(httpjson.CleanPaths(a.preflighted(a.frame.Mux(routes))))
}

// A call is one request to the API. The addresses of files are signed in every
// answer to a session. No answer contains custom attributes, in which an agent
// could have written such an address.
type call struct {
	*surface.Call
	session parley.CustomerSession // zero on an open route
	page    page
}

// answer checks in the order 401, 403, 429, 503 for a full disk, 400, 404, so a caller
// without a session learns nothing about what exists. An address over its limits got
// 429 before.
func (a *API) answer(base *surface.Call, route Route) (httpjson.Reply, error) {
	c, r := &call{Call: base}, base.Request()
	var err error
	if c.page, err = a.arrive(c.Writer, r); err != nil {
		return httpjson.Reply{}, err
	}
	if !route.Open {
		s, err := a.customers.AuthenticateCustomer(r.Context(), token(r))
		if err != nil {
			return httpjson.Reply{}, err
		}
		if c.Left, err = a.limits.underWay.Enter(s.ID, underWayOfSession); err != nil {
			return httpjson.Reply{}, err
		}
		c.session, c.Viewer, c.Files = s, desk.Viewer{Workspace: s.Workspace}, true
		c.Asker = httpjson.Asker{Workspace: s.Workspace, Credential: s.ID}
	}
	// An open route may concern any inbox that lists the page; its handler
	// finds out which.
	if !route.Open || len(c.page.inboxes) == 0 {
		if err := c.page.enter(c.session.InboxID); err != nil {
			return httpjson.Reply{}, err
		}
	}
	if err := a.throttled(c, r, route.Throttle); err != nil {
		return httpjson.Reply{}, err
	}
	if route.Throttle.stores() {
		if err := a.space.ForVisitors(); err != nil {
			return httpjson.Reply{}, err
		}
	}
	return c.Handle(func() (httpjson.Reply, error) { return route.handle(a, c) })
}

// token returns the token of the request's session, or "".
func token(r *http.Request) parley.Token {
	text, ok := httpjson.BearerToken(r)
	if !ok {
		return ""
	}
	return parley.Token(text)
}

// do calls a verb that changes something; see [surface.Do].
func do[T any](c *call, render func(T) httpjson.Reply, verb func(context.Context) (T, error)) (httpjson.Reply, error) {
	return surface.Do(c.Call, nil, render, func(ctx context.Context, _ *desk.Once) (T, error) { return verb(ctx) })
}

// doOnce is do for operations that accept an Idempotency-Key. Keys of different
// customers are different, even if their texts are equal.
func doOnce[T any](c *call, render func(T) httpjson.Reply, verb func(context.Context, *desk.Once) (T, error)) (httpjson.Reply, error) {
	r, customer := c.Request(), c.session.ContactID
	name := &surface.Name{Route: r.Method + " " + r.URL.Path + " of " + customer.String(), Contact: customer}
	return surface.Do(c.Call, name, render, verb)
}

// get answers with the result of a read; see [surface.Get].
func get[T any](c *call, render func(T) []byte, read desk.Read[T]) (httpjson.Reply, error) {
	return surface.Get(c.Call, render, read)
}
