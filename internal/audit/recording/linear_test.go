package recording

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures what goes through texts of callers.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"shorten"}, Run: func(text string) { shorten(text) }},
	}, map[string]string{})
}
