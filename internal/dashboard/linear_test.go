package dashboard

import (
	"encoding/json"
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures what reads the texts of a request beside httpjson.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"macroActions", "macroLabels"}, Run: func(text string) {
			quoted, err := json.Marshal(text)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = macroActions([]byte(`{"reply":` + string(quoted) + `,"addLabels":[` + string(quoted) + `]}`)) // only its cost counts
		}},
		{Functions: []string{"chatTexts"}, Run: func(text string) {
			raw, err := json.Marshal(map[string]string{"key": text, text: "text"})
			if err != nil {
				t.Fatal(err)
			}
			_, _ = chatTexts(raw) // only its cost counts
		}},
	}, map[string]string{
		"pieces": "goes through the entries of a page",
	})
}
