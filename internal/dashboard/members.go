package dashboard

import (
	"context"
	"net/http"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

func memberRoutes() []Route {
	return []Route{
		{"listInvitations", methodGet, base + "invitations", parley.Admin, false, (*Dashboard).listInvitations},
		{"createInvitation", methodPost, base + "invitations", parley.Admin, false, (*Dashboard).createInvitation},
		{"deleteInvitation", methodDelete, base + "invitations/{id}", parley.Admin, false, (*Dashboard).deleteInvitation},
		{"resetMember", methodPost, base + "members/{id}/reset", parley.Admin, false, resetMember},
		{"updateMember", methodPatch, base + "members/{id}", parley.Agent, false, (*Dashboard).updateMember},
		{"deleteMember", methodDelete, base + "members/{id}", parley.Admin, false, (*Dashboard).deleteMember},
		{"updateWorkspace", methodPatch, base + "workspace", parley.Owner, false, (*Dashboard).updateWorkspace},
	}
}

func (d *Dashboard) listInvitations(c *call) (httpjson.Reply, error) {
	return get(c, func(open []parley.Invitation) []byte { return wire.AppendData(nil, open, wire.AppendInvitation) }, d.access.Invitations(c.ws()))
}

// readAccess reads which conversations a member is to see.
func readAccess(c *call) access.AccessChange {
	return access.AccessChange{
		Access:   httpjson.Change(c.Reader, "access", httpjson.OneOf(parley.Accesses)),
		InboxIDs: httpjson.Change(c.Reader, "inboxIds", httpjson.ListOf(0, parley.MaxMemberInboxes, httpjson.ID)),
	}
}

func invitedReply(made access.NewInvitation) httpjson.Reply {
	return httpjson.Reply{Status: http.StatusCreated, Body: wire.AppendNewInvitation(nil, &made.Invitation, made.Token)}
}

func (d *Dashboard) createInvitation(c *call) (httpjson.Reply, error) {
	c.ReadBody()
	email := httpjson.Required(c.Reader, "email", httpjson.Email)
	role := httpjson.Required(c.Reader, "role", httpjson.OneOf(parley.Roles))
	in := access.Invitee{Email: email, Role: role, AccessChange: readAccess(c)}
	also := byMail(d, httpjson.Default(c.Reader, "mail", httpjson.Bool, false), c.preferred())
	return do(c, invitedReply, func(ctx context.Context, by desk.Caller) (access.NewInvitation, error) {
		return d.access.Invite(ctx, by, in, also...)
	})
}

func (d *Dashboard) deleteInvitation(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return do(c, func(withdrawn parley.Invitation) httpjson.Reply {
		return httpjson.OK(wire.AppendInvitation(nil, &withdrawn))
	}, func(ctx context.Context, by desk.Caller) (parley.Invitation, error) {
		return d.access.WithdrawInvitation(ctx, by, id)
	})
}

func resetMember(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := parley.UserID(c.PathText("id"))
	c.ReadOptionalBody()
	also := byMail(d, httpjson.Default(c.Reader, "mail", httpjson.Bool, false), c.preferred())
	return do(c, invitedReply, func(ctx context.Context, by desk.Caller) (access.NewInvitation, error) {
		return d.access.ResetPassword(ctx, by, id, also...)
	})
}

func memberReply(m parley.Member) httpjson.Reply { return httpjson.OK(wire.AppendMember(nil, &m)) }

func (d *Dashboard) updateMember(c *call) (httpjson.Reply, error) {
	id := parley.UserID(c.PathText("id"))
	c.ReadBody()
	in := access.MemberChange{
		Name:  httpjson.Change(c.Reader, "name", httpjson.Filled(parley.MaxName)),
		Image: httpjson.Change(c.Reader, "image", httpjson.URL),
		Role:  httpjson.Change(c.Reader, "role", httpjson.OneOf(parley.Roles)),
	}
	in.AccessChange = readAccess(c)
	if in.Role.Set || in.Access.Set || in.InboxIDs.Set {
		if err := demand(d, c, access.Confirmation); err != nil {
			return httpjson.Reply{}, err
		}
	}
	return do(c, memberReply, func(ctx context.Context, by desk.Caller) (parley.Member, error) {
		return d.access.UpdateMember(ctx, by, id, in)
	})
}

func (d *Dashboard) deleteMember(c *call) (httpjson.Reply, error) {
	id := parley.UserID(c.PathText("id"))
	return do(c, memberReply, func(ctx context.Context, by desk.Caller) (parley.Member, error) {
		return d.access.RemoveMember(ctx, by, id)
	})
}

func (d *Dashboard) updateWorkspace(c *call) (httpjson.Reply, error) {
	c.ReadBody()
	name := httpjson.Required(c.Reader, "name", httpjson.Filled(parley.MaxName))
	return do(c, func(w parley.Workspace) httpjson.Reply {
		return httpjson.OK(wire.AppendWorkspace(nil, &w))
	}, func(ctx context.Context, by desk.Caller) (parley.Workspace, error) {
		return d.access.RenameWorkspace(ctx, by, name)
	})
}
