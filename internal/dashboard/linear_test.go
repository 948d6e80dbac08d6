package dashboard

import (
	"encoding/json"
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures the functions that read the texts of macros.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"macroActions", "macroLabels"}, Run: func(text string) {
			quoted, err := json.Marshal(text)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = macroActions([]byte(`{"reply":` + string(quoted) + `,"addLabels":[` + string(quoted) + `]}`)) // only its cost counts
		}},
	}, nil)
}
