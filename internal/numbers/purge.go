package numbers

import (
	"context"

	"parley/internal/desk"
)

// Purge deletes what is past its retention: budget slots, finished number
// calls, and network message ids older than networkRetention. It deletes
// nothing while the clock is in doubt.
func (s *Service) Purge(ctx context.Context) error {
	if ok, err := s.desk.MayPurge(ctx); err != nil || !ok {
		return err
	}
	_, err := write(ctx, s, desk.Caller{}, func(t *tx) (struct{}, error) {
		return struct{}{}, DeleteNumberCalls(t, t.Now.Add(-callRetention))
	})
	if err != nil {
		return err
	}
	return s.desk.PurgeEach(ctx, func(t *desk.Tx, limit int) (int, error) {
		if err := DeleteSpends(t, t.WS, t.Now.Add(-longestWindow)); err != nil {
			return 0, err
		}
		return DeleteNetworkMessages(t, t.WS, t.Now.Add(-networkRetention), limit)
	})
}
