package customers

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures what goes through the texts of others.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{{Functions: []string{"ParseOfficeInterval"}, Run: func(text string) {
		_, _, _ = ParseOfficeInterval(text) // only its cost counts
	}}}, map[string]string{
		"VerifyIdentity":     "goes through the keys of a workspace",
		"noteIdentityKeyUse": "goes through the keys of a workspace",
	})
}
