// Package publicapi is the public REST API under /v1/public: one table of
// routes (routes.go), one thin handler per operation, in files by noun. A
// handler reads its inputs, calls one verb of the desk, and renders the
// result. What every operation shares (keys, scopes, sessions, the order of
// checks, stores' headers, idempotency) is in this file.
//
// It imports the vocabulary, the desk, access, numbers, the JSON shapes, live, httpjson and the
// OpenAPI document.
package publicapi

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"parley"
	"parley/api"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/live"
	"parley/internal/numbers"
)

// maxKey is the most characters of an Idempotency-Key (contract, section 8).
const maxKey = 200

// StoresSunset is when the routes under /v1/public/stores end (contract,
// section 9), unless the operator moves it.
func StoresSunset() time.Time { return time.Date(2027, time.February, 16, 0, 0, 0, 0, time.UTC) }

// StoresDeprecation is when stores became the old name of companies. They cannot
// end before (RFC 9745, section 4).
func StoresDeprecation() time.Time { return time.Date(2026, time.February, 16, 0, 0, 0, 0, time.UTC) }

// Options are what the API works with.
type Options struct {
	Desk    *desk.Desk
	Access  *access.Service
	Numbers *numbers.Service
	Clock   parley.Clock
	Log     *slog.Logger
	Live    *live.Hub       // of the event streams
	Sunset  time.Time       // of the stores routes; see StoresSunset
	Rate    httpjson.Rate   // of each key; zero for none
	Turns   *httpjson.Turns // of those who read
	Clients *httpjson.Clients
	// Open counts the requests of routes that need no key.
	Open *httpjson.AddressLimiter
}

// An API answers requests under /v1/public.
type API struct {
	desk     *desk.Desk
	access   *access.Service
	numbers  *numbers.Service
	clock    parley.Clock
	log      *slog.Logger
	live     *live.Hub
	sunset   time.Time
	limiter  *httpjson.Limiter
	turns    *httpjson.Turns
	clients  *httpjson.Clients
	open     *httpjson.AddressLimiter
	arriving httpjson.InFlight[parley.ID] // files, by key or session

	document   api.Document // with the sunset that holds
	compressor httpjson.Compressor
}

// New returns an API.
func New(o Options) *API {
	return &API{
		desk: o.Desk, access: o.Access, numbers: o.Numbers, clock: o.Clock, log: o.Log, live: o.Live, sunset: o.Sunset, limiter: httpjson.NewLimiter(o.Rate, o.Clock),
		turns: o.Turns, clients: o.Clients, open: o.Open, document: api.PublicUntil(o.Sunset),
	}
}

// Handler returns the handler of all routes.
func (a *API) Handler() http.Handler {
	var routes []httpjson.Route
	for _, route := range Routes() {
		routes = append(routes, httpjson.Route{Method: route.Method, Path: route.Path, Handler: a.handler(route)})
	}
	return a.stores(httpjson.CleanPaths(httpjson.NewMux(routes)))
}

// A call is one request on its way through the API.
type call struct {
	*httpjson.Reader
	turns  *httpjson.Turns
	ws     parley.WorkspaceID
	member parley.UserID // who is signed in; "" for a key
	actor  parley.Actor
	stores bool // storeId and the older scopes still hold

	// For a stream:
	writer     http.ResponseWriter
	credential parley.Credential // also of one who waits for a turn
	until      time.Time         // when the credential ends; zero: never
}

func (c *call) context() context.Context { return c.Request().Context() }

func (c *call) by() desk.Caller {
	return desk.Caller{Workspace: c.ws, Actor: c.actor, Member: c.member, Role: parley.Agent}
}

func (a *API) handler(route Route) http.Handler {
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reply, err := a.answer(w, r, route)
		if err != nil {
			httpjson.WriteError(w, r, a.log, err)
			return
		}
		if reply.Status != streamed {
			reply.Write(w)
		}
	})
	if route.Open {
		return a.open.Wrap(answer)
	}
	return answer
}

// streamed is the status of a reply that has been written already.
const streamed = 0

