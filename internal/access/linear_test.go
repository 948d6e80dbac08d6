package access

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures what goes through texts of callers.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"parts"}, Run: func(text string) { _, _, _ = Half(text).parts() }},
	}, map[string]string{
		"recordProvider":      "goes through six settings",
		"insertRecoveryCodes": "stores ten codes of this server",
		"Forgot":              "goes through the accounts of one address",
		"Logout":              "goes through the members of a session",
		"matching":            "goes through the accounts of one address",
		"withdrawEarlier":     "goes through the invitations of one address",
	})
}
