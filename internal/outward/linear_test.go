package outward

import (
	"net/http"
	"testing"
	"time"

	"parley/internal/lineartest"
)

// TestLinear measures the functions that read the texts of servers and operators.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"RetryAfter"}, Run: func(text string) { RetryAfter(http.Header{"Retry-After": {text}}, time.Time{}, time.Hour) }},
		{Functions: []string{"ParseHosts", "wellFormedName"}, Run: func(text string) {
			_, _ = ParseHosts(text) // only its cost counts
			wellFormedName(text)
		}},
		{Functions: []string{"ParseNetworks"}, Run: func(text string) { _, _ = ParseNetworks(text) }},
	}, nil)
}
