package access_test

import (
	"testing"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
)

// member creates a member with a role and returns it as a caller.
func member(w *desktest.World, role parley.Role) desk.Caller {
	w.T.Helper()
	m, _, err := w.Access.CreateMember(w.T.Context(), w.By(), access.NewMember{Email: newcomer(), Name: "The " + string(role), Role: role})
	w.Must(err)
	return desk.Caller{Workspace: w.Home.Workspace.ID, Member: m.ID}
}

// TestWhoManagesWhom has members of every role do to members of every role what
// would let them act as those: one rule holds for all of it.
func TestWhoManagesWhom(t *testing.T) {
	change := func(in access.MemberChange) func(*desktest.World, desk.Caller, parley.UserID, parley.Role) error {
		return func(w *desktest.World, by desk.Caller, of parley.UserID, _ parley.Role) error {
			_, err := w.Access.UpdateMember(w.T.Context(), by, of, in)
			return err
		}
	}
	verbs := map[string]func(w *desktest.World, by desk.Caller, of parley.UserID, role parley.Role) error{
		"rename": change(access.MemberChange{Name: parley.Some("Renamed")}),
		"make agent": func(w *desktest.World, by desk.Caller, of parley.UserID, role parley.Role) error {
			if role == parley.Agent {
				return change(access.MemberChange{Image: parley.Some("https://img.example/a.png")})(w, by, of, role)
			}
			return change(access.MemberChange{Role: parley.Some(parley.Agent)})(w, by, of, role)
		},
		"reset": func(w *desktest.World, by desk.Caller, of parley.UserID, _ parley.Role) error {
			_, err := w.Access.ResetPassword(w.T.Context(), by, of)
			return err
		},
		"remove": func(w *desktest.World, by desk.Caller, of parley.UserID, _ parley.Role) error {
			_, err := w.Access.RemoveMember(w.T.Context(), by, of)
			return err
		},
		"invite": func(w *desktest.World, by desk.Caller, _ parley.UserID, role parley.Role) error {
			_, err := w.Access.Invite(w.T.Context(), by, access.Invitee{Email: newcomer(), Role: role})
			return err
		},
	}
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		for _, actor := range parley.Roles {
			by := member(w, actor)
			for _, role := range parley.Roles {
				may := actor == parley.Owner || actor == parley.Admin && role == parley.Agent
				for name, verb := range verbs {
					err := verb(w, by, member(w, role).Member, role)
					if may && err != nil || !may && parley.KindOf(err) != parley.Forbidden {
						t.Errorf("%s by an %s of an %s gives %v", name, actor, role, err)
					}
				}
			}
			if actor != parley.Owner { // nobody may make a role that is above
				err := change(access.MemberChange{Role: parley.Some(parley.Owner)})(w, by, by.Member, actor)
				if parley.KindOf(err) != parley.Forbidden {
					t.Errorf("an %s becomes an owner: %v", actor, err)
				}
			}
		}
	})
}

// TestTheLastOwnerStays lowers and removes owners.
func TestTheLastOwnerStays(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		agent := access.MemberChange{Role: parley.Some(parley.Agent)}
		_, err := w.Access.UpdateMember(t.Context(), w.By(), w.Home.Owner.ID, agent)
		w.Refused(err, parley.Conflict, "role: must stay owner, because there is no other owner")
		_, err = w.Access.RemoveMember(t.Context(), w.By(), w.Home.Owner.ID)
		w.Refused(err, parley.Conflict, "you cannot remove yourself; another member has to do it")
		program := desk.Caller{Workspace: w.Home.Workspace.ID} // the command line
		_, err = w.Access.RemoveMember(t.Context(), program, w.Home.Owner.ID)
		w.Refused(err, parley.Conflict, "the last owner cannot be removed")
		second := member(w, parley.Owner)
		w.Tells(func() {
			_, err := w.Access.UpdateMember(t.Context(), w.By(), w.Home.Owner.ID, agent)
			w.Must(err)
		}, "member.updated role")
		_, err = w.Access.RemoveMember(t.Context(), w.By(), second.Member)
		w.Refused(err, parley.Forbidden, "your role is agent; to manage members you need admin")
	})
}
