package widget

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"parley"
	"parley/internal/httpjson"
)

// What pages of other sites may send and read (Fetch standard, CORS protocol).
// Cookies are not involved, because a session is a token.
const (
	allowedMethods = "GET, POST, PUT, DELETE"
	allowedHeaders = "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Prefer, X-Request-Id"
	exposedHeaders = "Idempotent-Replayed, Parley-Error, Parley-Ignored, Parley-Position, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id"
	preflightLife  = "600" // seconds
)

// A page is where a browser's request comes from.
type page struct {
	request *http.Request
	header  http.Header // of the answer
	origin  string      // "" for this server's own pages
	inboxes []parley.ID // those whose widgets list the origin
}

// arrive determines where a request comes from. A page whose origin is listed
// by some widget may read the answer, also an error, until enter decides
// otherwise.
func (a *API) arrive(w http.ResponseWriter, r *http.Request) (page, error) {
	p := page{request: r, header: w.Header(), origin: crossOrigin(r)}
	p.header.Add("Vary", "Origin")
	var err error
	if p.inboxes, err = a.inboxesOf(r.Context(), p.origin); err != nil || len(p.inboxes) == 0 {
		return p, err
	}
	p.header.Set("Access-Control-Allow-Origin", p.origin)
	p.header.Set("Access-Control-Expose-Headers", exposedHeaders)
	return p, nil
}

// enter is called as soon as the inbox of a request is known. If the inbox does
// not list the page's origin, the page may not read the answer, and a request
// that changes something is refused.
func (p page) enter(inbox parley.ID) error {
	if slices.Contains(p.inboxes, inbox) {
		return nil
	}
	p.header.Del("Access-Control-Allow-Origin")
	p.header.Del("Access-Control-Expose-Headers")
	return httpjson.SameSite(p.request)
}

// crossOrigin returns the origin of a request from a page of another site, or
// "".
func crossOrigin(r *http.Request) string {
	origin := r.Header.Get("Origin")
	if origin == "" || r.Header.Get("Sec-Fetch-Site") == "same-origin" {
		return ""
	}
	if u, err := url.Parse(origin); err == nil && u.Host == r.Host {
		return ""
	}
	return origin
}

// preflighted answers a browser that asks whether a page of another site may
// send a request. It may if some widget lists its origin; which inbox the
// request concerns is not known before the request itself.
func (a *API) preflighted(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, pattern := mux.Handler(r)
		if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" || pattern == "/" {
			mux.ServeHTTP(w, r)
			return
		}
		origin := crossOrigin(r)
		inboxes, err := a.inboxesOf(r.Context(), origin)
		switch {
		case err != nil:
			httpjson.WriteError(w, r, a.frame.Log, err)
		case len(inboxes) == 0:
			w.Header().Add("Vary", "Origin")
			mux.ServeHTTP(w, r)
		default:
			httpjson.Reply{Status: http.StatusNoContent, Header: http.Header{
				"Access-Control-Allow-Origin": {origin}, "Access-Control-Allow-Methods": {allowedMethods},
				"Access-Control-Allow-Headers": {allowedHeaders}, "Access-Control-Max-Age": {preflightLife}, "Vary": {"Origin"},
			}}.Write(w)
		}
	})
}

// inboxesOf returns the inboxes whose widgets list an origin, none for "".
func (a *API) inboxesOf(ctx context.Context, origin string) ([]parley.ID, error) {
	if origin == "" {
		return nil, nil
	}
	return a.customers.InboxesOfOrigin(ctx, origin)
}
