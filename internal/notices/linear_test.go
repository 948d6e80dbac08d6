package notices

import (
	"testing"

	"parley"
	"parley/internal/lineartest"
)

// TestLinear measures what reads the texts of preferences.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"NewQuietPeriod"}, Run: func(text string) { NewQuietPeriod([]string{text, text}, text, text) }},
		{Functions: []string{"readChannels"}, Run: func(text string) { readChannels(text, parley.NewNoticePreferences("").Kinds) }},
		{Functions: []string{"readPeriods"}, Run: func(text string) { readPeriods(text) }},
	}, nil)
}
