// Package teams has groups of members, and which inboxes and products lead to them. A
// conversation belongs to one team at most, whoever its assignee is.
//
// A deleted team disappears at once. Its conversations may be many, so a timer clears
// them a few at a time and then deletes the row.
//
// It stands over the desk, in whose transactions it writes. It may import the
// vocabulary, the store, the desk, timers and the JSON shapes of events.
package teams

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

// A Service has the verbs of teams. Its methods may be called by many goroutines.
type Service struct{ desk *desk.Desk }

// New returns a Service over a desk.
func New(d *desk.Desk) *Service { return &Service{desk: d} }

// Teams returns all teams, sorted by name.
func (svc *Service) Teams(ws parley.WorkspaceID) desk.Read[[]parley.Team] {
	return desk.Snapshot(svc.desk, func(v *store.View) ([]parley.Team, error) { return All(v, ws) })
}

// All returns all teams of a snapshot, sorted by name.
func All(v store.Reader, ws parley.WorkspaceID) ([]parley.Team, error) { return SelectTeams(v, ws) }

// A Change is a new team or a change of one. Absent fields stay unchanged.
type Change struct {
	Name       parley.Optional[string]
	Color      parley.Optional[parley.LabelColor]
	MemberIDs  parley.Optional[[]parley.UserID] // all of them
	InboxIDs   parley.Optional[[]parley.ID]     // all of them; taken from other teams
	ProductIDs parley.Optional[[]parley.ID]     // all of them; taken from other teams
}

// team returns a team that is not deleted, with all teams.
func team(v *store.View, ws parley.WorkspaceID, id parley.ID) (parley.Team, []parley.Team, error) {
	all, err := SelectTeams(v, ws)
	if err != nil {
		return parley.Team{}, nil, err
	}
	at := slices.IndexFunc(all, func(t parley.Team) bool { return t.ID == id })
	if at < 0 {
		return parley.Team{}, nil, parley.NotFoundf("no such team in this workspace")
	}
	return all[at], all, nil
}

// free refuses a name that another team has, in any case of its letters.
func free(all []parley.Team, id parley.ID, name string) error {
	if slices.ContainsFunc(all, func(t parley.Team) bool { return t.ID != id && strings.EqualFold(t.Name, name) }) {
		return parley.FieldErrorf(parley.Conflict, "name", "must not be that of another team")
	}
	return nil
}

// exist refuses members, inboxes and products that the workspace does not have.
func exist(t *desk.Tx, in Change) error {
	if asked := in.MemberIDs.Or(nil); len(asked) > 0 {
		found, err := SelectPresentMembers(t, t.WS, asked)
		if err := cmp.Or(err, allFound("memberIds", "member", asked, found)); err != nil {
			return err
		}
	}
	if asked := in.InboxIDs.Or(nil); len(asked) > 0 {
		found, err := store.ExistingInboxes(t, t.WS, asked)
		if err := cmp.Or(err, allFound("inboxIds", "inbox", asked, found)); err != nil {
			return err
		}
	}
	if asked := in.ProductIDs.Or(nil); len(asked) > 0 {
		found, err := SelectPresentProducts(t, t.WS, asked)
		if err := cmp.Or(err, allFound("productIds", "product", asked, found)); err != nil {
			return err
		}
	}
	return nil
}

// allFound refuses ids that were not found.
func allFound[T comparable](field, what string, asked, found []T) error {
	if slices.ContainsFunc(asked, func(id T) bool { return !slices.Contains(found, id) }) {
		return parley.FieldErrorf(parley.NotFound, field, "no such %s in this workspace", what)
	}
	return nil
}

// CreateTeam adds a team. A name in use is a Conflict, and so is a team more than
// parley.MaxTeams.
func (svc *Service) CreateTeam(ctx context.Context, by desk.Caller, in Change) (parley.Team, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.Team, error) {
		made := parley.Team{ID: t.IDs.New(t.Now), Name: in.Name.Value, Color: in.Color.Value, CreatedAt: t.Now, UpdatedAt: t.Now}
		all, err := SelectTeams(t, t.WS)
		if err != nil {
			return made, err
		}
		if len(all) >= parley.MaxTeams {
			return made, parley.Errorf(parley.Conflict, "the workspace has %d teams already; delete one first", parley.MaxTeams)
		}
		if err := free(all, made.ID, made.Name); err != nil {
			return made, err
		}
		if err := InsertTeam(t, t.WS, &made); err != nil {
			return made, err
		}
		if _, err := apply(t, &made, all, in); err != nil {
			return made, err
		}
		t.Announce(parley.TeamCreated, parley.ID{}, nil, wire.AppendTeam(nil, &made))
		return made, nil
	})
}