// answer checks in the order 401, 403, 400, 404: a caller without the scope
// learns nothing of what exists.
func (a *API) answer(w http.ResponseWriter, r *http.Request, route Route) (httpjson.Reply, error) {
	c := &call{turns: a.turns, stores: a.clock.Now().Before(a.sunset), writer: w}
	if !route.Open {
		admit := a.admitKey
		if len(r.Header.Values("Authorization")) == 0 && httpjson.SessionToken(r) != "" {
			admit = a.admitMember
		}
		if err := admit(c, r, route); err != nil {
			return httpjson.Reply{}, err
		}
	}
	c.Reader = httpjson.NewReader(r)
	c.Prefer(w.Header())
	reply, err := route.handle(a, c)
	if err != nil {
		return reply, err
	}
	httpjson.SetIgnored(w.Header(), c.Ignored())
	if c.member == "" { // a browser's answers stay as they are, for other pages can make it ask
		reply = a.compressor.Reply(r, reply)
	}
	return reply, nil
}

// admitKey lets a key in that holds the scopes.
func (a *API) admitKey(c *call, r *http.Request, route Route) error {
	key, err := a.authenticate(r)
	if err != nil {
		return err
	}
	if strings.HasPrefix(route.Path, storesPath) {
		a.access.CountStoresCall(key) // an owner wants to know who must still change over
	}
	if err := a.limiter.Take(c.writer.Header(), key.ID); err != nil {
		return err
	}
	if err := route.permit(key, c.stores); err != nil {
		return err
	}
	c.ws, c.actor = key.Workspace, parley.KeyActor(&key)
	c.credential, c.until = parley.NewKeyCredential(&key), key.ExpiresAt
	return nil
}

// admitMember lets a member in who is signed in, with every scope and without a
// rate. A browser sends the session along with whatever a page asks for, so
// the pages of other sites are kept from changing anything.
func (a *API) admitMember(c *call, r *http.Request, _ Route) error {
	in, err := a.access.AuthenticateSession(r.Context(), httpjson.SessionToken(r))
	if err != nil {
		return err
	}
	if err := httpjson.SameSite(r); err != nil {
		return err
	}
	c.ws, c.member, c.actor = in.Session.Workspace, in.Member.ID, parley.MemberActor(&in.Member)
	c.credential, c.until = parley.Credential{Kind: parley.CredentialMember, ID: in.Session.ID}, in.Session.ExpiresAt
	return nil
}

func (a *API) authenticate(r *http.Request) (parley.Key, error) {
	secret, ok := httpjson.BearerToken(r)
	if !ok {
		return parley.Key{}, parley.FieldErrorf(parley.Unauthenticated, "Authorization", "must be Bearer and an API key")
	}
	return a.access.Authenticate(r.Context(), parley.Secret(secret))
}

// stores puts the headers of the deprecation on every response under
// /v1/public/stores (contract, section 9), and ends these routes at the
// sunset.
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
			httpjson.WriteError(w, r, a.log, parley.Errorf(parley.Gone,
				"the routes under %s ended at %s; use %s", storesPath, a.sunset.UTC().Format(time.RFC3339), companiesPath+rest))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// do calls a verb that changes something and renders its result. It asks for
// what is wrong with the inputs first. With an Idempotency-Key, the first
// answer of the verb is kept and returned again.
func do[T any](c *call, render func(T) httpjson.Reply, verb func(context.Context, desk.Caller) (T, error)) (httpjson.Reply, error) {
	by := c.by()
	if r := c.Request(); r.Method == http.MethodPost {
		if key := c.IdempotencyKey(maxKey); key != "" {
			by.Once = &desk.Once{
				Route: r.Method + " " + onceRoute(r.URL.Path), Key: key, BodyHash: c.BodyHash(),
				Render: func(result any) (int, []byte) {
					reply := render(result.(T)) // the verb's own result
					return reply.Status, reply.Body
				},
			}
		}
	}
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	result, err := verb(c.context(), by)
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

// onceRoute is the address that an Idempotency-Key counts for: stores are
// companies by their old name.
func onceRoute(path string) string {
	if rest, ok := strings.CutPrefix(path, storesPath); ok {
		return companiesPath + rest
	}
	return path
}

// get calls a verb that only reads, after asking for what is wrong with the
// inputs.
func get[T any](c *call, render func(T) []byte, verb func(context.Context) (T, error)) (httpjson.Reply, error) {
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	ctx := c.context()
	var at func() parley.LogPosition
	if c.member != "" {
		// The dashboard goes on from here with what the stream tells.
		ctx, at = desk.WithPosition(ctx, c.ws)
	}
	result, err := httpjson.InTurn(ctx, c.turns, httpjson.Asker{Workspace: c.ws, Credential: c.credential.ID}, verb)
	if err != nil {
		return httpjson.Reply{}, err
	}
	if at != nil {
		c.writer.Header().Set(httpjson.PositionHeader, at().String())
	}
	return httpjson.OK(render(result)), nil
}
