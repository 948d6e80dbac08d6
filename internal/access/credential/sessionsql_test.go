package credential_test

import (
	"errors"
	"testing"
	"time"

	"parley"
	"parley/internal/access/credential"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// members are a workspace with two members, of whom one has a session, and a
// link to reset a password that was made by the same member.
type members struct {
	*storetest.Home
	another             parley.UserID
	session, invitation parley.ID
}

func entered(t *testing.T, s *store.Store) *members {
	t.Helper()
	h := &members{Home: storetest.NewHome(t, s)}
	h.another, h.session, h.invitation = h.IDs.NewUserID(), h.NewID(32), h.NewID(34)
	var hash [32]byte
	copy(hash[:], h.WS[:])
	h.Write(func(tx *store.Tx) error {
		return errors.Join(
			storetest.Did(tx.InsertMember(h.WS, &parley.Member{ID: h.another, Email: "old@x.example", Role: parley.Agent, CreatedAt: storetest.At(1), UpdatedAt: storetest.At(2), RemovedAt: storetest.At(3)})),
			credential.InsertSession(tx, h.WS, &parley.Session{
				ID: h.session, Workspace: h.WS, MemberID: h.Member.ID, CreatedAt: storetest.At(32), SeenAt: storetest.At(33), ExpiresAt: storetest.At(99),
			}, hash),
			credential.InsertInvitation(tx, h.WS, &parley.Invitation{
				ID: h.invitation, Workspace: h.WS, Email: h.Member.Email, Role: parley.Admin, MemberID: h.Member.ID,
				InvitedBy: parley.MemberRef{ID: h.Member.ID}, CreatedAt: storetest.At(34), ExpiresAt: storetest.At(99),
			}, hash),
		)
	})
	return h
}

// TestSessionsEnd ends sessions and withdraws invitations in every way, beside
// a workspace that must keep its own.
func TestSessionsEnd(t *testing.T) {
	for name, x := range map[string]struct {
		end                  func(*store.Tx, *members) error
		sessions, invitation bool // whether they are still there
	}{
		"one session": {func(tx *store.Tx, h *members) error {
			return storetest.Did(credential.DeleteSession(tx, h.WS, h.session))
		}, false, true},
		"all of a member": {func(tx *store.Tx, h *members) error {
			n, err := credential.DeleteSessionsOf(tx, h.WS, h.Member.ID, storetest.At(98))
			return errors.Join(err, wantCount(n, 1))
		}, false, true},
		"all of a member, expired": {func(tx *store.Tx, h *members) error {
			n, err := credential.DeleteSessionsOf(tx, h.WS, h.Member.ID, storetest.At(99))
			return errors.Join(err, wantCount(n, 0))
		}, false, true},
		"all of another": {func(tx *store.Tx, h *members) error {
			_, err := credential.DeleteSessionsOf(tx, h.WS, h.another, storetest.At(0))
			return err
		}, true, true},
		"past the time": {func(tx *store.Tx, h *members) error {
			return credential.DeleteExpiredSessions(tx, h.WS, storetest.At(100))
		}, false, true},
		"before the time": {func(tx *store.Tx, h *members) error {
			return credential.DeleteExpiredSessions(tx, h.WS, storetest.At(99))
		}, true, true},
		"one invitation":        {func(tx *store.Tx, h *members) error { return credential.DeleteInvitation(tx, h.WS, h.invitation) }, true, false},
		"resets":                {func(tx *store.Tx, h *members) error { return credential.DeleteResetsOf(tx, h.WS, h.Member.ID) }, true, false},
		"resets of another":     {func(tx *store.Tx, h *members) error { return credential.DeleteResetsOf(tx, h.WS, h.another) }, true, true},
		"invitations by one":    {func(tx *store.Tx, h *members) error { return credential.DeleteInvitationsBy(tx, h.WS, h.Member.ID) }, true, false},
		"invitations by others": {func(tx *store.Tx, h *members) error { return credential.DeleteInvitationsBy(tx, h.WS, h.another) }, true, true},
		"expired invitations": {func(tx *store.Tx, h *members) error {
			return credential.DeleteExpiredInvitations(tx, h.WS, storetest.At(100))
		}, true, false},
		"used": {func(tx *store.Tx, h *members) error {
			return credential.UpdateInvitationUsed(tx, h.WS, h.invitation, storetest.At(90))
		}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, s *store.Store) {
				h, bystander := entered(t, s), entered(t, s)
				h.Write(func(tx *store.Tx) error { return x.end(tx, h) })
				h.View(func(v *store.View) error {
					h.checkAccess(t, v, x.sessions, x.invitation)
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

func (h *members) checkAccess(t *testing.T, v *store.View, sessions, invitation bool) {
	t.Helper()
	if got, err := credential.SelectSessionsOf(v, h.WS, h.Member.ID, time.Time{}); err != nil || (len(got) == 1) != sessions {
		t.Errorf("sessions are %v, %v", got, err)
	}
	if got, err := credential.SelectInvitations(v, h.WS, storetest.At(0)); err != nil || (len(got) == 1) != invitation {
		t.Errorf("invitations are %v, %v", got, err)
	}
}
