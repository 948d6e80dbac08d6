package provider

import (
	"maps"
	"slices"
	"strings"

	"parley"
	"parley/internal/desk"
)

// A Change is an update of settings. Absent fields stay unchanged.
type Change struct {
	Issuer       parley.Optional[string]
	ClientID     parley.Optional[string]
	ClientSecret parley.Optional[string]
	GroupsClaim  parley.Optional[string]
	Groups       parley.Optional[map[string]parley.Role]
	JoinRole     parley.Optional[parley.Role] // null: nobody joins
	JoinDomains  parley.Optional[[]string]
	Required     parley.Optional[bool]
	TrustsFactor parley.Optional[bool]
	Exempt       parley.Optional[[]parley.UserID]
}

// Apply changes settings, and returns which of them.
func (in *Change) Apply(s *Settings) (changed []string) {
	desk.Set(&changed, "issuer", &s.Issuer, in.Issuer)
	desk.Set(&changed, "clientId", &s.ClientID, in.ClientID)
	if in.ClientSecret.Set && in.ClientSecret.Value != "" {
		changed = append(changed, "clientSecret")
	}
	desk.Set(&changed, "groupsClaim", &s.GroupsClaim, in.GroupsClaim)
	if in.Groups.Set && !maps.Equal(s.Policy.Groups, in.Groups.Value) {
		s.Policy.Groups, changed = in.Groups.Value, append(changed, "groups")
	}
	desk.Set(&changed, "joinRole", &s.Policy.JoinRole, in.JoinRole)
	if domains := lowered(in.JoinDomains.Value); in.JoinDomains.Set && !slices.Equal(s.Policy.Domains, domains) {
		s.Policy.Domains, changed = domains, append(changed, "joinDomains")
	}
	desk.Set(&changed, "required", &s.Required, in.Required)
	desk.Set(&changed, "trustsFactor", &s.TrustsFactor, in.TrustsFactor)
	if exempt := desk.Unique(in.Exempt.Value); in.Exempt.Set && !slices.Equal(s.Exempt, exempt) {
		s.Exempt, changed = exempt, append(changed, "exempt")
	}
	return changed
}

func lowered(domains []string) []string {
	var all []string
	for _, domain := range domains {
		all = append(all, strings.ToLower(strings.TrimSpace(domain)))
	}
	return desk.Unique(all)
}

// ExemptText returns the ids of the exempt members in one text.
func (s *Settings) ExemptText() string {
	var ids []string
	for _, id := range s.Exempt {
		ids = append(ids, string(id))
	}
	return strings.Join(ids, ", ")
}
