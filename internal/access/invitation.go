package access

import (
	"context"
	"slices"
	"time"

	"parley"
	"parley/internal/access/credential"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/store"
)

// InvitationPrefix begins every token of an invitation.
const InvitationPrefix = "pi"

// errNoInvitation is the error for a token that opens nothing, whatever the
// reason.
func errNoInvitation() *parley.Error {
	return parley.NotFoundf("this link is not valid any more; ask for another one")
}

// Invitations returns the usable invitations, newest first.
func (svc *Service) Invitations(ws parley.WorkspaceID) desk.Read[[]parley.Invitation] {
	return desk.View(svc.desk, func(v *store.View) ([]parley.Invitation, error) {
		return credential.SelectInvitations(v, ws, svc.clock.Now())
	})
}

// NewInvitation is an invitation with its token, which is shown only this once.
type NewInvitation struct {
	Invitation parley.Invitation
	Token      parley.Token
}

// An Also runs in the transaction that makes a link, for what belongs to it, such as a mail
// that is queued.
type Also func(t *desk.Tx, made NewInvitation) error

// An Invitee is whom to invite.
type Invitee struct {
	Email string
	Role  parley.Role
	AccessChange
}

// Invite creates a link through which somebody becomes a member. An earlier
// link for the e-mail address stops working. Admins may invite agents, and
// owners anybody; the same holds for an address whose earlier invitation or
// membership had a higher role (Forbidden). The address of a member is a
// Conflict.
func (svc *Service) Invite(ctx context.Context, by desk.Caller, in Invitee, also ...Also) (NewInvitation, error) {
	email, role := in.Email, in.Role
	if err := desk.CheckEmail(email); err != nil {
		return NewInvitation{}, err
	}
	if !slices.Contains(parley.Roles, role) {
		return NewInvitation{}, parley.InvalidField("role", "be owner, admin or agent")
	}
	return svc.makeInvitation(ctx, by, parley.InvitationLife, also, func(t *tx, actor parley.Member) (parley.Invitation, error) {
		made := parley.Invitation{Email: email, Role: role}
		if err := manages(actor.Role, role); err != nil {
			return made, err
		}
		var err error
		if made.Access, made.InboxIDs, err = t.accessOf(role, in.AccessChange, parley.AccessAll, nil); err != nil {
			return made, err
		}
		m, err := SelectMemberByEmail(t, t.WS, email)
		switch {
		case err == nil && m.RemovedAt.IsZero():
			return made, parley.FieldErrorf(parley.Conflict, "email", "must not belong to a member already")
		case err == nil: // whoever uses the link becomes the former member
			err = manages(actor.Role, m.Role)
		case parley.KindOf(err) == parley.NotFound:
			err = nil
		}
		if err != nil {
			return made, err
		}
		return made, t.withdrawEarlier(actor.Role, email)
	})
}

// withdrawEarlier withdraws the open invitations of an e-mail address, so that
// only one link makes a member of it. An actor who may not withdraw one may not
// replace it either.
func (t *tx) withdrawEarlier(actor parley.Role, email string) error {
	earlier, err := credential.SelectInvitations(t, t.WS, t.Now)
	if err != nil {
		return err
	}
	for _, i := range earlier {
		if i.MemberID != "" || parley.EmailKey(i.Email) != parley.EmailKey(email) {
			continue
		}
		if err := manages(actor, i.Role); err != nil {
			return err
		}
		if err := credential.DeleteInvitation(t, t.WS, i.ID); err != nil {
			return err
		}
	}
	return nil
}

// ResetPassword creates a link with which a member sets a new password; the
// member can see that it exists. An earlier link stops working. Only owners may
// do it for admins and owners (Forbidden), because whoever has the link can act
// as that member.
func (svc *Service) ResetPassword(ctx context.Context, by desk.Caller, member parley.UserID, also ...Also) (NewInvitation, error) {
	made, err := svc.makeInvitation(ctx, by, parley.ResetLife, also, func(t *tx, actor parley.Member) (parley.Invitation, error) {
		m, err := t.Member(t.WS, member)
		made := parley.Invitation{Email: m.Email, Role: m.Role, Access: parley.AccessAll, MemberID: m.ID}
		if err == nil {
			err = manages(actor.Role, m.Role)
		}
		if err != nil {
			return made, err
		}
		if err := credential.UpdatePasswordReset(t, t.WS, m.ID, t.Now, t.MemberID); err != nil {
			return made, err
		}
		return made, credential.DeleteResetsOf(t, t.WS, m.ID)
	})
	if err == nil {
		svc.logAccess("reset link made", by, member)
	}
	return made, err
}

