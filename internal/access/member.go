package access

import (
	"cmp"
	"context"
	"slices"

	"parley"
	"parley/internal/access/credential"
	"parley/internal/access/factor"
	"parley/internal/access/provider"
	"parley/internal/audit/entry"
	"parley/internal/audit/recording"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/vault"
	"parley/internal/wire"
)

// NewMember are the inputs of a new member.
type NewMember struct {
	Email string
	Name  string
	Role  parley.Role
	AccessChange
}

// CreateMember adds a member, or restores a removed one with the same e-mail
// address, and returns the password, which is shown only this once.
func (svc *Service) CreateMember(ctx context.Context, by desk.Caller, in NewMember) (parley.Member, string, error) {
	m, password, err := svc.newMember(in)
	if err != nil {
		return m, "", err
	}
	m, err = write(ctx, svc, by, func(t *tx) (parley.Member, error) {
		made := m
		var err error
		if made.Access, made.InboxIDs, err = t.accessOf(in.Role, in.AccessChange, parley.AccessAll, nil); err == nil {
			err = t.insertMember(&made)
		}
		if err == nil {
			err = t.Audit.Record(entry.Entry{
				Action: entry.MemberCreated, SubjectType: entry.SubjectMember, SubjectID: string(made.ID),
				Changes: []entry.Change{{Field: "role", To: string(made.Role)}},
			})
		}
		return made, err
	})
	return m, password, err
}

// newMember checks a member and generates a password. Hashing is slow on
// purpose, so it happens before the transaction.
func (svc *Service) newMember(in NewMember) (parley.Member, string, error) {
	if err := desk.CheckEmail(in.Email); err != nil {
		return parley.Member{}, "", err
	}
	if err := desk.CheckName("name", in.Name); err != nil {
		return parley.Member{}, "", err
	}
	if !slices.Contains(parley.Roles, in.Role) {
		return parley.Member{}, "", parley.InvalidField("role", "be owner, admin or agent")
	}
	password, err := vault.RandomPassword()
	if err != nil {
		return parley.Member{}, "", err
	}
	hash, err := svc.vault.PasswordCost().Hash(password)
	return parley.Member{Email: in.Email, Name: in.Name, Role: in.Role, PasswordHash: hash}, password, err
}

// insertMember stores a new member. If a removed member has the e-mail address,
// that one is restored with its id, so that earlier messages and assignments
// belong to the same person.
func (t *tx) insertMember(m *parley.Member) error {
	m.Access = cmp.Or(m.Access, parley.AccessAll)
	// The member has read nothing before, so that a stream from the end of the log is right.
	m.ID, m.CreatedAt, m.UpdatedAt, m.SightSince = t.IDs.NewUserID(), t.Now, t.Now, t.NextSeq(t.WS)-1
	free, err := t.InsertMember(t.WS, m)
	if err == nil && !free {
		err = t.reviveMember(m)
	}
	if err != nil {
		return err
	}
	t.Announce(parley.MemberCreated, parley.ID{}, nil, wire.AppendMember(nil, m))
	return nil
}

func (t *tx) reviveMember(m *parley.Member) error {
	former, err := SelectMemberByEmail(t, t.WS, m.Email)
	if err != nil {
		return err
	}
	if former.RemovedAt.IsZero() {
		return parley.FieldErrorf(parley.Conflict, "email", "must not belong to another member")
	}
	m.ID, m.CreatedAt, m.Image = former.ID, former.CreatedAt, former.Image
	// A server of the version before may have left them.
	if err := credential.DeleteTeamMemberships(t, t.WS, m.ID); err != nil {
		return err
	}
	if _, err := factor.DeleteFactor(t, t.WS, m.ID); err != nil {
		return err
	}
	// Whoever is invited again shows again who they are.
	if _, err := provider.DeleteIdentityOf(t, t.WS, m.ID); err != nil {
		return err
	}
	return t.UpdateMember(t.WS, m)
}

