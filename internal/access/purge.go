package access

import (
	"context"

	"parley/internal/desk"
)

// Purge deletes expired sessions and invitations. It deletes nothing while the
// clock is in doubt.
func (svc *Service) Purge(ctx context.Context) error {
	return svc.desk.PurgeEach(ctx, func(t *desk.Tx, _ int) (int, error) {
		if err := DeleteExpiredSessions(t, t.WS, t.Now); err != nil {
			return 0, err
		}
		return 0, DeleteExpiredInvitations(t, t.WS, t.Now)
	})
}
