package wire

import "parley"

// AppendWorkspace appends a workspace as its members see it.
func AppendWorkspace(b []byte, w *parley.Workspace) []byte {
	o := open(b)
	o.text("id", w.ID.String())
	o.text("name", w.Name)
	return o.close()
}

// AppendWorkspaces appends the workspaces among which somebody who signs in can
// choose.
func AppendWorkspaces(b []byte, workspaces []parley.Workspace) []byte {
	o := open(b)
	list(&o, "workspaces", workspaces, AppendWorkspace)
	return o.close()
}

// AppendMe appends the signed-in member, the workspace, and who last reset the
// member's password.
func AppendMe(b []byte, m *parley.Member, w *parley.Workspace, s *parley.Session, reset parley.PasswordReset) []byte {
	o := open(b)
	o.name("member")
	o.b = AppendMember(o.b, m)
	o.name("workspace")
	o.b = AppendWorkspace(o.b, w)
	o.name("session")
	o.b = AppendSession(o.b, s, true)
	if reset.At.IsZero() {
		o.null("passwordReset")
		return o.close()
	}
	given := o.object("passwordReset")
	given.time("at", reset.At)
	actor(&given, "by", reset.By)
	o.put(given)
	return o.close()
}

// AppendSession appends a session; current says that it is the session of the
// request.
func AppendSession(b []byte, s *parley.Session, current bool) []byte {
	o := open(b)
	o.id("id", s.ID)
	o.text("userAgent", s.UserAgent)
	o.text("address", s.Address)
	o.time("createdAt", s.CreatedAt)
	o.time("seenAt", s.SeenAt)
	o.time("expiresAt", s.ExpiresAt)
	o.boolean("current", current)
	return o.close()
}

// AppendEnded appends how many sessions ended.
func AppendEnded(b []byte, n int) []byte {
	o := open(b)
	o.integer("ended", int64(n))
	return o.close()
}

// AppendInvitation appends an invitation without its link.
func AppendInvitation(b []byte, i *parley.Invitation) []byte {
	o := open(b)
	invitationMembers(&o, i)
	return o.close()
}

// AppendNewInvitation appends an invitation with its link: a path with the
// token as fragment, which browsers do not send.
func AppendNewInvitation(b []byte, i *parley.Invitation, token parley.Token) []byte {
	o := open(b)
	invitationMembers(&o, i)
	o.text("link", "/invite#"+string(token))
	return o.close()
}

func invitationMembers(o *object, i *parley.Invitation) {
	o.id("id", i.ID)
	o.text("email", i.Email)
	o.text("role", string(i.Role))
	accessMembers(o, i.Access, i.InboxIDs)
	o.textOrNull("memberId", string(i.MemberID))
	if i.InvitedBy.ID == "" {
		o.null("invitedBy")
	} else {
		by := o.object("invitedBy")
		by.text("id", string(i.InvitedBy.ID))
		by.text("name", i.InvitedBy.Name)
		o.put(by)
	}
	o.time("createdAt", i.CreatedAt)
	o.time("expiresAt", i.ExpiresAt)
}

// AppendOpenInvitation appends what an invitation link shows to whoever has it.
func AppendOpenInvitation(b []byte, i *parley.Invitation, w *parley.Workspace) []byte {
	o := open(b)
	workspace := o.object("workspace")
	workspace.text("name", w.Name)
	o.put(workspace)
	o.text("email", i.Email)
	o.text("role", string(i.Role))
	o.textOrNull("memberId", string(i.MemberID))
	o.time("expiresAt", i.ExpiresAt)
	return o.close()
}