// manages refuses an actor who may not manage members of a role: owners manage
// everybody, admins manage agents. The rule is the same for every verb, because
// verbs can be combined: an actor who may make an admin an agent, and may reset
// agents' passwords, could act as that admin
// (docs/adr/0030-keys-of-members.md).
func manages(actor, role parley.Role) error {
	if actor == parley.Owner || actor == parley.Admin && role == parley.Agent {
		return nil
	}
	if actor == parley.Admin {
		return parley.Errorf(parley.Forbidden, "your role is %s; only an owner manages an %s", actor, role)
	}
	return parley.Errorf(parley.Forbidden, "your role is %s; to manage members you need admin", actor)
}

// MemberChange is an update of a member. Absent fields stay unchanged.
type MemberChange struct {
	Name  parley.Optional[string]
	Image parley.Optional[string]
	Role  parley.Optional[parley.Role]
	AccessChange
}

// UpdateMember changes a member. Members may change their own name and image
// and lower their own role. Only an admin or owner changes what a member sees, of agents
// alone, because admins and owners see everything. Beyond that, admins manage agents, and owners
// manage everybody (Forbidden). The last owner must stay owner (Conflict).
func (svc *Service) UpdateMember(ctx context.Context, by desk.Caller, id parley.UserID, in MemberChange) (parley.Member, error) {
	defer svc.sessions.Forget()
	m, err := write(ctx, svc, by, func(t *tx) (parley.Member, error) {
		actor, err := t.Actor(by)
		if err != nil {
			return parley.Member{}, err
		}
		if id != actor.ID && !actor.Role.Includes(parley.Admin) {
			return parley.Member{}, parley.Errorf(parley.Forbidden, "your role is %s; to change other members you need admin", actor.Role)
		}
		m, err := t.Member(t.WS, id)
		if err == nil && id != actor.ID {
			err = manages(actor.Role, m.Role)
		}
		if err != nil {
			return m, err
		}
		before, sawBefore := m.Role, m.Access
		var changed []string
		desk.Set(&changed, "name", &m.Name, in.Name)
		desk.Set(&changed, "image", &m.Image, in.Image)
		desk.Set(&changed, "role", &m.Role, in.Role)
		if err := t.changeAccess(&actor, &m, in.AccessChange, &changed); err != nil || len(changed) == 0 {
			return m, err
		}
		if m.Role != before {
			if err := t.changeRole(&actor, &m, before); err != nil {
				return m, err
			}
		}
		m.UpdatedAt = t.Now
		if err := t.UpdateMember(t.WS, &m); err != nil {
			return m, err
		}
		t.Announce(parley.MemberUpdated, parley.ID{}, changed, wire.AppendMember(nil, &m))
		changes := recording.WithValues(recording.Fields(changed...), "role", string(before), string(m.Role))
		return m, t.Audit.Record(entry.Entry{
			Action: entry.MemberUpdated, SubjectType: entry.SubjectMember, SubjectID: string(id),
			Changes: recording.WithValues(changes, "access", string(cmp.Or(sawBefore, parley.AccessAll)), string(m.Access)),
		})
	})
	if err == nil {
		if in.Role.Set {
			svc.logAccess("role set", by, id, "role", string(m.Role))
		}
		if in.Access.Set || in.InboxIDs.Set {
			svc.logAccess("access set", by, id, "access", string(m.Access), "inboxes", len(m.InboxIDs))
		}
	}
	return m, err
}

// changeRole checks that an actor may give a member another role, and revokes
// what the new role does not allow. Members may lower their own role.
func (t *tx) changeRole(actor, m *parley.Member, before parley.Role) error {
	if actor.ID != m.ID || !before.Includes(m.Role) {
		if err := cmp.Or(manages(actor.Role, before), manages(actor.Role, m.Role)); err != nil {
			return err
		}
	}
	if before == parley.Owner {
		if err := t.anotherOwner(m.ID, parley.FieldErrorf(parley.Conflict, "role", "must stay owner, because there is no other owner")); err != nil {
			return err
		}
	}
	// Whoever got a password link was trusted with the account as it was then.
	if err := credential.DeleteResetsOf(t, t.WS, m.ID); err != nil {
		return err
	}
	if !m.Role.Includes(before) {
		if err := credential.DeleteInvitationsBy(t, t.WS, m.ID); err != nil {
			return err
		}
	}
	return t.UpdateAccess(t.WS)
}

