package provider_test

import (
	"testing"

	"parley/internal/access/provider"
	"parley/internal/lineartest"
)

// TestLinear measures the function that reads what owners enter.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{{Functions: []string{"Check"}, Run: func(text string) {
		(&provider.Settings{ClientID: text, GroupsClaim: text}).Check(text)
	}}}, nil)
}
