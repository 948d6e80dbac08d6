package access

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

// An AccessChange says which conversations a member is to see. Absent fields stay
// unchanged; inboxes alone are those of parley.AccessOwn.
type AccessChange struct {
	Access   parley.Optional[parley.Access]
	InboxIDs parley.Optional[[]parley.ID] // all of them
}

// accessOf returns what a member of a role sees after a change, and the inboxes, sorted.
// Owners and admins see everything. Without inboxes, a member with parley.AccessOwn sees
// the conversations of the member's teams and those assigned to the member.
func (t *tx) accessOf(role parley.Role, in AccessChange, access parley.Access, inboxes []parley.ID) (parley.Access, []parley.ID, error) {
	next := in.Access.Or(access)
	if role != parley.Agent {
		if in.Access.Or(parley.AccessAll) != parley.AccessAll {
			return next, nil, parley.InvalidField("access", "be all for an owner or admin")
		}
		next = parley.AccessAll
	}
	if next == parley.AccessAll {
		if len(in.InboxIDs.Or(nil)) > 0 {
			return next, nil, parley.InvalidField("inboxIds", "be absent or empty unless access is own")
		}
		return next, nil, nil
	}
	asked := desk.Unique(in.InboxIDs.Or(inboxes))
	if len(asked) > parley.MaxMemberInboxes {
		return next, nil, parley.InvalidField("inboxIds", fmt.Sprintf("be at most %d different ids", parley.MaxMemberInboxes))
	}
	if len(asked) == 0 {
		return next, nil, nil
	}
	found, err := store.ExistingInboxes(t, t.WS, asked)
	if err == nil && len(found) < len(asked) {
		err = parley.FieldErrorf(parley.NotFound, "inboxIds", "no such inbox in this workspace")
	}
	slices.SortFunc(asked, func(a, b parley.ID) int { return bytes.Compare(a[:], b[:]) })
	return next, asked, err
}

// changeAccess changes what a member sees, and adds the names of what changed. An owner
// or admin who becomes an agent still sees everything; an agent who becomes one does so
// from then on.
func (t *tx) changeAccess(actor, m *parley.Member, in AccessChange, changed *[]string) error {
	if (in.Access.Set || in.InboxIDs.Set) && !actor.Role.Includes(parley.Admin) {
		return parley.Errorf(parley.Forbidden, "your role is %s; to change what members see you need admin", actor.Role)
	}
	access, inboxes, err := t.accessOf(m.Role, in, cmp.Or(m.Access, parley.AccessAll), m.InboxIDs)
	if err != nil || access == m.Access && slices.Equal(inboxes, m.InboxIDs) {
		return err
	}
	if access != m.Access {
		*changed = append(*changed, "access")
	}
	if !slices.Equal(inboxes, m.InboxIDs) {
		*changed = append(*changed, "inboxIds")
	}
	m.Access, m.InboxIDs, m.SightSince = access, inboxes, t.NextSeq(t.WS)
	return t.UpdateAccess(t.WS)
}
