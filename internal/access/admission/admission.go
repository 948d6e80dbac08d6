// Package admission decides what becomes of a person who signed in with an OpenID
// Connect provider: whether they are a member of the workspace, which one, and with
// which role.
//
// A member is known by issuer and subject alone, which the provider gives to nobody
// else. An e-mail address counts once: when a member who has signed in with no
// provider yet does so for the first time, and only if the provider says that the
// address is verified. Whoever changes their address at the provider later stays who
// they are, and becomes nobody else. An owner is known by no address, but connects the
// own account while signed in.
//
// The package has rules alone. Its caller reads what they need and writes what they
// say, in one transaction. It may import the vocabulary.
package admission

import (
	"slices"
	"strings"

	"parley"
)

// Limits of the settings.
const (
	MaxGroups  = 100
	MaxDomains = 50
	maxGroup   = 255 // in characters
)

// A Policy are the settings of a workspace.
type Policy struct {
	// Groups are the roles of the provider's groups. If there are any, a person of none of
	// them does not get in. None gives the role of an owner.
	Groups map[string]parley.Role
	// JoinRole is the role of persons who become members by signing in; "": nobody does.
	// A group's role counts more.
	JoinRole parley.Role
	// Domains are those of the verified e-mail addresses of persons who become members.
	Domains []string
}

// Check returns what is wrong with a policy, by the fields of the API.
func (p *Policy) Check() []parley.Fault {
	var faults []parley.Fault
	fault := func(wrong bool, field, rule string) {
		if wrong {
			faults = append(faults, parley.Fault{Field: field, Rule: rule})
		}
	}
	fault(len(p.Groups) > MaxGroups, "groups", "be at most 100 groups")
	for group, role := range p.Groups {
		fault(strings.TrimSpace(group) == "" || len([]rune(group)) > maxGroup, "groups", "have names of 1 to 255 characters")
		fault(!given(role), "groups", "have the role admin or agent; a provider makes nobody an owner")
	}
	fault(p.JoinRole != "" && !given(p.JoinRole), "joinRole", "be admin or agent; a provider makes nobody an owner")
	fault(p.JoinRole != "" && len(p.Domains) == 0, "joinDomains", "name the domains of persons who become members by signing in")
	fault(len(p.Domains) > MaxDomains, "joinDomains", "be at most 50 domains")
	for _, domain := range p.Domains {
		fault(!parley.ValidEmail("a@"+domain), "joinDomains", "have only domains such as acme.example")
	}
	return slices.CompactFunc(faults, func(x, y parley.Fault) bool { return x.Field == y.Field })
}

// given reports whether a provider may give a role.
func given(role parley.Role) bool { return role == parley.Admin || role == parley.Agent }

// A Person is who signed in, as the provider says.
type Person struct {
	Email         string // "" if unknown
	EmailVerified bool
	Groups        []string
}

// Known is what the workspace knows of a person. Removed members are among them.
type Known struct {
	Bound   *parley.Member // the member of that issuer and subject; nil: there is none
	ByEmail *parley.Member // the member with the e-mail address; nil: there is none
	// Taken says that the member with the address belongs to another person of a provider.
	Taken bool
}

// An Outcome is what to do.
type Outcome struct {
	Refused Refusal        // "": the person gets in
	Member  *parley.Member // who gets in, or was refused; nil: a new one, or nobody
	Bind    bool           // bind the member to the issuer and the subject
	Role    parley.Role    // of the member from now on; "" if nobody gets in
	// EndSessions says that the member's sessions end, because the provider no longer
	// allows what they opened.
	EndSessions bool
}

// A Refusal is why a person does not get in, for the metrics and the audit log.
type Refusal string

// The refusals.
const (
	NotMember  Refusal = "provider_not_member" // nobody of that name, or no longer
	NoGroup    Refusal = "provider_no_group"   // in none of the groups
	Unverified Refusal = "provider_unverified" // the address is not verified, so that it proves nothing
	Taken      Refusal = "provider_taken"      // the member is another person of a provider
	Unbound    Refusal = "provider_unbound"    // an owner who has not connected the own account while signed in
)

// Text is what a refused person reads.
func (why Refusal) Text() string {
	switch why {
	case NoGroup:
		return "you are in none of the provider's groups that may sign in here; ask an admin"
	case Unverified:
		return "the provider does not say that your e-mail address is verified; ask an admin"
	case Taken:
		return "a member with your e-mail address is connected with another account of the provider; ask an owner"
	case Unbound:
		return "sign in with your password first, and connect your account with the provider in your settings"
	}
	return "you are no member of this workspace; ask an admin for an invitation"
}

// Decide returns what becomes of a person.
func (p *Policy) Decide(who Person, k Known) Outcome {
	if k.Bound != nil {
		return p.bound(who, k.Bound)
	}
	switch {
	case !who.EmailVerified || who.Email == "":
		return Outcome{Refused: Unverified}
	case k.ByEmail == nil:
		return p.join(who)
	case !k.ByEmail.RemovedAt.IsZero():
		return Outcome{Refused: NotMember} // an admin removed them, and invites them again
	case k.Taken:
		return Outcome{Refused: Taken, Member: k.ByEmail}
	}
	if k.ByEmail.Role == parley.Owner {
		// Whoever rules the provider's addresses must not become an owner by one.
		return Outcome{Refused: Unbound, Member: k.ByEmail}
	}
	role, ok := p.roleOf(who, k.ByEmail.Role)
	if !ok {
		return Outcome{Refused: NoGroup, Member: k.ByEmail} // it is not proven who that is; their sessions stay
	}
	return Outcome{Member: k.ByEmail, Bind: true, Role: role}
}

// bound decides about a member who is known by issuer and subject.
func (p *Policy) bound(who Person, m *parley.Member) Outcome {
	if !m.RemovedAt.IsZero() {
		return Outcome{Refused: NotMember, Member: m}
	}
	role, ok := p.roleOf(who, m.Role)
	if !ok {
		return Outcome{Refused: NoGroup, Member: m, EndSessions: true}
	}
	return Outcome{Member: m, Role: role}
}

// join decides about a person whom the workspace does not know.
func (p *Policy) join(who Person) Outcome {
	if p.JoinRole == "" || !p.home(who.Email) {
		return Outcome{Refused: NotMember}
	}
	role, ok := p.roleOf(who, p.JoinRole)
	if !ok {
		return Outcome{Refused: NoGroup}
	}
	return Outcome{Bind: true, Role: role}
}

// home reports whether an address is of one of the domains; those below one are others.
func (p *Policy) home(email string) bool {
	domain := parley.EmailKey(email[strings.LastIndexByte(email, '@')+1:])
	return slices.ContainsFunc(p.Domains, func(d string) bool { return parley.EmailKey(d) == domain })
}

// roleOf returns the role of a person who has one, or a new one, now: the highest of
// their groups. Groups change nothing of an owner, who can always get in.
func (p *Policy) roleOf(who Person, present parley.Role) (parley.Role, bool) {
	if present == parley.Owner || len(p.Groups) == 0 {
		return present, true
	}
	best := parley.Role("")
	for _, group := range who.Groups {
		if role, mapped := p.Groups[group]; mapped && given(role) && (best == "" || role.Includes(best)) {
			best = role
		}
	}
	return best, best != ""
}
