package desk

import "context"

// PurgeAccess deletes the sessions and invitations that expired. While the clock
// cannot be believed, it deletes nothing.
func (d *Desk) PurgeAccess(ctx context.Context) error {
	return d.PurgeEach(ctx, func(t *Tx, _ int) (int, error) {
		if err := t.DeleteExpiredSessions(t.WS, t.Now); err != nil {
			return 0, err
		}
		return 0, t.DeleteExpiredInvitations(t.WS, t.Now)
	})
}
