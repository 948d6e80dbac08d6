package views

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/wire"
)

// Views returns the saved views that the caller has: their own, then those of their teams
// and of everybody, each in their order. Admins have those of all teams.
func (svc *Service) Views(by desk.Caller) desk.Read[[]parley.SavedView] {
	return desk.View(svc.desk, func(v *store.View) ([]parley.SavedView, error) { return ofMember(v, by) })
}

func ofMember(v *store.View, by desk.Caller) ([]parley.SavedView, error) {
	admin, err := isAdmin(v, by)
	if err != nil {
		return nil, err
	}
	find := SelectViews
	if admin {
		find = SelectViewsOfAdmin
	}
	found, err := find(v, by.Workspace, by.Member)
	slices.SortFunc(found, func(a, b parley.SavedView) int {
		return cmp.Or(cmp.Compare(rank(a.Scope), rank(b.Scope)), strings.Compare(teamOf(a), teamOf(b)), cmp.Compare(a.Position, b.Position), strings.Compare(a.ID.String(), b.ID.String()))
	})
	return found, err
}

func rank(scope parley.ViewScope) int { return slices.Index(parley.ViewScopes, scope) }

func teamOf(s parley.SavedView) string { return s.Team.String() }

func isAdmin(v *store.View, by desk.Caller) (bool, error) {
	member, err := v.Member(by.Workspace, by.Member)
	return member.Role.Includes(parley.Admin), err
}

// Counts returns how many conversations the first pinned views of the caller have, at
// most parley.MaxViewCounts of them. filterOf reads the query of a view; a query that it
// refuses is not counted.
func (svc *Service) Counts(by desk.Caller, filterOf func(query string) (desk.ConversationFilter, error)) desk.Read[[]parley.ViewCount] {
	return desk.View(svc.desk, func(v *store.View) ([]parley.ViewCount, error) {
		found, err := ofMember(v, by)
		if err != nil {
			return nil, err
		}
		found = slices.DeleteFunc(found, func(s parley.SavedView) bool { return !s.Pinned })
		var counts []parley.ViewCount
		for _, s := range found[:min(len(found), parley.MaxViewCounts)] {
			filter, err := filterOf(s.Query)
			if err != nil {
				continue // by a version that knew other filters
			}
			ids, err := v.ConversationIDs(by.Visibility(), filter, parley.Position{}, parley.MaxViewCount)
			if err != nil {
				return nil, err
			}
			counts = append(counts, parley.ViewCount{ID: s.ID, Count: len(ids.Items), More: ids.HasMore})
		}
		return counts, nil
	})
}

// viewOf returns a view that the caller has. One of another member or team is NotFound.
func viewOf(t *desk.Tx, by desk.Caller, id parley.ID) (parley.SavedView, error) {
	s, err := SelectView(t, t.WS, id)
	if err != nil {
		return s, err
	}
	sees := s.Scope == parley.ViewAll || s.Scope == parley.ViewOwn && s.Owner == by.Member
	if s.Scope == parley.ViewTeam {
		sees, err = mayTeam(t, by, s.Team)
	}
	if err == nil && !sees {
		return parley.SavedView{}, parley.NotFoundf("no such view in this workspace")
	}
	return s, err
}

// mayTeam reports whether the caller sees and changes the views of a team.
func mayTeam(t *desk.Tx, by desk.Caller, team parley.ID) (bool, error) {
	in, err := SelectInTeam(t, t.WS, team, by.Member)
	if err != nil || in {
		return in, err
	}
	return isAdmin(&t.View, by)
}

// changeable refuses to change what every member has, unless the caller is an admin. The
// views of a team are changed by everyone who sees them.
func changeable(t *desk.Tx, by desk.Caller, scope parley.ViewScope) error {
	if scope != parley.ViewAll {
		return nil
	}
	member, err := t.Member(t.WS, by.Member)
	if err != nil {
		return err
	}
	if !member.Role.Includes(parley.Admin) {
		return parley.Errorf(parley.Forbidden, "your role is %s; views of everybody need %s", member.Role, parley.Admin)
	}
	return nil
}

