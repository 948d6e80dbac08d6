package factor_test

import (
	"testing"
	"time"

	"parley"
	"parley/internal/access/factor"
	"parley/internal/lineartest"
)

// TestLinear measures what goes through codes.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"Typed", "Hash", "Address", "Match"}, Run: func(text string) {
			factor.Hash(parley.WorkspaceID{}, "", text)
			rfc.Match(text, time.Time{}, 0)
			rfc.Address(text, text)
		}},
	}, nil)
}
