package numbers

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures the functions that shorten untrusted texts.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"truncateTo", "truncate", "truncateName"}, Run: func(text string) { _, _, _ = truncate(text+"é"), truncateName(text), truncateTo(text, len(text)/2) }},
	}, nil)
}
