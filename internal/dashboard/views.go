package dashboard

import (
	"context"
	"encoding/json"
	"errors"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/live"
	"parley/internal/surface"
	"parley/internal/views"
	"parley/internal/wire"
)

func viewRoutes() []Route {
	const agent, path = parley.Agent, base + "views"
	return []Route{
		{"listViews", methodGet, path, agent, false, listViews},
		{"createView", methodPost, path, agent, false, createView},
		{"updateView", methodPatch, path + "/{id}", agent, false, updateView},
		{"deleteView", methodDelete, path + "/{id}", agent, false, deleteView},
		{"countViews", methodGet, base + "view-counts", agent, false, countViews},
	}
}

func listViews(d *Dashboard, c *call) (httpjson.Reply, error) {
	return get(c, func(found []parley.SavedView) []byte { return wire.AppendData(nil, found, wire.AppendSavedView) }, d.work.Views.Views(c.by()))
}

func countViews(d *Dashboard, c *call) (httpjson.Reply, error) {
	by := c.by()
	return get(c, func(counts []parley.ViewCount) []byte { return wire.AppendData(nil, counts, wire.AppendViewCount) },
		d.work.Views.Counts(by, func(query string) (desk.ConversationFilter, error) { return surface.ViewFilter(query, by.Member) }))
}

func createView(d *Dashboard, c *call) (httpjson.Reply, error) {
	c.ReadBody()
	in := parley.SavedView{
		Name:   httpjson.Required(c.Reader, "name", httpjson.Filled(parley.MaxViewName)),
		Scope:  httpjson.Default(c.Reader, "scope", httpjson.OneOf(parley.ViewScopes), parley.ViewOwn),
		Query:  httpjson.Required(c.Reader, "query", viewQuery),
		Pinned: httpjson.Default(c.Reader, "pinned", httpjson.Bool, true),
	}
	if in.Scope == parley.ViewTeam {
		in.Team = httpjson.Required(c.Reader, "teamId", httpjson.ID)
	}
	return do(c, func(s parley.SavedView) httpjson.Reply {
		tellOwnView(d, c, &s)
		return httpjson.Saved(true, wire.AppendSavedView(nil, &s))
	},
		func(ctx context.Context, by desk.Caller) (parley.SavedView, error) {
			return d.work.Views.CreateView(ctx, by, in)
		})
}

func updateView(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	in := views.Change{
		Name:     httpjson.Change(c.Reader, "name", httpjson.Filled(parley.MaxViewName)),
		Query:    httpjson.Change(c.Reader, "query", viewQuery),
		Position: httpjson.Change(c.Reader, "position", httpjson.Whole(0, parley.MaxViewPlace)),
		Pinned:   httpjson.Change(c.Reader, "pinned", httpjson.Bool),
	}
	return do(c, viewReply(d, c), func(ctx context.Context, by desk.Caller) (parley.SavedView, error) {
		return d.work.Views.UpdateView(ctx, by, id, in)
	})
}

func deleteView(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return do(c, viewReply(d, c), func(ctx context.Context, by desk.Caller) (parley.SavedView, error) {
		return d.work.Views.DeleteView(ctx, by, id)
	})
}

func viewReply(d *Dashboard, c *call) func(parley.SavedView) httpjson.Reply {
	return func(s parley.SavedView) httpjson.Reply {
		tellOwnView(d, c, &s)
		return httpjson.OK(wire.AppendSavedView(nil, &s))
	}
}

// tellOwnView tells the other pages of the member that one of their own views has changed.
// Of the views that others have too, the log tells.
func tellOwnView(d *Dashboard, c *call, s *parley.SavedView) {
	if s.Scope == parley.ViewOwn {
		d.live.Signal(c.Context(), c.ws(), live.Signal{Name: "view", Member: c.in.Member.ID, Data: []byte("{}")})
	}
}

// viewQuery is the rule for the query of a view.
func viewQuery(raw json.RawMessage) (string, error) {
	query, err := httpjson.Filled(parley.MaxViewQuery)(raw)
	if err != nil {
		return "", err
	}
	if _, err := surface.ViewFilter(query, ""); err != nil {
		return "", errors.New("be a filter of the list of conversations")
	}
	return query, nil
}
