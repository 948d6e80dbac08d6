package settings

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures the functions that read untrusted texts.
func TestLinear(t *testing.T) {
	lineartest.Check(t, nil, map[string]string{
		"labelOf": "goes through the labels of a workspace",
	})
}
