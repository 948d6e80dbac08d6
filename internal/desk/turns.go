package desk

import (
	"context"
	"errors"
	"fmt"
	"time"

	"parley"
)

// Turns gives each workspace a turn and reports whether any of them needs
// another. A turn that fails keeps no other workspace waiting. After a turn that
// needs another, Turns pauses for as long as it took, to leave the writers half of
// the time.
func Turns(ctx context.Context, workspaces []parley.WorkspaceID, turn func(context.Context, parley.WorkspaceID) (more bool, err error)) (another bool, err error) {
	for _, ws := range workspaces {
		begin := time.Now()
		more, failed := turn(ctx, ws)
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("workspace %s: %w", ws, failed))
			continue
		}
		if more {
			another = true
			parley.Pause(ctx, time.Since(begin))
		}
	}
	return another, err
}
