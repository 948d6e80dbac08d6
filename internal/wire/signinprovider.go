package wire

import (
	"time"

	"parley"
)

// A SignInProvider is the OpenID Connect provider of a workspace, without the secret.
type SignInProvider struct {
	Issuer, ClientID, GroupsClaim string
	Groups                        []GroupRole
	JoinRole                      parley.Role // "": nobody joins
	JoinDomains                   []string
	Required, TrustsFactor        bool
	Exempt                        []parley.UserID
	CreatedAt, UpdatedAt          time.Time
}

// A GroupRole is the role of a group of the provider.
type GroupRole struct {
	Name string
	Role parley.Role
}

// A ProviderPerson is a member who is a person of a provider.
type ProviderPerson struct {
	Member parley.UserID
	Issuer string
	Since  time.Time
}

// AppendSignInProvider appends the provider of a workspace, nil for none, with the addresses
// that it must know and the members who are persons of it.
func AppendSignInProvider(b []byte, p *SignInProvider, redirect, logout string, persons []ProviderPerson) []byte {
	o := open(b)
	if p == nil {
		o.null("provider")
	} else {
		inner := o.object("provider")
		inner.provider(p)
		o.put(inner)
	}
	o.text("redirectUrl", redirect)
	o.text("logoutUrl", logout)
	list(&o, "persons", persons, func(b []byte, p *ProviderPerson) []byte {
		o := open(b)
		o.text("memberId", string(p.Member))
		o.text("issuer", p.Issuer)
		o.time("connectedAt", p.Since)
		return o.close()
	})
	return o.close()
}

func (o *object) provider(p *SignInProvider) {
	o.text("issuer", p.Issuer)
	o.text("clientId", p.ClientID)
	o.text("groupsClaim", p.GroupsClaim)
	list(o, "groups", p.Groups, func(b []byte, g *GroupRole) []byte {
		o := open(b)
		o.text("name", g.Name)
		o.text("role", string(g.Role))
		return o.close()
	})
	o.textOrNull("joinRole", string(p.JoinRole))
	texts(o, "joinDomains", p.JoinDomains)
	o.boolean("required", p.Required)
	o.boolean("trustsFactor", p.TrustsFactor)
	texts(o, "exempt", p.Exempt)
	o.time("createdAt", p.CreatedAt)
	o.time("updatedAt", p.UpdatedAt)
}

// AppendOfferedProvider appends with which provider members may sign in, null for none.
func AppendOfferedProvider(b []byte, workspace parley.WorkspaceID, issuer string) []byte {
	o := open(b)
	if issuer == "" {
		o.null("provider")
		return o.close()
	}
	inner := o.object("provider")
	inner.id("workspaceId", parley.ID(workspace))
	inner.text("issuer", issuer)
	o.put(inner)
	return o.close()
}

// AppendProviderAddress appends the address of a provider to which a browser goes.
func AppendProviderAddress(b []byte, address string) []byte {
	o := open(b)
	o.text("address", address)
	return o.close()
}

// AppendProviderAccount appends which person of the workspace's provider a member is: null
// for no provider, and for nobody.
func AppendProviderAccount(b []byte, issuer string, since time.Time) []byte {
	o := open(b)
	o.textOrNull("issuer", issuer)
	o.timeOrNull("connectedAt", since)
	return o.close()
}
