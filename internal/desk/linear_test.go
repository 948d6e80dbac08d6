package desk

import (
	"testing"

	"parley"
	"parley/internal/lineartest"
)

// TestLinear measures what fits texts of others into what is kept and shown.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"FileName"}, Run: func(text string) { FileName(text); FileName(text + ".jpeg") }},
		{Functions: []string{"CheckEmail", "CheckName"}, Run: func(text string) {
			_, _ = CheckEmail(text), CheckName("name", text) // only their cost counts
		}},
		{Functions: []string{"beginning", "joined"}, Run: func(text string) { beginning(joined(text, text)) }},
		{Functions: []string{"eventRecord"}, Run: func(text string) {
			_, _, _ = eventRecord(&parley.Event{Type: parley.MessageCreated, Data: []byte(text)})
		}},
	}, map[string]string{
		"SearchContacts": "goes through one page",
		"labelOf":        "goes through the labels of a workspace",
		"JoinContacts":   "goes through the fields of a contact",
		"leavePhone":     "goes through the numbers of a workspace",
	})
}
