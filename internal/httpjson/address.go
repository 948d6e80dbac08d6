package httpjson

import (
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"parley"
)

// An InFlight counts what goes on at once, by a key such as a network address.
// The zero value is empty. It is safe for concurrent use.
type InFlight[K comparable] struct {
	mu sync.Mutex
	of map[K]int
}

// Enter counts one more of a key, until leave is called. Where there are most
// already, the error is Limited.
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

// InAMoment gives a Limited error the text for who is not asked to know what is
// counted; others it leaves as they are.
func InAMoment(err error) error {
	var limited *parley.Error
	if errors.As(err, &limited) && limited.Kind == parley.Limited {
		limited.Message = "too much at once; try again in a moment"
	}
	return err
}

// AddressLimits are what one network address may ask of a part of the server, on
// each node.
type AddressLimits struct {
	AMinute int // requests
	AtOnce  int // requests that are not answered, or whose answers are not read
}

// OpenLimits returns what one network address may ask of what anybody may read: the
// pages, the documents, and what comes before signing in.
func OpenLimits() AddressLimits { return AddressLimits{AMinute: 6000, AtOnce: 100} }

// An AddressLimiter counts requests by network address: those of nobody in
// particular, which cost whoever sends them nothing. A nil *AddressLimiter counts
// nothing.
type AddressLimiter struct {
	limits   AddressLimits
	clients  *Clients
	log      *slog.Logger
	rate     *LimiterOf[string]
	inFlight InFlight[string]
}

// AddressLimiterOptions are what an AddressLimiter works with.
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

// Wrap answers 429 with Retry-After where an address asks for too much, before
// anything else is looked at. The headers tell nothing of the count: many people
// may share an address.
func (l *AddressLimiter) Wrap(next http.Handler) http.Handler {
	if l == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		address := l.clients.Address(r)
		leave, err := l.inFlight.Enter(address, l.limits.AtOnce)
		if err != nil {
			WriteError(w, r, l.log, err)
			return
		}
		defer leave()
		if err := l.rate.Spend(address, 1); err != nil {
			WriteError(w, r, l.log, InAMoment(err))
			return
		}
		next.ServeHTTP(w, r)
	})
}
