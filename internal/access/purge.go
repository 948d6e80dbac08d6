package access

import (
	"parley/internal/access/credential"
	"parley/internal/access/provider"
	"parley/internal/desk"
)

// Expire deletes the expired sessions, invitations and uses of providers of the transaction's
// workspace.
func Expire(t *desk.Tx) error {
	if err := credential.DeleteExpiredSessions(t, t.WS, t.Now); err != nil {
		return err
	}
	if err := provider.DeleteUses(t, t.WS, t.Now); err != nil {
		return err
	}
	return credential.DeleteExpiredInvitations(t, t.WS, t.Now)
}
