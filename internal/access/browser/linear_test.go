package browser

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures what goes through texts of callers.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"each"}, Run: func(text string) { Tickets(text).each() }},
	}, nil)
}