// addable refuses a view of everybody by who is no admin, and one of a team that does not
// exist or that the caller is not in.
func addable(t *desk.Tx, by desk.Caller, s *parley.SavedView) error {
	if s.Scope != parley.ViewTeam {
		return changeable(t, by, s.Scope)
	}
	if _, err := t.Team(t.WS, s.Team); err != nil {
		return desk.Reference("teamId", err)
	}
	may, err := mayTeam(t, by, s.Team)
	if err == nil && !may {
		err = parley.Errorf(parley.Forbidden, "you are not in this team")
	}
	return err
}

// CreateView adds a view of the caller, of a team that they are in or, by an admin, of any
// team or of everybody, after the others of its scope. If they have one of that name and query there already, it returns that, so
// that a repetition adds no other. More than parley.MaxViews are a Conflict.
func (svc *Service) CreateView(ctx context.Context, by desk.Caller, in parley.SavedView) (parley.SavedView, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.SavedView, error) {
		s := in // the closure may run more than once
		if err := addable(t, by, &s); err != nil {
			return s, err
		}
		there, err := ofMember(&t.View, by)
		if err != nil {
			return s, err
		}
		there = slices.DeleteFunc(there, func(other parley.SavedView) bool { return other.Scope != s.Scope || other.Team != s.Team })
		for _, other := range there {
			if other.Name == s.Name && other.Query == s.Query {
				return other, nil
			}
		}
		if len(there) >= parley.MaxViews {
			return s, parley.Errorf(parley.Conflict, "there are %d views already", parley.MaxViews)
		}
		for _, other := range there {
			s.Position = max(s.Position, min(other.Position+1, parley.MaxViewPlace))
		}
		s.ID, s.Owner, s.CreatedAt, s.UpdatedAt = t.IDs.New(t.Now), by.Member, t.Now, t.Now
		if s.Scope != parley.ViewOwn {
			t.Announce(parley.ViewCreated, parley.ID{}, nil, wire.AppendSavedView(nil, &s))
		}
		return s, PutView(t, t.WS, &s)
	})
}

// A Change is an update of a view. Absent fields stay unchanged.
type Change struct {
	Name     parley.Optional[string]
	Query    parley.Optional[string]
	Position parley.Optional[int]
	Pinned   parley.Optional[bool]
}

// UpdateView changes a view that the caller has.
func (svc *Service) UpdateView(ctx context.Context, by desk.Caller, id parley.ID, in Change) (parley.SavedView, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.SavedView, error) {
		s, err := viewOf(t, by, id)
		if err != nil {
			return s, err
		}
		if err := changeable(t, by, s.Scope); err != nil {
			return s, err
		}
		var changed []string
		desk.Set(&changed, "name", &s.Name, in.Name)
		desk.Set(&changed, "query", &s.Query, in.Query)
		desk.Set(&changed, "position", &s.Position, in.Position)
		desk.Set(&changed, "pinned", &s.Pinned, in.Pinned)
		if len(changed) == 0 {
			return s, nil
		}
		s.UpdatedAt = t.Now
		if s.Scope != parley.ViewOwn {
			t.Announce(parley.ViewUpdated, parley.ID{}, changed, wire.AppendSavedView(nil, &s))
		}
		return s, PutView(t, t.WS, &s)
	})
}

// DeleteView deletes a view that the caller has, and returns it.
func (svc *Service) DeleteView(ctx context.Context, by desk.Caller, id parley.ID) (parley.SavedView, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.SavedView, error) {
		s, err := viewOf(t, by, id)
		if err != nil {
			return s, err
		}
		if err := changeable(t, by, s.Scope); err != nil {
			return s, err
		}
		if s.Scope != parley.ViewOwn {
			t.Announce(parley.ViewDeleted, parley.ID{}, nil, wire.AppendID(nil, id))
		}
		return s, DeleteView(t, t.WS, id)
	})
}
