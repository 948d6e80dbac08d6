package numbers

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures what fits texts of others into what is kept and shown.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"fittingIn", "fitting", "fittingName"}, Run: func(text string) { _, _, _ = fitting(text+"é"), fittingName(text), fittingIn(text, len(text)/2) }},
	}, nil)
}
