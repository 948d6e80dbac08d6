package httpjson

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"parley"
)

// A Rate is how many requests a key may send in a window of time. The zero
// Rate is no limit.
type Rate struct {
	Quota  int
	Window time.Duration
}

// ParseRate reads a rate such as "100/10s"; "" and "off" are no limit.
func ParseRate(s string) (Rate, error) {
	if s == "" || s == "off" {
		return Rate{}, nil
	}
	quota, window, ok := strings.Cut(s, "/")
	n, quotaErr := strconv.Atoi(quota)
	d, windowErr := time.ParseDuration(window)
	if !ok || quotaErr != nil || windowErr != nil || n < 1 || d < time.Second {
		return Rate{}, fmt.Errorf("must be requests per time, such as 100/10s, or off")
	}
	return Rate{Quota: n, Window: d}, nil
}

// A Limiter counts the requests of each key in windows that begin with the
// key's first request.
type Limiter struct {
	rate  Rate
	clock parley.Clock

	mu      sync.Mutex
	windows map[parley.ID]window
	swept   time.Time
}

type window struct {
	ends time.Time
	used int
}

// NewLimiter returns a Limiter.
func NewLimiter(rate Rate, clock parley.Clock) *Limiter {
	return &Limiter{rate: rate, clock: clock, windows: map[parley.ID]window{}}
}

// Take counts one request of a key and writes the headers RateLimit and
// RateLimit-Policy. Over the quota it returns a Limited error.
func (l *Limiter) Take(h http.Header, key parley.ID) error {
	if l.rate.Quota == 0 {
		return nil
	}
	used, reset := l.count(key)
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

func ceilSeconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

func (l *Limiter) count(key parley.ID) (used int, reset time.Duration) {
	now := l.clock.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.swept) > l.rate.Window {
		for k, w := range l.windows {
			if !now.Before(w.ends) {
				delete(l.windows, k)
			}
		}
		l.swept = now
	}
	w := l.windows[key]
	if !now.Before(w.ends) {
		w = window{ends: now.Add(l.rate.Window)}
	}
	w.used++
	l.windows[key] = w
	return w.used, w.ends.Sub(now)
}
