package httpjson

import (
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"parley"
)

// An InFlight counts concurrent operations by a key such as a network address.
// The zero value is empty. It is safe for concurrent use.
type InFlight[K comparable] struct {
	mu sync.Mutex
	of map[K]int
}

// Enter counts one more operation of a key, until leave is called. If there are
// already most, the error is Limited.
func (f *InFlight[K]) Enter(key K, most int) (leave func(), err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of[key] >= most {
		return nil, InAMoment(&parley.Error{Kind: parley.Limited, RetryAfter: time.Second})
	}
	if f.of == nil {
		f.of = map[K]int{}
	}
	f.of[key]++
	return sync.OnceFunc(func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.of[key]--; f.of[key] == 0 {
			delete(f.of, key)
		}
	}), nil
}

// InAMoment replaces the text of a Limited error by one that does not say what
// is counted. It returns other errors unchanged.
func InAMoment(err error) error {
	var limited *parley.Error
	if errors.As(err, &limited) && limited.Kind == parley.Limited {
		limited.Message = "too much at once; try again in a moment"
	}
	return err
}

// AddressLimits are the limits of one network address in one part of the
// server, on each node.
type AddressLimits struct {
	AMinute int // requests
	AtOnce  int // requests without an answer, or whose answers have not been read
}

// OpenLimits returns the limits of one network address for what anyone may
// read: the pages, the documents, and the requests before signing in.
func OpenLimits() AddressLimits { return AddressLimits{AMinute: 6000, AtOnce: 100} }

// An AddressLimiter counts anonymous requests by network address. A nil
// *AddressLimiter counts nothing.
type AddressLimiter struct {
	limits   AddressLimits
	clients  *Clients
	log      *slog.Logger
	rate     *LimiterOf[string]
	inFlight InFlight[string]
}

// AddressLimiterOptions configure an AddressLimiter.
type AddressLimiterOptions struct {
	Limits  AddressLimits
	Clock   parley.Clock
	Log     *slog.Logger
	Clients *Clients
}

// NewAddressLimiter returns an AddressLimiter.
func NewAddressLimiter(o AddressLimiterOptions) *AddressLimiter {
	return &AddressLimiter{
		limits: o.Limits, clients: o.Clients, log: o.Log,
		rate: NewLimiterOf[string](Rate{Quota: o.Limits.AMinute, Window: time.Minute}, o.Clock),
	}
}

// Wrap answers 429 with Retry-After if an address exceeds its limits, before
// the request is examined any further. The headers do not show the count,
// because many people may share an address.
func (l *AddressLimiter) Wrap(next http.Handler) http.Handler {
	return l.WrapPages(next, func(w http.ResponseWriter, r *http.Request, err error) { WriteError(w, r, l.log, err) })
}

// WrapPages is [AddressLimiter.Wrap] for pages, which answer refused requests by
// themselves.
func (l *AddressLimiter) WrapPages(next http.Handler, refuse func(http.ResponseWriter, *http.Request, error)) http.Handler {
	if l == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		address := l.clients.Address(r)
		leave, err := l.inFlight.Enter(address, l.limits.AtOnce)
		if err != nil {
			refuse(w, r, err)
			return
		}
		defer leave()
		if err := l.rate.Spend(address, 1); err != nil {
			refuse(w, r, InAMoment(err))
			return
		}
		next.ServeHTTP(w, r)
	})
}
