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

// Limits of sign-in inputs, in characters. Longer inputs cannot be right, and
// get the answer for wrong ones.
const (
	maxEmail    = 320
	maxPassword = 1000
	maxToken    = 200
)

func sessionRoutes() []Route {
	return []Route{
		{"signIn", methodPost, base + "session", "", true, (*Dashboard).signIn},
		{"getSession", methodGet, base + "session", parley.Agent, false, (*Dashboard).getSession},
		{"signOut", methodDelete, base + "session", parley.Agent, false, (*Dashboard).signOut},
		{"listSessions", methodGet, base + "sessions", parley.Agent, false, (*Dashboard).listSessions},
		{"endOtherSessions", methodDelete, base + "sessions/others", parley.Agent, false, endOtherSessions},
		{"endSession", methodDelete, base + "sessions/{id}", parley.Agent, false, endSession},
		{"listMemberSessions", methodGet, base + "members/{id}/sessions", parley.Admin, false, listMemberSessions},
		{"endMemberSessions", methodDelete, base + "members/{id}/sessions", parley.Admin, false, endMemberSessions},
		{"signOutEverywhere", methodDelete, base + "sessions", parley.Agent, false, (*Dashboard).signOutEverywhere},
		{"changePassword", methodPut, base + "password", parley.Agent, false, (*Dashboard).changePassword},
		{"openInvitation", methodPost, base + "invitations/open", "", true, (*Dashboard).openInvitation},
		{"acceptInvitation", methodPost, base + "invitations/accept", "", true, (*Dashboard).acceptInvitation},
	}
}

// entered renders a new session and sets its cookie, or renders the missing
// step and sets the cookie of a half session.
func (c *call) entered(status int) func(access.Entry) httpjson.Reply {
	return func(entry access.Entry) httpjson.Reply {
		if entry.Step != "" {
			if entry.Half != "" {
				httpjson.SetHalf(c.Writer.Header(), string(entry.Half), access.HalfLife)
			}
			return httpjson.Reply{Status: http.StatusAccepted, Body: wire.AppendStep(nil, string(entry.Step), &entry.SignedIn.Workspace)}
		}
		httpjson.SetSession(c.Writer.Header(), entry.Token)
		httpjson.SetTickets(c.Writer.Header(), string(entry.Tickets))
		if c.half() != "" {
			httpjson.ClearHalf(c.Writer.Header())
		}
		return httpjson.Reply{Status: status, Body: appendMe(entry.SignedIn)}
	}
}

func appendMe(in access.SignedIn) []byte {
	return wire.AppendMe(nil, &in.Member, &in.Workspace, &in.Session, in.Reset)
}

// tickets returns the browser's record of earlier sign-ins.
func (c *call) tickets() access.Tickets { return access.Tickets(httpjson.Tickets(c.Request())) }

func (d *Dashboard) signIn(c *call) (httpjson.Reply, error) {
	c.ReadBody()
	in := access.SignIn{
		Email:     httpjson.Required(c.Reader, "email", httpjson.Text(maxEmail)),
		Password:  httpjson.Required(c.Reader, "password", httpjson.Text(maxPassword)),
		Workspace: parley.WorkspaceID(httpjson.Default(c.Reader, "workspaceId", httpjson.ID, parley.ID{})),
		UserAgent: c.Request().UserAgent(),
		Address:   c.address,
		Tickets:   c.tickets(),
	}
	return do(c, func(entry access.Entry) httpjson.Reply {
		if len(entry.Choices) > 0 {
			return httpjson.OK(wire.AppendWorkspaces(nil, entry.Choices))
		}
		return c.entered(http.StatusCreated)(entry)
	}, func(ctx context.Context, _ desk.Caller) (access.Entry, error) { return d.access.SignIn(ctx, in) })
}

func (d *Dashboard) getSession(c *call) (httpjson.Reply, error) {
	return get(c, appendMe, d.access.Me(c.ws(), c.in.Session.ID))
}

// left renders the number of ended sessions and clears the cookie.
func (c *call) left(ended int) httpjson.Reply {
	httpjson.ClearSession(c.Writer.Header())
	return httpjson.OK(wire.AppendEnded(nil, ended))
}

