package desk

import (
	"context"

	"parley/internal/store"
)

// TakeOver frees at once what other processes have claimed: messages on their
// way, numbers and group requests. It is for the start of a process that serves
// the store alone, so that whoever claimed something is dead. Messages that rest
// after a failure are tried again at once, too.
func (d *Desk) TakeOver(ctx context.Context) error {
	workspaces, err := View(ctx, d, (*store.View).Workspaces)
	if err != nil {
		return err
	}
	for _, w := range workspaces {
		_, err := Write(ctx, d, Caller{Workspace: w.ID}, func(t *Tx) (struct{}, error) {
			return struct{}{}, t.ReleaseClaims(w.ID, t.Now)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