// anotherOwner returns the refusal unless another owner than a leaving one can get in with a
// password: a provider may fail, and an owner without a password with it. The leaving one is
// no longer exempt from signing in with the provider.
func (t *tx) anotherOwner(member parley.UserID, refusal error) error {
	owners, err := provider.SelectPasswordOwners(t, t.WS)
	if err != nil {
		return err
	}
	s, err := provider.SettingsOf(t, t.WS)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(owners, func(id parley.UserID) bool {
		return id != member && !s.Excludes(&parley.Member{ID: id, Role: parley.Owner})
	}) {
		err = refusal
		if slices.ContainsFunc(owners, func(id parley.UserID) bool { return id != member }) {
			err = parley.Errorf(parley.Conflict, "the last owner who may sign in with a password stays; let another one do so first")
		}
		return err
	}
	i := slices.Index(s.Exempt, member)
	if i < 0 {
		return nil
	}
	before := s
	s.Exempt = slices.Delete(slices.Clone(s.Exempt), i, i+1)
	if err := provider.PutSettings(t, t.WS, &s); err != nil {
		return err
	}
	return t.recordProvider([]string{"exempt"}, &before, &s)
}

// RemoveMember removes a member from the workspace: the member's sessions end,
// and links that the member created or received stop working. Conversations and
// messages keep the name. Only owners may remove admins and owners (Forbidden).
// Members cannot remove themselves, and the last owner stays (Conflict).
func (svc *Service) RemoveMember(ctx context.Context, by desk.Caller, id parley.UserID) (parley.Member, error) {
	defer svc.sessions.Forget()
	m, err := write(ctx, svc, by, func(t *tx) (parley.Member, error) {
		actor, err := t.Actor(by)
		if err != nil {
			return parley.Member{}, err
		}
		m, err := t.Member(t.WS, id)
		switch {
		case err != nil:
			return m, err
		case m.ID == actor.ID:
			return m, parley.Errorf(parley.Conflict, "you cannot remove yourself; another member has to do it")
		}
		if err := manages(actor.Role, m.Role); err != nil {
			return m, err
		}
		if m.Role == parley.Owner {
			if err := t.anotherOwner(m.ID, parley.Errorf(parley.Conflict, "the last owner cannot be removed")); err != nil {
				return m, err
			}
		}
		if err := t.removeMember(&m); err != nil {
			return m, err
		}
		return m, t.Audit.Of(entry.MemberRemoved, entry.SubjectMember, string(id))
	})
	if err == nil {
		svc.logAccess("member removed", by, id)
	}
	return m, err
}

func (t *tx) removeMember(m *parley.Member) error {
	m.RemovedAt, m.UpdatedAt, m.PasswordHash = t.Now, t.Now, ""
	if err := t.UpdateMember(t.WS, m); err != nil {
		return err
	}
	for _, remove := range []func(store.Writer, parley.WorkspaceID, parley.UserID) error{
		credential.DeleteResetsOf, credential.DeleteInvitationsBy, credential.DeleteDraftsOf, credential.DeleteOwnViews, credential.DeleteOwnMacros, credential.DeleteNoticesOf, credential.DeleteFollowsOf,
		credential.DeletePreferencesOf,
	} {
		if err := remove(t, t.WS, m.ID); err != nil {
			return err
		}
	}
	if err := credential.DeleteTeamMemberships(t, t.WS, m.ID); err != nil {
		return err
	}
	if _, err := factor.DeleteFactor(t, t.WS, m.ID); err != nil {
		return err
	}
	if _, err := t.endSessions(m.ID); err != nil {
		return err
	}
	t.Announce(parley.MemberRemoved, parley.ID{}, nil, wire.AppendMember(nil, m))
	return nil
}
