package fulltext

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures the functions that read people's texts.
func TestLinear(t *testing.T) {
	query, ok := Parse("a 0 (9 東 b@c.de")
	if !ok {
		t.Fatal("no query")
	}
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"Words", "scan", "chunks", "fold", "phones", "domains", "pairs"}, Run: func(text string) { Document{Texts: []string{text}}.Words() }},
		{Functions: []string{"Parts"}, Run: func(text string) { Parts(text, func(Part) {}) }},
		{Functions: []string{"Fold"}, Run: func(text string) { Fold(text) }},
		{Functions: []string{"phoneEnds", "digitsOf"}, Run: func(text string) { Document{Phone: text}.Words() }},
		{Functions: []string{"Snippet", "spans", "best", "backwards", "window"}, Run: func(text string) { query.Snippet(text, 160) }},
		{Functions: []string{"Parse", "sequence", "phoneQuery"}, Run: func(text string) { Parse(text) }},
		{Functions: []string{"Closeness", "run"}, Run: func(text string) { query.Closeness(text) }},
		{Functions: []string{"Phrase"}, Run: func(text string) { query.Phrase(text) }},
	}, nil)
}
