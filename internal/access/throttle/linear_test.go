package throttle

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear lists what goes through counts, not through texts of callers.
func TestLinear(t *testing.T) {
	lineartest.Check(t, nil, map[string]string{"Allow": "goes through two counts"})
}
