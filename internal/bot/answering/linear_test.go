package answering

import (
	"testing"

	"parley"
	"parley/internal/lineartest"
)

// TestLinear measures the functions that read the texts of customers and
// articles.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"queryOf", "bounded", "characters", "quoted", "spoken"}, Run: func(text string) {
			q := Question{Turns: []Turn{{From: Customer, Text: text}, {From: Bot, Text: text}, {From: Customer, Text: text}}}
			t, _ := readTalk(q)
			t.query()
			t.followUp()
			_ = (&work{q: q, talk: t}).summary()
		}},
		{Functions: []string{"greets", "idle", "greetingLanguage", "complains"}, Run: func(text string) {
			greets(text)
			idle(text)
			greetingLanguage(text)
			complains(text)
		}},
		{Functions: []string{"excerpt", "inOrder"}, Run: func(text string) {
			excerpt(&parley.PublishedText{Language: "en", ArticleContent: parley.ArticleContent{Body: text}}, "refund")
		}},
	}, map[string]string{
		"set":     "reads a table of this package",
		"phrases": "reads a table of this package",
	})
}
