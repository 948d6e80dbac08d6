package answers

import (
	"testing"

	"parley"
	"parley/internal/lineartest"
)

// TestLinear measures the functions that read untrusted texts.
func TestLinear(t *testing.T) {
	asked := func(text string) []parley.Message {
		return []parley.Message{{Direction: parley.Incoming, Content: text}}
	}
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"firstCharacters"}, Run: func(text string) { _ = firstCharacters(text, len(text)); lastQuestion(asked(text)) }},
		{Functions: []string{"languageOf"}, Run: func(text string) { languageOf(text, asked(text)) }},
	}, nil)
}
