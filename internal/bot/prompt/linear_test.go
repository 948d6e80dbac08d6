package prompt_test

import (
	"crypto/rand"
	"testing"

	"parley/internal/bot/prompt"
	"parley/internal/lineartest"
)

// TestLinear measures the functions that read the texts of others.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"cut", "Defused"}, Run: func(text string) {
			_, _ = prompt.Build(prompt.Question{Text: text, Sources: []prompt.Source{{Text: text}}}, rand.Reader) // only its cost counts
		}},
	}, nil)
}
