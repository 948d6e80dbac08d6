package customers

import (
	"context"

	"parley/internal/desk"
)

// Purge deletes the sessions of customers that expired. While the clock
// cannot be believed, it deletes nothing.
func (svc *Service) Purge(ctx context.Context) error {
	return svc.desk.PurgeEach(ctx, func(t *desk.Tx, _ int) (int, error) {
		return 0, DeleteExpiredCustomerSessions(t, t.WS, t.Now)
	})
}
