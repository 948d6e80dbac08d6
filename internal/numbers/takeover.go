package numbers

import (
	"context"

	"parley/internal/desk"
	"parley/internal/store"
)

// TakeOver releases at once what other processes have claimed: messages in
// flight, numbers and group requests. It is for the start of a process that
// serves the store alone, so that all other holders are dead. Messages that are
// pausing after a failure are also retried at once.
func (s *Service) TakeOver(ctx context.Context) error {
	workspaces, err := desk.View(s.desk, (*store.View).Workspaces).Now(ctx)
	if err != nil {
		return err
	}
	for _, w := range workspaces {
		_, err := write(ctx, s, desk.Caller{Workspace: w.ID}, func(t *tx) (struct{}, error) {
			return struct{}{}, t.ReleaseClaims(w.ID, t.Now)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
