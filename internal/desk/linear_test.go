package desk

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures the functions that shorten untrusted texts.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"FileName"}, Run: func(text string) { FileName(text); FileName(text + ".jpeg") }},
		{Functions: []string{"CheckEmail", "CheckName"}, Run: func(text string) {
			_, _ = CheckEmail(text), CheckName("name", text) // only their cost counts
		}},
	}, map[string]string{
		"EndTimers":  "goes through the timers of a batch",
		"leavePhone": "goes through the numbers of a workspace",
	})
}
