package erasure

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures the function that looks for ids in answers, which contain texts
// of callers.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"isNamed", "mentionsPhone"}, Run: func(text string) {
			(&person{phones: []string{"4915112345678"}, names: []string{"Ann"}}).isNamed(text)
		}},
		{Functions: []string{"mentions"}, Run: func(text string) { mentions(text, map[string]bool{"x": true}) }},
	}, map[string]string{"ReadLists": "goes through the files of a folder"})
}
