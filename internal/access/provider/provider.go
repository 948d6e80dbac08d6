// Package provider has the OpenID Connect provider of a workspace, the persons of it who
// are members, and what may be shown only once.
//
// It may import the vocabulary, the store, and the rules of admission.
package provider

import (
	"crypto/sha256"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/access/admission"
	"parley/internal/store"
)

// Limits of the settings, in characters.
const (
	MaxIssuer = 255
	MaxClient = 255
	MaxSecret = 2000
	MaxClaim  = 100
	// MaxExempt is how many owners may keep their passwords.
	MaxExempt = 20
)

// Record is what the client secret is bound to in the vault.
const Record = "sign-in provider"

// Settings are those of a workspace's provider.
type Settings struct {
	Issuer      string
	ClientID    string
	Sealed      []byte // the secret of the client
	GroupsClaim string // the claim with a person's groups; "" for none
	Policy      admission.Policy
	// Required says that members sign in with the provider alone.
	Required bool
	// TrustsFactor says that the provider's second factor counts as the workspace's.
	TrustsFactor bool
	// Exempt are the owners who may sign in with a password although the provider is required.
	Exempt               []parley.UserID
	CreatedAt, UpdatedAt time.Time
}

// SettingsOf returns the provider of a workspace, or the zero value.
func SettingsOf(v store.Reader, ws parley.WorkspaceID) (Settings, error) {
	s, err := SelectSettings(v, ws)
	if parley.KindOf(err) == parley.NotFound {
		return Settings{}, nil
	}
	return s, err
}

// Excludes reports whether a member may not sign in with a password.
func (s *Settings) Excludes(m *parley.Member) bool {
	return s.Required && !(m.Role == parley.Owner && slices.Contains(s.Exempt, m.ID))
}

// Check returns what is wrong with settings, by the fields of the API. The issuer is
// checked where it is asked.
func (s *Settings) Check(secret string) []parley.Fault {
	var faults []parley.Fault
	fault := func(wrong bool, field, rule string) {
		if wrong {
			faults = append(faults, parley.Fault{Field: field, Rule: rule})
		}
	}
	fault(!printable(s.ClientID, MaxClient), "clientId", "be 1 to 255 characters of ASCII, without spaces and controls")
	fault(secret != "" && !printable(strings.ReplaceAll(secret, " ", "_"), MaxSecret), "clientSecret", "be 1 to 2000 characters of ASCII, without controls")
	fault(s.GroupsClaim != "" && !printable(s.GroupsClaim, MaxClaim), "groupsClaim", "be at most 100 characters of ASCII, without spaces and controls")
	fault(s.GroupsClaim == "" && len(s.Policy.Groups) > 0, "groupsClaim", "name the claim with the groups, because groups have roles")
	fault(len(s.Exempt) > MaxExempt, "exempt", "be at most 20 owners")
	return append(faults, s.Policy.Check()...)
}

func printable(text string, longest int) bool {
	return text != "" && len(text) <= longest && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
}

// An Identity is a person of a provider who is a member.
type Identity struct {
	Issuer, Subject string
	Member          parley.UserID
	Since           time.Time
}

// Use is the hash of what may be shown once: of a kind, and of its text.
func Use(kind, text string) [32]byte { return sha256.Sum256([]byte(kind + "\x00" + text)) }
