package httpjson

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"parley"
)

// A Rate is the number of requests that a key may send within a window. The
// zero Rate is no limit.
type Rate struct {
	Quota  int
	Window time.Duration // whole seconds
}

// ParseRate parses a rate such as "100/10s"; "" and "off" are no limit. Windows
// are whole seconds, like the headers.
func ParseRate(s string) (Rate, error) {
	if s == "" || s == "off" {
		return Rate{}, nil
	}
	quota, window, ok := strings.Cut(s, "/")
	n, quotaErr := strconv.Atoi(quota)
	d, windowErr := time.ParseDuration(window)
	if !ok || quotaErr != nil || windowErr != nil || n < 1 || d < time.Second || d%time.Second != 0 {
		return Rate{}, errors.New("must be requests per time of whole seconds, such as 100/10s, or off")
	}
	return Rate{Quota: n, Window: d}, nil
}

// maxWindows is the most keys that a limiter counts at a time, about 10 MB.
const maxWindows = 100_000

// A LimiterOf counts the requests of each key in windows that begin with the
// key's first request. Ended windows are dropped. With 100,000 open windows, a
// new key replaces another, which then starts from zero. It is safe for
// concurrent use.
type LimiterOf[K comparable] struct {
	rate  Rate
	clock parley.Clock

	mu      sync.Mutex
	windows map[K]window
	swept   time.Time
}

// A Limiter counts requests by the id of their API key.
type Limiter = LimiterOf[parley.ID]

type window struct {
	ends time.Time
	used int
}

// NewLimiter returns a Limiter for API keys.
func NewLimiter(rate Rate, clock parley.Clock) *Limiter { return NewLimiterOf[parley.ID](rate, clock) }

// NewLimiterOf returns a limiter for other keys, such as network addresses.
func NewLimiterOf[K comparable](rate Rate, clock parley.Clock) *LimiterOf[K] {
	return &LimiterOf[K]{rate: rate, clock: clock, windows: map[K]window{}}
}

// Take counts one request of a key and writes the headers RateLimit and
// RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers). Over the limit it
// returns a Limited error, whose RetryAfter is the end of the window.
func (l *LimiterOf[K]) Take(h http.Header, key K) error {
	if l.rate.Quota == 0 {
		return nil
	}
	used, reset := l.count(key, 1)
	left := max(0, l.rate.Quota-used)
	seconds := strconv.Itoa(ceilSeconds(reset))
	h.Set("RateLimit-Policy", `"default";q=`+strconv.Itoa(l.rate.Quota)+";w="+strconv.Itoa(ceilSeconds(l.rate.Window)))
	h.Set("RateLimit", `"default";r=`+strconv.Itoa(left)+";t="+seconds)
	if used <= l.rate.Quota {
		return nil
	}
	return &parley.Error{
		Kind: parley.Limited, RetryAfter: reset,
		Message: fmt.Sprintf("the key may send %d requests in %s; try again in %s seconds", l.rate.Quota, l.rate.Window, seconds),
	}
}

// Spend counts n units, such as bytes. Over the limit it returns a Limited
// error, whose RetryAfter is the end of the window.
func (l *LimiterOf[K]) Spend(key K, n int) error {
	used, reset := l.count(key, n)
	if used <= l.rate.Quota {
		return nil
	}
	return &parley.Error{Kind: parley.Limited, RetryAfter: reset, Message: "too much at once"}
}

func ceilSeconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

func (l *LimiterOf[K]) count(key K, n int) (used int, reset time.Duration) {
	now := l.clock.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sweep(now)
	w, known := l.windows[key]
	if !known && len(l.windows) >= maxWindows {
		for other := range l.windows {
			delete(l.windows, other)
			break
		}
	}
	if l.over(w, now) {
		w = window{ends: now.Add(l.rate.Window)}
	}
	w.used += n
	l.windows[key] = w
	return w.used, w.ends.Sub(now)
}

// sweep drops ended windows, at most once per window.
func (l *LimiterOf[K]) sweep(now time.Time) {
	if since := now.Sub(l.swept); since >= 0 && since <= l.rate.Window {
		return
	}
	for key, w := range l.windows {
		if l.over(w, now) {
			delete(l.windows, key)
		}
	}
	l.swept = now
}

// over reports whether a window has ended. A window that ends later than a full
// window from now is from a clock that has since been set back.
func (l *LimiterOf[K]) over(w window, now time.Time) bool {
	return !now.Before(w.ends) || w.ends.Sub(now) > l.rate.Window
}
