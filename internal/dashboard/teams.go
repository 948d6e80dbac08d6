package dashboard

import (
	"context"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/teams"
	"parley/internal/wire"
)

func teamRoutes() []Route {
	const admin, path = parley.Admin, base + "teams"
	return []Route{
		{"createTeam", methodPost, path, admin, false, createTeam},
		{"updateTeam", methodPatch, path + "/{id}", admin, false, updateTeam},
		{"deleteTeam", methodDelete, path + "/{id}", admin, false, deleteTeam},
	}
}

func createTeam(d *Dashboard, c *call) (httpjson.Reply, error) {
	c.ReadBody()
	in := teams.Change{
		Name:  parley.Some(httpjson.Required(c.Reader, "name", httpjson.Filled(parley.MaxTeamName))),
		Color: parley.Some(httpjson.Required(c.Reader, "color", httpjson.OneOf(parley.LabelColors))),
	}
	if err := readTeamLists(d, c, &in); err != nil {
		return httpjson.Reply{}, err
	}
	return do(c, func(t parley.Team) httpjson.Reply { return httpjson.Saved(true, wire.AppendTeam(nil, &t)) },
		func(ctx context.Context, by desk.Caller) (parley.Team, error) {
			return d.work.Teams.CreateTeam(ctx, by, in)
		})
}

func updateTeam(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	in := teams.Change{
		Name:  httpjson.Change(c.Reader, "name", httpjson.Filled(parley.MaxTeamName)),
		Color: httpjson.Change(c.Reader, "color", httpjson.OneOf(parley.LabelColors)),
	}
	if err := readTeamLists(d, c, &in); err != nil {
		return httpjson.Reply{}, err
	}
	return do(c, teamReply, func(ctx context.Context, by desk.Caller) (parley.Team, error) {
		return d.work.Teams.UpdateTeam(ctx, by, id, in)
	})
}

// readTeamLists reads who is in a team and what leads to it. Members who may see some
// conversations alone see those of their teams: both say what they see, so that naming any
// of them needs a confirmation.
func readTeamLists(d *Dashboard, c *call, in *teams.Change) error {
	in.MemberIDs = httpjson.Change(c.Reader, "memberIds", httpjson.ListOf(0, parley.MaxTeamMembers, httpjson.User))
	in.InboxIDs = httpjson.Change(c.Reader, "inboxIds", httpjson.ListOf(0, parley.MaxTeamSources, httpjson.ID))
	in.ProductIDs = httpjson.Change(c.Reader, "productIds", httpjson.ListOf(0, parley.MaxTeamSources, httpjson.ID))
	if !in.MemberIDs.Set && !in.InboxIDs.Set && !in.ProductIDs.Set {
		return nil
	}
	return demand(d, c, access.Confirmation)
}

func deleteTeam(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return do(c, teamReply, func(ctx context.Context, by desk.Caller) (parley.Team, error) {
		return d.work.Teams.DeleteTeam(ctx, by, id)
	})
}

func teamReply(t parley.Team) httpjson.Reply { return httpjson.OK(wire.AppendTeam(nil, &t)) }
