package words

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures what reads a browser's header and fills in names.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"Choose"}, Run: func(text string) { Choose(text) }},
		{Functions: []string{"Places"}, Run: func(text string) { Places(text) }},
		{Functions: []string{"Fill"}, Run: func(text string) { Fill("{a} and {b}", "a", text, "b", text) }},
	}, nil)
}
