package outward

import (
	"net/http"
	"strconv"
	"time"
)

// RetryAfter reads a header Retry-After, seconds or a time (RFC 9110, section 10.2.3), and
// returns how long to wait, at most limit; 0 for what is missing, malformed or past.
func RetryAfter(h http.Header, now time.Time, limit time.Duration) time.Duration {
	text := h.Get("Retry-After")
	wait := time.Duration(0)
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		wait = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		wait = at.Sub(now)
	}
	return min(max(wait, 0), limit)
}
