package reranking

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures what reads the texts of customers and articles.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"beginning"}, Run: func(text string) { _ = beginning(text) }},
	}, map[string]string{"embed": "reads vectors, of which there are at most 25"})
}
