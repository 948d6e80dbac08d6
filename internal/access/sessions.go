package access

import (
	"context"

	"parley"
	"parley/internal/access/credential"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/store"
)

// Sessions returns the sessions of a member, most recently used first, at most
// 200.
func (svc *Service) Sessions(ws parley.WorkspaceID, member parley.UserID) desk.Read[[]parley.Session] {
	return desk.View(svc.desk, func(v *store.View) ([]parley.Session, error) {
		return credential.SelectSessionsOf(v, ws, member, svc.clock.Now())
	})
}

// SessionsOf returns the sessions of another member, for whoever may manage that member
// (Forbidden).
func (svc *Service) SessionsOf(by desk.Caller, member parley.UserID) desk.Read[[]parley.Session] {
	return desk.Snapshot(svc.desk, func(v *store.View) ([]parley.Session, error) {
		if _, err := managed(v, by, member); err != nil {
			return nil, err
		}
		return credential.SelectSessionsOf(v, by.Workspace, member, svc.clock.Now())
	})
}

// managed returns another member whom the caller may manage, or themselves.
func managed(v *store.View, by desk.Caller, member parley.UserID) (parley.Member, error) {
	actor, err := desk.Actor(v, by)
	if err != nil {
		return parley.Member{}, err
	}
	m, err := v.Member(by.Workspace, member)
	if err == nil && m.ID != actor.ID {
		err = manages(actor.Role, m.Role)
	}
	return m, err
}

// EndSession ends a session of the caller, and returns the number of ended sessions. That of
// another member is NotFound, as one that has ended.
func (svc *Service) EndSession(ctx context.Context, by desk.Caller, session parley.ID) (int, error) {
	n, err := svc.ending(ctx, by, func(t *tx) (int, error) {
		s, err := credential.SelectSession(t, t.WS, session)
		if err == nil && s.MemberID != by.Member {
			err = parley.NotFoundf("no such session in this workspace")
		}
		if err != nil {
			return 0, err
		}
		if _, err := credential.DeleteSession(t, t.WS, session); err != nil {
			return 0, err
		}
		if err := t.Audit.Of(entry.SignedOut, entry.SubjectMember, string(by.Member)); err != nil {
			return 0, err
		}
		return 1, t.UpdateAccess(t.WS)
	})
	if err == nil {
		svc.logAccess("session ended", by, by.Member)
	}
	return n, err
}

// EndSessions ends all sessions of the caller and returns their number.
func (svc *Service) EndSessions(ctx context.Context, by desk.Caller) (int, error) {
	return svc.endAll(ctx, by, by.Member, func(t *tx) (int, error) { return t.endSessions(by.Member) })
}

// EndOtherSessions ends the sessions of the caller but one, and returns their number.
func (svc *Service) EndOtherSessions(ctx context.Context, by desk.Caller, keep parley.ID) (int, error) {
	return svc.endAll(ctx, by, by.Member, func(t *tx) (int, error) {
		n, err := credential.DeleteOtherSessionsOf(t, t.WS, by.Member, keep, t.Now)
		if err != nil {
			return 0, err
		}
		return n, t.UpdateAccess(t.WS)
	})
}

// EndSessionsOf ends all sessions of another member and returns their number. Only owners
// may do it for admins and owners (Forbidden).
func (svc *Service) EndSessionsOf(ctx context.Context, by desk.Caller, member parley.UserID) (int, error) {
	return svc.endAll(ctx, by, member, func(t *tx) (int, error) {
		if _, err := managed(&t.View, by, member); err != nil {
			return 0, err
		}
		return t.endSessions(member)
	})
}

func (svc *Service) endAll(ctx context.Context, by desk.Caller, member parley.UserID, end func(*tx) (int, error)) (int, error) {
	n, err := svc.ending(ctx, by, func(t *tx) (int, error) {
		n, err := end(t)
		if err != nil {
			return n, err
		}
		return n, t.Audit.Of(entry.SessionsEnded, entry.SubjectMember, string(member))
	})
	if err == nil {
		svc.logAccess("sessions ended", by, member, "count", n)
	}
	return n, err
}

// endSessions ends all sessions of a member.
func (t *tx) endSessions(member parley.UserID) (int, error) {
	n, err := credential.DeleteSessionsOf(t, t.WS, member, t.Now)
	if err == nil {
		err = credential.UpdateSessionsEnded(t, t.WS, member)
	}
	if err != nil {
		return 0, err
	}
	return n, t.UpdateAccess(t.WS)
}

func (svc *Service) ending(ctx context.Context, by desk.Caller, fn func(*tx) (int, error)) (int, error) {
	n, err := write(ctx, svc, by, fn)
	svc.sessions.Forget()
	return n, err
}
