package provider

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures the functions that read what owners enter.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"Check"}, Run: func(text string) { (&Settings{ClientID: text, GroupsClaim: text}).Check(text) }},
		{Functions: []string{"lowered"}, Run: func(text string) { lowered([]string{text, text}) }},
	}, nil)
}
