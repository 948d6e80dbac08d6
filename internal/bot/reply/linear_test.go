package reply

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures the functions that read the texts of others.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"read", "thought", "plain", "marks", "action", "space"}, Run: func(text string) {
			Parse(text)
			Parse(`{"sources":[` + text)
			Parse(`{"answer":"` + text)
		}},
	}, nil)
}
