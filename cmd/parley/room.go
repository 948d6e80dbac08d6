package main

import (
	"context"
	"fmt"

	"parley/internal/backup"
	"parley/internal/backup/schedule"
	"parley/internal/blob"
)

// checkRoom refuses a backup that a folder's disk has certainly no room for, before
// it fills that disk. Half of the last backup of the schedule counts: what was
// deleted since may make the next one smaller.
func (a *app) checkRoom(ctx context.Context, folder string) error {
	free, known := blob.Free(folder)
	if !known {
		return nil // or there is no such folder, which the next step tells
	}
	least, err := backup.LeastBytes(ctx, a.store)
	if err != nil {
		return err
	}
	state, err := schedule.Read(a.desk).Now(ctx)
	if err != nil {
		return err
	}
	if least = max(least, state.Bytes/2); free < least {
		return fmt.Errorf("no room for a backup: the disk of %s has %d MB free, and the backup will have more than %d MB "+
			"(half of the last one of the server, or of the pictures, sounds and videos); free some, or choose another disk", folder, free>>20, least>>20)
	}
	return nil
}
