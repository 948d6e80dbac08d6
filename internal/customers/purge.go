package customers

import (
	"context"

	"parley/internal/desk"
)

// Purge deletes expired sessions of customers. It deletes nothing while the
// clock is in doubt.
func (svc *Service) Purge(ctx context.Context) error {
	return svc.desk.PurgeEach(ctx, func(t *desk.Tx, _ int) (int, error) {
		return 0, DeleteExpiredCustomerSessions(t, t.WS, t.Now)
	})
}