func (d *Dashboard) signOut(c *call) (httpjson.Reply, error) {
	return do(c, c.left, func(ctx context.Context, by desk.Caller) (int, error) {
		return d.access.EndSession(ctx, by, c.in.Session.ID)
	})
}

func (d *Dashboard) signOutEverywhere(c *call) (httpjson.Reply, error) {
	return do(c, c.left, func(ctx context.Context, by desk.Caller) (int, error) { return d.access.EndSessions(ctx, by) })
}

// ended renders the number of ended sessions, where that of the request goes on.
func ended(n int) httpjson.Reply { return httpjson.OK(wire.AppendEnded(nil, n)) }

func endOtherSessions(d *Dashboard, c *call) (httpjson.Reply, error) {
	return do(c, ended, func(ctx context.Context, by desk.Caller) (int, error) {
		return d.access.EndOtherSessions(ctx, by, c.in.Session.ID)
	})
}

func endSession(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	render := ended
	if id == c.in.Session.ID {
		render = c.left
	}
	return do(c, render, func(ctx context.Context, by desk.Caller) (int, error) { return d.access.EndSession(ctx, by, id) })
}

func listMemberSessions(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := parley.UserID(c.PathText("id"))
	return get(c, c.sessions, d.access.SessionsOf(c.by(), id))
}

func endMemberSessions(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := parley.UserID(c.PathText("id"))
	return do(c, ended, func(ctx context.Context, by desk.Caller) (int, error) { return d.access.EndSessionsOf(ctx, by, id) })
}

func (d *Dashboard) listSessions(c *call) (httpjson.Reply, error) {
	return get(c, c.sessions, d.access.Sessions(c.ws(), c.in.Member.ID))
}

// sessions renders sessions, and which of them is that of the request.
func (c *call) sessions(all []parley.Session) []byte {
	return wire.AppendData(nil, all, func(b []byte, s *parley.Session) []byte { return wire.AppendSession(b, s, s.ID == c.in.Session.ID) })
}

func (d *Dashboard) changePassword(c *call) (httpjson.Reply, error) {
	c.ReadBody()
	in := access.PasswordChange{
		Session: c.in.Session.ID,
		Current: httpjson.Required(c.Reader, "current", httpjson.Text(maxPassword)),
		Next:    httpjson.Required(c.Reader, "next", httpjson.Text(maxPassword)),
		Tickets: c.tickets(),
	}
	return do(c, c.entered(http.StatusOK), func(ctx context.Context, by desk.Caller) (access.Entry, error) {
		return d.access.ChangePassword(ctx, by, in)
	})
}

// invited is what an invitation link leads to.
type invited struct {
	invitation parley.Invitation
	workspace  parley.Workspace
}

func (d *Dashboard) openInvitation(c *call) (httpjson.Reply, error) {
	c.ReadBody()
	token := httpjson.Required(c.Reader, "token", httpjson.Text(maxToken))
	return do(c, func(i invited) httpjson.Reply {
		return httpjson.OK(wire.AppendOpenInvitation(nil, &i.invitation, &i.workspace))
	}, func(ctx context.Context, _ desk.Caller) (i invited, err error) {
		i.invitation, i.workspace, err = d.access.OpenInvitation(ctx, parley.Token(token))
		return i, err
	})
}

func (d *Dashboard) acceptInvitation(c *call) (httpjson.Reply, error) {
	c.ReadBody()
	in := access.Acceptance{
		Token:     parley.Token(httpjson.Required(c.Reader, "token", httpjson.Text(maxToken))),
		Name:      httpjson.Default(c.Reader, "name", httpjson.Filled(parley.MaxName), ""),
		Password:  httpjson.Required(c.Reader, "password", httpjson.Text(maxPassword)),
		UserAgent: c.Request().UserAgent(),
		Address:   c.address,
		Tickets:   c.tickets(),
	}
	return do(c, c.entered(http.StatusCreated), func(ctx context.Context, _ desk.Caller) (access.Entry, error) {
		return d.access.AcceptInvitation(ctx, in)
	})
}
