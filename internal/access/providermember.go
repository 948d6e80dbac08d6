package access

import (
	"parley"
	"parley/internal/access/admission"
	"parley/internal/access/openid"
	"parley/internal/access/provider"
	"parley/internal/audit/entry"
	"parley/internal/audit/recording"
	"parley/internal/desk"
	"parley/internal/wire"
)

// becomes makes a person the member that the rules say, with the role.
func (t *tx) becomes(o admission.Outcome, who openid.Identity) (parley.Member, error) {
	if o.Member == nil {
		return t.joins(o, who)
	}
	m := *o.Member
	t.Origin.Actor = parley.MemberActor(&m)
	if o.Bind {
		if err := t.bind(&provider.Identity{Issuer: who.Issuer, Subject: who.Subject, Member: m.ID, Since: t.Now}); err != nil {
			return m, err
		}
	}
	if m.Role == o.Role {
		return m, nil
	}
	return t.takesRole(m, o.Role)
}

// joins makes a new member, who has no password.
func (t *tx) joins(o admission.Outcome, who openid.Identity) (parley.Member, error) {
	m := parley.Member{Email: who.Email, Name: who.Name, Role: o.Role}
	if desk.CheckName("name", m.Name) != nil {
		m.Name = nameOf(who.Email)
	}
	t.Origin.Actor = parley.Actor{Type: parley.ActorMember, Name: m.Name}
	if err := desk.CheckEmail(m.Email); err != nil {
		return m, err
	}
	if err := t.insertMember(&m); err != nil {
		return m, err
	}
	if err := t.recordOwn(entry.MemberCreated, m.ID, entry.Change{Field: "role", To: string(m.Role)}); err != nil {
		return m, err
	}
	return m, t.bind(&provider.Identity{Issuer: who.Issuer, Subject: who.Subject, Member: m.ID, Since: t.Now})
}

// takesRole gives a member the role of a group. Neither it nor the present one is that of an
// owner.
func (t *tx) takesRole(m parley.Member, role parley.Role) (parley.Member, error) {
	before := m.Role
	m.Role = role
	changed := []string{"role"}
	server := parley.Member{Role: parley.Owner}
	if err := t.changeAccess(&server, &m, AccessChange{}, &changed); err != nil {
		return m, err
	}
	if err := t.changeRole(&server, &m, before); err != nil {
		return m, err
	}
	m.UpdatedAt = t.Now
	if err := t.UpdateMember(t.WS, &m); err != nil {
		return m, err
	}
	t.Announce(parley.MemberUpdated, parley.ID{}, changed, wire.AppendMember(nil, &m))
	return m, t.Audit.Record(entry.Entry{
		Action: entry.MemberUpdated, SubjectType: entry.SubjectMember, SubjectID: string(m.ID),
		Changes: recording.WithValues(recording.Fields(changed...), "role", string(before), string(role)),
	})
}
