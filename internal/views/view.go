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

// Views returns the saved views that the caller has: their own, then those of everybody,
// each in their order.
func (svc *Service) Views(by desk.Caller) desk.Read[[]parley.SavedView] {
	return desk.View(svc.desk, func(v *store.View) ([]parley.SavedView, error) { return ofMember(v, by) })
}

func ofMember(v store.Reader, by desk.Caller) ([]parley.SavedView, error) {
	found, err := SelectViews(v, by.Workspace, by.Member)
	slices.SortFunc(found, func(a, b parley.SavedView) int {
		return cmp.Or(strings.Compare(string(b.Scope), string(a.Scope)), cmp.Compare(a.Position, b.Position), strings.Compare(a.ID.String(), b.ID.String()))
	})
	return found, err
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

// viewOf returns a view that the caller has. One of another member is NotFound.
func viewOf(t *desk.Tx, by desk.Caller, id parley.ID) (parley.SavedView, error) {
	s, err := SelectView(t, t.WS, id)
	if err == nil && s.Scope == parley.ViewOwn && s.Owner != by.Member {
		return parley.SavedView{}, parley.NotFoundf("no such view in this workspace")
	}
	return s, err
}

// changeable refuses to change what every member has, unless the caller is an admin.
func changeable(t *desk.Tx, by desk.Caller, scope parley.ViewScope) error {
	if scope == parley.ViewOwn {
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

// CreateView adds a view of the caller or, by an admin, of everybody, after the others of
// its scope. If they have one of that name and query there already, it returns that, so
// that a repetition adds no other. More than parley.MaxViews are a Conflict.
func (svc *Service) CreateView(ctx context.Context, by desk.Caller, in parley.SavedView) (parley.SavedView, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.SavedView, error) {
		s := in // the closure may run more than once
		if err := changeable(t, by, s.Scope); err != nil {
			return s, err
		}
		there, err := SelectViews(t, t.WS, by.Member)
		if err != nil {
			return s, err
		}
		for _, other := range there {
			if other.Scope == s.Scope && other.Name == s.Name && other.Query == s.Query {
				return other, nil
			}
		}
		if len(there) >= parley.MaxViews {
			return s, parley.Errorf(parley.Conflict, "there are %d views already", parley.MaxViews)
		}
		for _, other := range there {
			if other.Scope == s.Scope {
				s.Position = max(s.Position, min(other.Position+1, parley.MaxViewPlace))
			}
		}
		s.ID, s.Owner, s.CreatedAt, s.UpdatedAt = t.IDs.New(t.Now), by.Member, t.Now, t.Now
		if s.Scope == parley.ViewAll {
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
		if s.Scope == parley.ViewAll {
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
		if s.Scope == parley.ViewAll {
			t.Announce(parley.ViewDeleted, parley.ID{}, nil, wire.AppendID(nil, id))
		}
		return s, DeleteView(t, t.WS, id)
	})
}
