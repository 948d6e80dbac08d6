package guessable

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures what goes through passwords and names.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"common", "personal", "wordsOf", "withoutSequences", "period", "rows", "neighbours"}, Run: func(text string) { Find(text, text) }},
	}, nil)
}
