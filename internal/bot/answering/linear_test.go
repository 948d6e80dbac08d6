package answering

import (
	"testing"

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
			_ = (&work{q: q, talk: t}).note().String()
		}},
		{Functions: []string{"greets", "idle", "greetingLanguage", "complains"}, Run: func(text string) {
			greets(text)
			idle(text)
			greetingLanguage(text)
			complains(text)
		}},
		{Functions: []string{"next", "abbreviated", "stems"}, Run: func(text string) {
			for rest := text[:min(len(text), maxReply)]; rest != ""; {
				rest = rest[len(next(rest, true)):]
			}
			stems(text)
		}},
	}, map[string]string{
		"passages": "splits articles, which package markdown measures",
		"excerpt":  "splits articles, which package markdown measures",
		"inOrder":  "reads hits, which package ranking measures",
		"cite":     "reads marks, of which package reply returns few",
		"cleaned":  "reads at most maxAnswer characters, or once",
		"show":     "reads at most maxAnswer characters",
		"check":    "reads a sentence of at most maxAnswer characters",
		"recites":  "reads a sentence of at most maxAnswer characters",
		"strange":  "reads a sentence of at most maxAnswer characters",
		"set":      "reads a table of this package",
		"phrases":  "reads a table of this package",
	})
}
