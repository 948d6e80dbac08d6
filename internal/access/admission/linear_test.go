package admission

import (
	"testing"

	"parley"
	"parley/internal/lineartest"
)

// TestLinear measures the functions that read what owners enter, and what a provider says.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{{Functions: []string{"Check", "Decide"}, Run: func(text string) {
		p := Policy{Groups: map[string]parley.Role{text: parley.Agent}, JoinRole: parley.Agent, Domains: []string{text}}
		p.Check()
		p.Decide(Person{Email: "a@" + text, EmailVerified: true, Groups: []string{text}}, Known{})
	}}}, nil)
}
