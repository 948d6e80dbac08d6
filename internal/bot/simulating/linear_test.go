package simulating

import (
	"testing"

	"parley/internal/bot/answering"
	"parley/internal/lineartest"
)

// TestLinear measures the functions that read the texts of customers and members.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"leadsTo", "joined", "oneLine"}, Run: func(text string) {
			turns := []answering.Turn{{Text: text}}
			leadsTo(turns, "warranty")
			oneLine(joined(turns))
		}},
	}, map[string]string{"ReadBaseline": "reads a file that the operator names"})
}