// makeInvitation stores the invitation that a closure returns.
func (svc *Service) makeInvitation(ctx context.Context, by desk.Caller, life time.Duration, also []Also, fn func(*tx, parley.Member) (parley.Invitation, error)) (NewInvitation, error) {
	token, err := parley.NewToken(InvitationPrefix)
	if err != nil {
		return NewInvitation{}, err
	}
	return write(ctx, svc, by, func(t *tx) (NewInvitation, error) {
		actor, err := t.Actor(by)
		if err != nil {
			return NewInvitation{}, err
		}
		made, err := fn(t, actor)
		if err != nil {
			return NewInvitation{}, err
		}
		made.ID, made.Workspace = t.IDs.New(t.Now), t.WS
		made.CreatedAt, made.ExpiresAt = t.Now, t.Now.Add(life)
		made.InvitedBy = parley.MemberRef{ID: actor.ID, Name: actor.Name, Image: actor.Image}
		result := NewInvitation{Invitation: made, Token: token}
		if err := credential.InsertInvitation(t, t.WS, &made, token.Hash()); err != nil {
			return result, err
		}
		if err := t.recordLink(&made); err != nil {
			return result, err
		}
		for _, do := range also {
			if err := do(t.Tx, result); err != nil {
				return result, err
			}
		}
		return result, nil
	})
}

// recordLink records a new link. The e-mail address is not part of the audit log.
func (t *tx) recordLink(made *parley.Invitation) error {
	if made.MemberID != "" {
		return t.Audit.Of(entry.ResetCreated, entry.SubjectMember, string(made.MemberID))
	}
	return t.Audit.Record(entry.Entry{
		Action: entry.Invited, SubjectType: entry.SubjectInvitation, SubjectID: made.ID.String(),
		Changes: []entry.Change{{Field: "role", To: string(made.Role)}},
	})
}

// WithdrawInvitation makes a link stop working. A used or expired one is
// NotFound. Only owners may withdraw one for an admin or an owner (Forbidden).
func (svc *Service) WithdrawInvitation(ctx context.Context, by desk.Caller, id parley.ID) (parley.Invitation, error) {
	return write(ctx, svc, by, func(t *tx) (parley.Invitation, error) {
		actor, err := t.Actor(by)
		if err != nil {
			return parley.Invitation{}, err
		}
		i, err := credential.SelectInvitation(t, t.WS, id)
		if err == nil && !i.Open(t.Now) {
			err = parley.NotFoundf("no such invitation in this workspace")
		}
		if err == nil {
			err = manages(actor.Role, i.Role)
		}
		if err != nil {
			return i, err
		}
		if err := t.Audit.Of(entry.InvitationDeleted, entry.SubjectInvitation, id.String()); err != nil {
			return i, err
		}
		return i, credential.DeleteInvitation(t, t.WS, id)
	})
}

// OpenInvitation returns the invitation of a link. An unknown, used or expired
// one is NotFound.
func (svc *Service) OpenInvitation(ctx context.Context, token parley.Token) (parley.Invitation, parley.Workspace, error) {
	var w parley.Workspace
	i, err := desk.View(svc.desk, func(v *store.View) (parley.Invitation, error) {
		i, err := openInvitation(v, token, svc.clock.Now())
		if err == nil {
			w, err = v.Workspace(i.Workspace)
		}
		return i, err
	}).Now(ctx)
	if parley.KindOf(err) == parley.NotFound {
		svc.refusals.add(BadLink)
	}
	return i, w, err
}

func openInvitation(v *store.View, token parley.Token, now time.Time) (parley.Invitation, error) {
	if !token.WellFormed(InvitationPrefix) {
		return parley.Invitation{}, errNoInvitation()
	}
	i, err := credential.SelectInvitationByHash(v, token.Hash())
	if parley.KindOf(err) == parley.NotFound || err == nil && !i.Open(now) {
		err = errNoInvitation()
	}
	return i, err
}

