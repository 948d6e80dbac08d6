package knowledge

import (
	"testing"

	"parley"
	"parley/internal/lineartest"
)

// TestLinear measures the functions that read untrusted texts.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"Strike", "numberAt", "countDigits"}, Run: func(text string) { Strike(text) }},
		{Functions: []string{"cut", "sampleOf"}, Run: func(text string) { cut(text, len(text)-1); sampleOf(text) }},
		{Functions: []string{"keywords", "part"}, Run: func(text string) {
			var c checker
			c.content(parley.ArticleContent{Title: text, Description: text, Body: text, Keywords: []string{text}})
		}},
		{Functions: []string{"continues"}, Run: func(text string) { continues(text, text); continues("x "+text, text) }},
		{Functions: []string{"headings"}, Run: func(text string) { headings(text); headings("```\n" + text) }},
		{Functions: []string{"redact", "newRedactor", "line", "word", "personal"}, Run: func(text string) { newRedactor([]string{text}).redact(text) }},
		{Functions: []string{"questionIn"}, Run: func(text string) { questionIn(text) }},
		{Functions: []string{"splitLanguages"}, Run: func(text string) { splitLanguages(text) }},
	}, map[string]string{
		"Readable":  "goes through the texts of an article",
		"takeSlug":  "tries a bounded number of slugs",
		"names":     "goes through the languages of a category",
		"languages": "goes through the languages of a help center",
	})
}
