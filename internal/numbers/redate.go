package numbers

import (
	"context"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

const (
	// outboxFarthest is later than any message is ever scheduled: the longest
	// pause is 2^9 times outboxPause. A later time came from a clock that was
	// ahead.
	outboxFarthest = 20*time.Minute + parley.ClockSpare
	// outboxRedate is how often such messages are searched for.
	outboxRedate = time.Minute
)

// redateDeliveries makes messages due that a clock which was ahead had
// postponed for longer than any message waits.
func (o *outbox) redateDeliveries(ctx context.Context) error {
	farthest := o.service.clock.Now().Add(outboxFarthest)
	misdated, err := desk.View(o.service.desk, func(v *store.View) ([]parley.WorkspaceID, error) { return v.MisdatedWorkspaces(farthest) }).Now(ctx)
	if err != nil {
		return err
	}
	for _, ws := range misdated {
		_, err := write(ctx, o.service, desk.Caller{Workspace: ws}, func(t *tx) (struct{}, error) {
			return struct{}{}, t.RedateDeliveries(ws, t.Now, farthest)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
