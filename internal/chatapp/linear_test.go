package chatapp

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures the functions that read the texts of messages.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"Marked", "markedLine", "markAt", "verbatim"}, Run: func(text string) { Marked(text) }},
	}, nil)
}
