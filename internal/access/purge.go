package access

import (
	"context"

	"parley/internal/desk"
)

// Purge deletes the sessions and invitations that expired. While the clock
// cannot be believed, it deletes nothing.
func (svc *Service) Purge(ctx context.Context) error {
	return svc.desk.PurgeEach(ctx, func(t *desk.Tx, _ int) (int, error) {
		if err := DeleteExpiredSessions(t, t.WS, t.Now); err != nil {
			return 0, err
		}
		return 0, DeleteExpiredInvitations(t, t.WS, t.Now)
	})
}
