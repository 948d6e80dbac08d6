package alerts

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures what goes through texts of callers.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"first", "device"}, Run: func(text string) { english.device(text) }},
	}, nil)
}