// An Acceptance is the answer to an invitation.
type Acceptance struct {
	Token     parley.Token
	Name      string // of a new member; not used for a reset
	Password  string
	UserAgent string
	Address   string // as in SignIn
	Tickets   Tickets
}

// nameFor returns the name of the member of an invitation: the given one, which
// it checks, or for a reset the member's.
func (svc *Service) nameFor(ctx context.Context, i parley.Invitation, given string) (string, error) {
	if i.MemberID == "" {
		return given, desk.CheckName("name", given)
	}
	m, err := desk.View(svc.desk, func(v *store.View) (parley.Member, error) { return v.Member(i.Workspace, i.MemberID) }).Now(ctx)
	return m.Name, err
}

// AcceptInvitation makes a new member, or gives the named member a new password
// and ends that member's sessions. Either way it signs the member in, as far as
// a password does: the second step stays. The link is then used up.
func (svc *Service) AcceptInvitation(ctx context.Context, in Acceptance) (Entry, error) {
	i, w, err := svc.OpenInvitation(ctx, in.Token)
	if err != nil {
		return Entry{}, err
	}
	name, err := svc.nameFor(ctx, i, in.Name)
	if err == nil {
		err = checkPassword("password", in.Password, i.Email, name, w.Name)
	}
	if err != nil {
		return Entry{}, err
	}
	hash, err := svc.passwords.Hash(ctx, in.Password)
	if err != nil {
		return Entry{}, waited(err)
	}
	defer svc.sessions.Forget()
	by := desk.Caller{Workspace: i.Workspace, Client: entry.Client{Address: in.Address, UserAgent: in.UserAgent}}
	entry, err := svc.enter(ctx, by, way{}, func(t *tx) (parley.Member, error) {
		i, err := openInvitation(&t.View, in.Token, t.Now)
		if err != nil {
			return parley.Member{}, err // used or withdrawn in the meantime
		}
		if err := credential.UpdateInvitationUsed(t, t.WS, i.ID, t.Now); err != nil {
			return parley.Member{}, err
		}
		if i.MemberID == "" {
			return t.joinsByLink(&i, in.Name, hash)
		}
		m, err := t.Member(t.WS, i.MemberID)
		if err != nil {
			return m, err
		}
		if m.Role != i.Role {
			return m, errNoInvitation() // the member had another role when it was created
		}
		if err := t.setPassword(&m, hash); err != nil {
			return m, err
		}
		if err := t.recordOwn(entry.PasswordReset, m.ID); err != nil {
			return m, err
		}
		return m, t.recordEntered(&m, way{})
	})
	if err != nil {
		return entry, err
	}
	svc.logAccess("link used", by, entry.SignedIn.Member.ID, "reset", i.MemberID != "")
	return svc.known(in.Tickets, entry, nil)
}

// joinsByLink makes a new member of an invitation.
func (t *tx) joinsByLink(i *parley.Invitation, name, hash string) (parley.Member, error) {
	m := parley.Member{Email: i.Email, Name: name, Role: i.Role, Access: i.Access, InboxIDs: i.InboxIDs, PasswordHash: hash}
	t.Origin.Actor = parley.Actor{Type: parley.ActorMember, Name: name}
	err := t.insertMember(&m)
	if parley.KindOf(err) == parley.Conflict { // the address is that of the invitation, not an input
		err = parley.Errorf(parley.Conflict, "a member of this workspace has this e-mail address")
	}
	if err == nil {
		err = t.recordOwn(entry.InvitationAccepted, m.ID, entry.Change{Field: "role", To: string(m.Role)})
	}
	if err == nil {
		err = t.recordEntered(&m, way{})
	}
	return m, err
}

// recordOwn records what somebody did to the own account by a link.
func (t *tx) recordOwn(action entry.Action, member parley.UserID, changes ...entry.Change) error {
	return t.Audit.Record(entry.Entry{
		ActorType: entry.Member, ActorID: string(member), Action: action,
		SubjectType: entry.SubjectMember, SubjectID: string(member), Changes: changes,
	})
}
