// Package widget is the chat widget: /v1/widget, what it asks for in the name of
// the customer in front of it, and its pages. One table of routes (routes.go),
// one thin handler per operation, in files by noun. A handler reads its inputs,
// calls one verb of the desk, and renders the result. What every operation
// shares (sessions, throttles, the order of checks) is in this file.
//
// It imports the vocabulary, the API's documents, the desk, customers, the JSON
// shapes, live, httpjson and the
// serving of embedded files.
package widget

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"

	"parley"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/live"
	"parley/internal/wire"
)

// maxKey is the most characters of an Idempotency-Key, as in the public API.
const maxKey = 200

// Options are what the API works with.
type Options struct {
	Desk      *desk.Desk
	Customers *customers.Service
	Live      *live.Hub
	Clock     parley.Clock
	Log       *slog.Logger
	Clients   *httpjson.Clients
	// UploadedAnHour is how many bytes may arrive from a network address in an
	// hour; 0 for 256 MiB, or two of the largest files where that is more.
	UploadedAnHour int64
	// Requests are what an address may ask for; the zero value is RequestLimits.
	Requests httpjson.AddressLimits
	Turns    *httpjson.Turns // of those who read
}

// An API answers requests under /v1/widget.
type API struct {
	desk      *desk.Desk
	customers *customers.Service
	live      *live.Hub
	log       *slog.Logger
	clients   *httpjson.Clients
	limits    *limits
	requests  *httpjson.AddressLimiter
	turns     *httpjson.Turns
}

// New returns an API.
func New(o Options) *API {
	return &API{
		desk: o.Desk, customers: o.Customers, live: o.Live, log: o.Log, clients: o.Clients, limits: newLimits(&o), turns: o.Turns,
		requests: httpjson.NewAddressLimiter(httpjson.AddressLimiterOptions{
			Limits: cmp.Or(o.Requests, RequestLimits()), Clock: o.Clock, Log: o.Log, Clients: o.Clients,
		}),
	}
}

// Limited counts what a handler is asked for together with the requests of the
// API, by network address.
func (a *API) Limited(next http.Handler) http.Handler { return a.requests.Wrap(next) }

// Handler returns the handler of all routes.
func (a *API) Handler() http.Handler {
	var routes []httpjson.Route
	for _, route := range Routes() {
		routes = append(routes, httpjson.Route{Method: route.Method, Path: route.Path, Handler: a.handler(route)})
	}
	return a.Limited(httpjson.CleanPaths(a.preflighted(httpjson.NewMux(routes))))
}

// A call is one request on its way through the API.
type call struct {
	*httpjson.Reader
	turns   *httpjson.Turns
	session parley.CustomerSession // zero on an open route
	page    page
	writer  http.ResponseWriter
	leave   func() // ends that the request is under way for its session
}

func (c *call) context() context.Context { return c.Request().Context() }

func (a *API) handler(route Route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &call{turns: a.turns, writer: w, leave: func() {}}
		defer func() { c.leave() }() // after the answer is written
		reply, err := a.answer(c, r, route)
		if err != nil {
			httpjson.WriteError(w, r, a.log, err)
			return
		}
		if reply.Status != streamed {
			reply.Write(w)
		}
	})
}

// streamed is the status of a reply that has been written already.
const streamed = 0

// answer checks in the order 401, 403, 429, 400, 404: who has no session learns
// nothing of what exists. An address that asks for too much got 429 before.
func (a *API) answer(c *call, r *http.Request, route Route) (httpjson.Reply, error) {
	var err error
	if c.page, err = a.arrive(c.writer, r); err != nil {
		return httpjson.Reply{}, err
	}
	if !route.Open {
		s, err := a.customers.AuthenticateCustomer(r.Context(), token(r))
		if err != nil {
			return httpjson.Reply{}, err
		}
		leave, err := a.limits.underWay.Enter(s.ID, underWayOfSession)
		if err != nil {
			return httpjson.Reply{}, err
		}
		c.session, c.leave = s, leave
	}
	// An open route may be about any inbox that lists the page, which its handler
	// finds out.
	if !route.Open || len(c.page.inboxes) == 0 {
		if err := c.page.enter(c.session.InboxID); err != nil {
			return httpjson.Reply{}, err
		}
	}
	if err := a.throttled(c, r, route.Throttle); err != nil {
		return httpjson.Reply{}, err
	}
	c.Reader = httpjson.NewReader(r)
	c.Prefer(c.writer.Header())
	reply, err := route.handle(a, c)
	if err == nil {
		httpjson.SetIgnored(c.writer.Header(), c.Ignored())
		reply.Body = wire.SignFiles(reply.Body, a.desk.FileSigner(c.session.Workspace))
	}
	return reply, err
}

// token returns the token of the request's session, "" where there is none.
func token(r *http.Request) parley.Token {
	text, ok := httpjson.BearerToken(r)
	if !ok {
		return ""
	}
	return parley.Token(text)
}

// once makes a verb take effect once for the request's Idempotency-Key, nil
// without one. A key is the customer's own: another customer's is another key.
func once[T any](c *call, render func(T) httpjson.Reply) *desk.Once {
	key := c.IdempotencyKey(maxKey)
	if key == "" {
		return nil
	}
	r := c.Request()
	return &desk.Once{
		Route: r.Method + " " + r.URL.Path + " of " + c.session.ContactID.String(), Key: key, BodyHash: c.BodyHash(),
		Contact: c.session.ContactID,
		Render: func(result any) (int, []byte) {
			reply := render(result.(T)) // the verb's own result
			return reply.Status, reply.Body
		},
	}
}

// do calls a verb that changes something and renders its result. It asks for
// what is wrong with the inputs first. Of a verb that was answered before under
// the same Idempotency-Key the answer is returned again.
func do[T any](c *call, render func(T) httpjson.Reply, verb func(context.Context) (T, error)) (httpjson.Reply, error) {
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	result, err := verb(c.context())
	var replay *desk.Replay
	if errors.As(err, &replay) {
		return httpjson.Reply{
			Status: replay.Status, Body: replay.Body, Header: http.Header{"Idempotent-Replayed": {"true"}},
		}, nil
	}
	if err != nil {
		return httpjson.Reply{}, err
	}
	return render(result), nil
}

// get calls a verb that only reads, after asking for what is wrong with the
// inputs.
func get[T any](c *call, render func(T) []byte, verb func(context.Context) (T, error)) (httpjson.Reply, error) {
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	ctx, at := desk.WithPosition(c.context(), c.session.Workspace)
	result, err := httpjson.InTurn(ctx, c.turns, httpjson.Asker{Workspace: c.session.Workspace, Credential: c.session.ID}, verb)
	if err != nil {
		return httpjson.Reply{}, err
	}
	c.writer.Header().Set(httpjson.PositionHeader, at().String())
	return httpjson.OK(render(result)), nil
}
