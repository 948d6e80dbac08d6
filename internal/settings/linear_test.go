package settings

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear knows what goes through texts of others.
func TestLinear(t *testing.T) {
	lineartest.Check(t, nil, map[string]string{
		"labelOf": "goes through the labels of a workspace",
	})
}
