package audit

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear names what goes through texts that are ids.
func TestLinear(t *testing.T) {
	lineartest.Check(t, nil, map[string]string{
		"listOf": "goes through the ids of a page",
	})
}
