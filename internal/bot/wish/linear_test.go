package wish_test

import (
	"testing"

	"parley/internal/bot/wish"
	"parley/internal/lineartest"
)

// TestLinear measures the functions that read the texts of others.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{{Functions: []string{"ForPerson", "wished", "of", "next"}, Run: func(text string) { wish.ForPerson(text) }}}, nil)
}
