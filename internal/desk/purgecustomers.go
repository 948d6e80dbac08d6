package desk

import "context"

// PurgeCustomers deletes the sessions of customers that expired. While the clock
// cannot be believed, it deletes nothing.
func (d *Desk) PurgeCustomers(ctx context.Context) error {
	return d.PurgeEach(ctx, func(t *Tx, _ int) (int, error) {
		return 0, t.DeleteExpiredCustomerSessions(t.WS, t.Now)
	})
}
