package mail

import (
	"strings"
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures what writes texts of members and customers into mails, and reads
// the tokens of links.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{{Functions: []string{"render", "oneLine", "shortened", "encoded", "plain", "html"}, Run: func(text string) {
		l := letter{Content: Content{Subject: text, Paragraphs: strings.SplitN(text, "\n", 50), Link: text, After: []string{text}}, to: "ann@home.example"}
		l.render()
	}}, {Functions: []string{"readToken"}, Run: func(text string) { readToken(text) }}}, map[string]string{
		"supersede": "goes through mails of the store",
	})
}
