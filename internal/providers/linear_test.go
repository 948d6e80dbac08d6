package providers

import (
	"testing"

	"parley"
	"parley/internal/lineartest"
)

// TestLinear measures the functions that read what admins enter.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{{Functions: []string{"check", "wellFormedHost"}, Run: func(text string) {
		wellFormedHost(text)
		_ = check(&parley.ModelProvider{BaseURL: text, Model: text, EmbeddingModel: text, Currency: text}, text) // only its cost counts
	}}}, nil)
}
