package desk

import "context"

// PurgeNumbers deletes what is past its time: what numbers spent, calls that
// nobody waits for, and which message of the network is which after
// networkRetention. While the clock cannot be believed, it deletes nothing.
func (d *Desk) PurgeNumbers(ctx context.Context) error {
	if ok, err := d.MayPurge(ctx); err != nil || !ok {
		return err
	}
	_, err := Write(ctx, d, Caller{}, func(t *Tx) (struct{}, error) {
		return struct{}{}, t.DeleteNumberCalls(t.Now.Add(-callRetention))
	})
	if err != nil {
		return err
	}
	return d.PurgeEach(ctx, func(t *Tx, limit int) (int, error) {
		if err := t.DeleteSpends(t.WS, t.Now.Add(-longestWindow)); err != nil {
			return 0, err
		}
		return t.DeleteNetworkMessages(t.WS, t.Now.Add(-networkRetention), limit)
	})
}