// UpdateTeam changes a team. If nothing changes, nothing happens.
func (svc *Service) UpdateTeam(ctx context.Context, by desk.Caller, id parley.ID, in Change) (parley.Team, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.Team, error) {
		now, all, err := team(&t.View, t.WS, id)
		if err != nil {
			return now, err
		}
		var changed []string
		desk.Set(&changed, "name", &now.Name, in.Name)
		desk.Set(&changed, "color", &now.Color, in.Color)
		if err := free(all, id, now.Name); err != nil {
			return now, err
		}
		more, err := apply(t, &now, all, in)
		if changed = append(changed, more...); err != nil || len(changed) == 0 {
			return now, err
		}
		now.UpdatedAt = t.Now
		if err := UpdateTeam(t, t.WS, &now); err != nil {
			return now, err
		}
		t.Announce(parley.TeamUpdated, parley.ID{}, changed, wire.AppendTeam(nil, &now))
		return now, nil
	})
}

// apply stores the members and sources of a team, and returns the names of what changed.
// The teams that lose a source are told of, too.
func apply(t *desk.Tx, now *parley.Team, all []parley.Team, in Change) (changed []string, err error) {
	if err := exist(t, in); err != nil {
		return nil, err
	}
	if members := desk.Unique(in.MemberIDs.Or(now.MemberIDs)); !sameSet(members, now.MemberIDs) {
		if err := DeleteTeamMembers(t, t.WS, now.ID); err != nil {
			return nil, err
		}
		for _, member := range members {
			if err := InsertTeamMember(t, t.WS, now.ID, member, t.Now); err != nil {
				return nil, err
			}
		}
		moved := append(without(members, now.MemberIDs), without(now.MemberIDs, members)...)
		if err := t.ChangeSights(t.WS, moved); err != nil {
			return nil, err
		}
		slices.Sort(members)
		now.MemberIDs, changed = members, append(changed, "memberIds")
	}
	inboxes, products := desk.Unique(in.InboxIDs.Or(now.InboxIDs)), desk.Unique(in.ProductIDs.Or(now.ProductIDs))
	if sameSet(inboxes, now.InboxIDs) && sameSet(products, now.ProductIDs) {
		return changed, nil
	}
	if !sameSet(inboxes, now.InboxIDs) {
		changed = append(changed, "inboxIds")
	}
	if !sameSet(products, now.ProductIDs) {
		changed = append(changed, "productIds")
	}
	now.InboxIDs, now.ProductIDs = sorted(inboxes), sorted(products)
	if err := DeleteRoutes(t, t.WS, now.ID); err != nil {
		return nil, err
	}
	for _, id := range inboxes {
		if err := PutRoute(t, t.WS, now.ID, id, inboxSource); err != nil {
			return nil, err
		}
	}
	for _, id := range products {
		if err := PutRoute(t, t.WS, now.ID, id, productSource); err != nil {
			return nil, err
		}
	}
	return changed, lose(t, now, all)
}

// lose takes the sources of a team from the others, and tells of it.
func lose(t *desk.Tx, now *parley.Team, all []parley.Team) error {
	for i := range all {
		other := &all[i]
		if other.ID == now.ID {
			continue
		}
		var changed []string
		for name, has := range map[string]struct{ of, taken *[]parley.ID }{
			"inboxIds": {&other.InboxIDs, &now.InboxIDs}, "productIds": {&other.ProductIDs, &now.ProductIDs},
		} {
			before := len(*has.of)
			*has.of = slices.DeleteFunc(*has.of, func(id parley.ID) bool { return slices.Contains(*has.taken, id) })
			if len(*has.of) < before {
				changed = append(changed, name)
			}
		}
		if len(changed) == 0 {
			continue
		}
		slices.Sort(changed)
		other.UpdatedAt = t.Now
		if err := UpdateTeam(t, t.WS, other); err != nil {
			return err
		}
		t.Announce(parley.TeamUpdated, parley.ID{}, changed, wire.AppendTeam(nil, other))
	}
	return nil
}

func sameSet[T comparable](a, b []T) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(x T) bool { return !slices.Contains(b, x) })
}

// without returns the items of a that are not in b.
func without[T comparable](a, b []T) []T {
	return slices.DeleteFunc(slices.Clone(a), func(x T) bool { return slices.Contains(b, x) })
}

func sorted(ids []parley.ID) []parley.ID {
	slices.SortFunc(ids, func(a, b parley.ID) int { return cmp.Compare(a.String(), b.String()) })
	return ids
}
