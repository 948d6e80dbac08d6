package schedule

import (
	"context"
	"fmt"

	"parley/internal/backup"
	"parley/internal/desk"
	"parley/internal/diskspace"
	"parley/internal/store"
)

// CheckRoom refuses a backup that certainly does not fit on a folder's disk, before it
// fills that disk. It requires only half the size of the last scheduled backup, because
// the next one may be smaller if something was deleted.
func CheckRoom(ctx context.Context, d *desk.Desk, s *store.Store, folder string) error {
	room, known := diskspace.Of(folder)
	if !known {
		return nil // if the folder does not exist, the next step says so
	}
	least, err := backup.LeastBytes(ctx, s)
	if err != nil {
		return err
	}
	state, err := Read(d).Now(ctx)
	if err != nil {
		return err
	}
	if least = max(least, state.Bytes/2); room.Free < least {
		return fmt.Errorf("no room for a backup: the disk of %s has %d MB free, and the backup will need more than %d MB "+
			"(half of the last scheduled one, or of the pictures, sounds and videos); free some space, or use another disk", folder, room.Free>>20, least>>20)
	}
	return nil
}
