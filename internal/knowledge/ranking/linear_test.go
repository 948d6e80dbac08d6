package ranking

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures the functions that read authors' and customers' texts.
func TestLinear(t *testing.T) {
	x := New(desk, "en")
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"read", "build", "word", "fold", "stemmed", "verb", "separate", "parts"}, Run: func(text string) {
			New([]Document{{ID: "a", Language: "de", Title: text}}, "de")
			New([]Document{{ID: "a", Language: "es", Body: text}}, "es")
		}},
		{Functions: []string{"search", "parse", "near", "misspelt", "oneEdit", "compareBackwards", "beginning", "beginningOf", "ending"}, Run: func(text string) {
			x.Search(text, "de", 3)
		}},
		{Functions: []string{"Words", "wordsOf"}, Run: func(text string) { x.Words(text, "de") }},
		{Functions: []string{"Strange"}, Run: func(text string) { x.Strange(text, "de") }},
	}, map[string]string{"newLexicon": "reads this package's lists", "add": "reads this package's lists"})
}
