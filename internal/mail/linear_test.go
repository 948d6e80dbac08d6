package mail

import (
	"strings"
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures what writes texts of members and customers into mails, and reads
// the tokens of links.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{{Functions: []string{"Render", "oneLine", "shortened", "encoded", "plain", "html"}, Run: func(text string) {
		Render(Letter{Content: Content{Subject: text, Paragraphs: strings.SplitN(text, "\n", 50), Link: text, After: []string{text}}, To: "ann@home.example"})
	}}, {Functions: []string{"readToken"}, Run: func(text string) { readToken(text) }}}, map[string]string{
		"supersede": "goes through mails of the store",
	})
}
