package visitors_test

import (
	"testing"

	"parley/internal/lineartest"
	"parley/internal/visitors"
)

// TestLinear measures the functions that read what a browser sends.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"Address"}, Run: func(text string) {
			visitors.Address(text)
			visitors.Address("https://shop.example/?" + text)
		}},
		{Functions: []string{"Device", "find"}, Run: func(text string) { visitors.Device(text) }},
	}, nil)
}
