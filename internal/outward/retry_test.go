package outward

import (
	"net/http"
	"testing"
	"time"
)

// TestRetryAfter reads what servers write into the header.
func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "0": 0, "7": 7 * time.Second, "4000": time.Hour, "2147483647": time.Hour, "99999999999999999999": 0, "-1": 0, "1.5": 0, "soon": 0,
		now.Add(time.Minute).Format(http.TimeFormat): time.Minute, now.Add(-time.Minute).Format(http.TimeFormat): 0,
		now.AddDate(1, 0, 0).Format(http.TimeFormat): time.Hour,
	} {
		if got := RetryAfter(http.Header{"Retry-After": {text}}, now, time.Hour); got != want {
			t.Errorf("Retry-After: %s means %v, want %v", text, got, want)
		}
	}
}
