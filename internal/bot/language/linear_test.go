package language_test

import (
	"testing"

	"parley/internal/bot/language"
	"parley/internal/lineartest"
)

// TestLinear measures the functions that read the texts of others.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{{Functions: []string{"Of", "ofWords"}, Run: func(text string) { language.Of(text) }}}, nil)
}
