package search

import (
	"testing"

	"parley"
	"parley/internal/lineartest"
)

// TestLinear measures the functions that cut untrusted texts into snippets and
// documents.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"beginning", "joinTexts"}, Run: func(text string) { beginning(joinTexts(text, text)) }},
		{Functions: []string{"eventRecord"}, Run: func(text string) {
			_, _, _ = eventRecord(&parley.Event{Type: parley.MessageCreated, Data: []byte(text)})
		}},
		{Functions: []string{"parsePlace"}, Run: func(text string) { _, _ = parsePlace(text) }},
		{Functions: []string{"parseQuery", "cutOperator", "dateOf"}, Run: func(text string) {
			q := parseQuery(text)
			_, _ = filterOf(q.operators)
			_, _ = dateOf(text)
		}},
	}, map[string]string{
		"in":             "goes through the inboxes and products of a workspace",
		"team":           "goes through the teams of a workspace",
		"readTable":      "goes through one page",
		"SearchContacts": "goes through one page",
		"label":          "goes through the labels of a workspace",
		"membersNamed":   "goes through the members",
		"contactsNamed":  "goes through one page",
	})
}
