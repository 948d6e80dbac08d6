package access

import "parley/internal/desk"

// Expire deletes the expired sessions and invitations of the transaction's
// workspace.
func Expire(t *desk.Tx) error {
	if err := DeleteExpiredSessions(t, t.WS, t.Now); err != nil {
		return err
	}
	return DeleteExpiredInvitations(t, t.WS, t.Now)
}
