package customers

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures what goes through the texts of others.
func TestLinear(t *testing.T) {
	lineartest.Check(t, nil, map[string]string{
		"VerifyIdentity":     "goes through the keys of a workspace",
		"noteIdentityKeyUse": "goes through the keys of a workspace",
	})
}
