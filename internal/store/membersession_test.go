package store_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestSessionsEnd ends sessions and withdraws invitations in every way, beside
// a workspace that must keep its own.
func TestSessionsEnd(t *testing.T) {
	for name, x := range map[string]struct {
		end                  func(*store.Tx, *world) error
		sessions, invitation bool // whether they are still there
	}{
		"one session": {func(tx *store.Tx, w *world) error { return inserted(access.DeleteSession(tx, w.ws, w.session.ID)) }, false, true},
		"all of a member": {func(tx *store.Tx, w *world) error {
			n, err := access.DeleteSessionsOf(tx, w.ws, w.member.ID, at(98))
			return errors.Join(err, wantCount(n, 1))
		}, false, true},
		"all of a member, expired": {func(tx *store.Tx, w *world) error {
			n, err := access.DeleteSessionsOf(tx, w.ws, w.member.ID, at(99))
			return errors.Join(err, wantCount(n, 0))
		}, false, true},
		"all of another": {func(tx *store.Tx, w *world) error {
			_, err := access.DeleteSessionsOf(tx, w.ws, w.former.ID, at(0))
			return err
		}, true, true},
		"past the time":         {func(tx *store.Tx, w *world) error { return access.DeleteExpiredSessions(tx, w.ws, at(100)) }, false, true},
		"before the time":       {func(tx *store.Tx, w *world) error { return access.DeleteExpiredSessions(tx, w.ws, at(99)) }, true, true},
		"one invitation":        {func(tx *store.Tx, w *world) error { return access.DeleteInvitation(tx, w.ws, w.invitation.ID) }, true, false},
		"resets":                {func(tx *store.Tx, w *world) error { return access.DeleteResetsOf(tx, w.ws, w.member.ID) }, true, false},
		"resets of another":     {func(tx *store.Tx, w *world) error { return access.DeleteResetsOf(tx, w.ws, w.former.ID) }, true, true},
		"invitations by one":    {func(tx *store.Tx, w *world) error { return access.DeleteInvitationsBy(tx, w.ws, w.member.ID) }, true, false},
		"invitations by others": {func(tx *store.Tx, w *world) error { return access.DeleteInvitationsBy(tx, w.ws, w.former.ID) }, true, true},
		"expired invitations":   {func(tx *store.Tx, w *world) error { return access.DeleteExpiredInvitations(tx, w.ws, at(100)) }, true, false},
		"used": {func(tx *store.Tx, w *world) error {
			return access.UpdateInvitationUsed(tx, w.ws, w.invitation.ID, at(90))
		}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, s *store.Store) {
				w, bystander := newWorld("x", true), newWorld("x", true)
				w.insert(t, s)
				bystander.insert(t, s)
				write(t, s, w.ws, func(tx *store.Tx) error { return x.end(tx, w) })
				view(t, s, func(v *store.View) error {
					w.checkAccess(t, v, x.sessions, x.invitation)
					bystander.checkAccess(t, v, true, true)
					return nil
				})
			})
		})
	}
}

func wantCount(got, want int) error {
	if got != want {
		return errors.New("the number of ended sessions is wrong")
	}
	return nil
}

func (w *world) checkAccess(t *testing.T, v *store.View, sessions, invitation bool) {
	t.Helper()
	if got, err := access.SelectSessionsOf(v, w.ws, w.member.ID, time.Time{}); err != nil || (len(got) == 1) != sessions {
		t.Errorf("sessions are %v, %v", got, err)
	}
	if got, err := access.SelectInvitations(v, w.ws, at(0)); err != nil || (len(got) == 1) != invitation {
		t.Errorf("invitations are %v, %v", got, err)
	}
}

// TestAccessCounts looks for the count that open streams are ended by.
func TestAccessCounts(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w, bystander := newWorld("x", false), newWorld("x", false)
		w.insert(t, s)
		bystander.insert(t, s)
		for range 2 {
			write(t, s, w.ws, func(tx *store.Tx) error { return tx.UpdateAccess(w.ws) })
		}
		view(t, s, func(v *store.View) error {
			for of, want := range map[parley.WorkspaceID]int{w.ws: 2, bystander.ws: 0} {
				if got, err := v.Int("SELECT access FROM workspaces WHERE workspace_id = $1", of); err != nil || got != want {
					t.Errorf("the access count is %d, %v, want %d", got, err, want)
				}
			}
			return nil
		})
	})
}

// TestLookupPlans reads the engines' plans of what every request under a
// session, and every try to sign in, asks for.
func TestLookupPlans(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld("x", true)
		w.insert(t, s)
		const count = 2000 // enough for PostgreSQL to prefer an index
		fill(t, s, w.ws, count, func(tx *store.Tx, i int) error {
			m, session, invitation := w.member, w.session, w.invitation
			m.ID, m.Email = ids.NewUserID(), "m"+strconv.Itoa(i)+"@x"
			session.ID, session.MemberID, invitation.ID = ids.New(at(40)), m.ID, ids.New(at(40))
			hash := [32]byte{byte(i), byte(i >> 8), 1}
			return errors.Join(inserted(tx.InsertMember(w.ws, &m)), access.InsertSession(tx, w.ws, &session, hash),
				access.InsertInvitation(tx, w.ws, &invitation, hash))
		})
		write(t, s, w.ws, func(tx *store.Tx) error { return tx.Exec("ANALYZE") })
		for index, read := range map[string]func(*store.View) error{
			"members_login": func(v *store.View) error { _, err := access.SelectLoginsByEmail(v, "m7@x", 20); return err },
			"sessions_token": func(v *store.View) error {
				_, err := access.SelectSessionByHash(v, [32]byte{7, 0, 1})
				return notFound(err)
			},
			"sessions_member": func(v *store.View) error { _, err := access.SelectSessionsOf(v, w.ws, w.member.ID, at(0)); return err },
			"invitations_token": func(v *store.View) error {
				_, err := access.SelectInvitationByHash(v, [32]byte{7, 0, 1})
				return notFound(err)
			},
		} {
			view(t, s, func(v *store.View) error {
				plan, err := v.Plan(read)
				if !strings.Contains(plan, index) {
					t.Errorf("the rows do not come from %s:\n%s", index, plan)
				}
				return err
			})
		}
	})
}

// notFound passes over that a plan's statement was not run.
func notFound(err error) error {
	if parley.KindOf(err) == parley.NotFound {
		return nil
	}
	return err
}
