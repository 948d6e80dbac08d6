// Package publicapi is the public REST API under /v1/public: one table of
// routes (routes.go), one thin handler per operation, in files by noun. A
// handler reads its inputs, calls one verb of the desk, and renders the
// result. What every operation shares (keys, scopes, the order of checks,
// stores' headers, idempotency) is in this file.
//
// It imports the vocabulary, the desk, the JSON shapes, httpjson and the
// OpenAPI document.
package publicapi

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
)

// maxKey is the most characters of an Idempotency-Key (contract, section 8).
const maxKey = 200

// StoresSunset is when the routes under /v1/public/stores end (contract,
// section 9), unless the operator moves it.
func StoresSunset() time.Time { return time.Date(2027, time.February, 16, 0, 0, 0, 0, time.UTC) }

// Options are what the API works with.
type Options struct {
	Desk   *desk.Desk
	Clock  parley.Clock
	Log    *slog.Logger
	Sunset time.Time     // of the stores routes; see StoresSunset
	Rate   httpjson.Rate // of each key; zero for none
}

// An API answers requests under /v1/public.
type API struct {
	desk    *desk.Desk
	clock   parley.Clock
	log     *slog.Logger
	sunset  time.Time
	limiter *httpjson.Limiter
}

// New returns an API.
func New(o Options) *API {
	return &API{desk: o.Desk, clock: o.Clock, log: o.Log, sunset: o.Sunset, limiter: httpjson.NewLimiter(o.Rate, o.Clock)}
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
	ws     parley.WorkspaceID
	stores bool // storeId and the older scopes still hold
}

func (c *call) context() context.Context { return c.Request().Context() }

func (a *API) handler(route Route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reply, err := a.answer(w, r, route)
		if err != nil {
			httpjson.WriteError(w, r, a.log, err)
			return
		}
		reply.Write(w)
	})
}

// answer checks in the order 401, 403, 400, 404: a caller without the scope
// learns nothing of what exists.
func (a *API) answer(w http.ResponseWriter, r *http.Request, route Route) (httpjson.Reply, error) {
	c := &call{stores: a.clock.Now().Before(a.sunset)}
	if !route.Open {
		key, err := a.authenticate(r)
		if err != nil {
			return httpjson.Reply{}, err
		}
		if err := a.limiter.Take(w.Header(), key.ID); err != nil {
			return httpjson.Reply{}, err
		}
		if err := route.permit(key, c.stores); err != nil {
			return httpjson.Reply{}, err
		}
		c.ws = key.Workspace
	}
	c.Reader = httpjson.NewReader(r)
	reply, err := route.handle(a, c)
	if err == nil {
		httpjson.SetIgnored(w.Header(), c.Ignored())
	}
	return reply, err
}

func (a *API) authenticate(r *http.Request) (parley.Key, error) {
	scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return parley.Key{}, parley.Errorf(parley.Unauthenticated, "Authorization: must be Bearer and an API key")
	}
	return a.desk.Authenticate(r.Context(), parley.Secret(strings.TrimSpace(secret)))
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
		h.Set("Deprecation", "@1771200000") // 16 February 2026
		h.Set("Sunset", a.sunset.UTC().Format(http.TimeFormat))
		h.Set("Link", `</docs/deprecations/stores>; rel="deprecation"`)
		if !a.clock.Now().Before(a.sunset) {
			httpjson.WriteError(w, r, a.log, parley.Errorf(parley.Gone,
				"the routes under %s ended on %s; use %s", storesPath, a.sunset.UTC().Format("2 January 2006"), companiesPath+rest))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// do calls a verb that changes something and renders its result. It asks for
// what is wrong with the inputs first. With an Idempotency-Key, the first
// answer of the verb is kept and returned again.
func do[T any](c *call, render func(T) httpjson.Reply, verb func(context.Context, desk.Caller) (T, error)) (httpjson.Reply, error) {
	by := desk.Caller{Workspace: c.ws}
	if r := c.Request(); r.Method == http.MethodPost {
		if key := c.IdempotencyKey(maxKey); key != "" {
			by.Once = &desk.Once{
				Route: r.Method + " " + r.URL.Path, Key: key, BodyHash: c.BodyHash(),
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

// get calls a verb that only reads, after asking for what is wrong with the
// inputs.
func get[T any](c *call, render func(T) []byte, verb func(context.Context) (T, error)) (httpjson.Reply, error) {
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	result, err := verb(c.context())
	if err != nil {
		return httpjson.Reply{}, err
	}
	return httpjson.OK(render(result)), nil
}
