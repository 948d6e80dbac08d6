package main

import (
	"context"
	"time"

	"parley/internal/expiry"
)

// purge deletes expired data that belongs to no workspace, every expiry.Pause.
func (p *program) purge(ctx context.Context) {
	ticker := time.NewTicker(expiry.Pause)
	defer ticker.Stop()
	for {
		if err := expiry.Unowned(ctx, p.app.desk); err != nil && ctx.Err() == nil {
			p.log.Warn("purge: failed, retrying at the next interval", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
