package audit

import (
	"cmp"
	"slices"
	"strings"

	"parley"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/store"
)

// maxActors is how many members, and how many keys, a list of actors has at most.
const maxActors = 2000

// A KnownActor is a member or a key of a workspace, whose entries can be asked for.
type KnownActor struct {
	Type   entry.Actor
	ID     string
	Name   string
	Former bool // a removed member, or a revoked key
}

// Actors returns the members and the keys of a workspace, present ones first, by their
// names: also those who are gone, because the log still has what they did. Of the members,
// and of the keys, it has the 2000 newest.
func (svc *Service) Actors(ws parley.WorkspaceID) desk.Read[[]KnownActor] {
	return desk.Snapshot(svc.desk, func(v *store.View) ([]KnownActor, error) {
		members, err := selectMembersEver(v, ws, maxActors)
		if err != nil {
			return nil, err
		}
		keys, err := selectKeysEver(v, ws, maxActors)
		all := slices.Concat(members, keys)
		slices.SortStableFunc(all, func(a, b KnownActor) int {
			return cmp.Or(absentFirst(a.Former, b.Former), absentFirst(a.Type == entry.Key, b.Type == entry.Key),
				strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.ID, b.ID))
		})
		return all, err
	})
}

// absentFirst sorts what is not before what is.
func absentFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}
