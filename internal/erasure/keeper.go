package erasure

import (
	"context"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/timer"
)

// A Shelf keeps lists beside backups; see blob.Shelf.
type Shelf interface {
	// Replace stores a small file in the place of one of that name.
	Replace(ctx context.Context, name string, content []byte) error
	// Read returns a small file, or nil if there is none.
	Read(ctx context.Context, name string) ([]byte, error)
}

// keeperTimer is of a workspace, and has no name. It is due when an erasure begins or
// ends, and behind each backup of the schedule.
const (
	keeperTimer = "keep the list of erasures"
	keeperLease = 2 * time.Minute
)

// Keeper returns the kind of timers that keep the lists of erasures beside the backups
// of the schedule: a machine that burns down takes its store with it, and its backups
// do not know who was erased since. Only nodes with the shelf have it.
func (svc *Service) Keeper(shelf Shelf) timer.Kind {
	return timer.Kind{Name: keeperTimer, Lease: keeperLease, Run: func(ctx context.Context, ws parley.WorkspaceID, _ desk.Timer) (timer.Finish, error) {
		list, err := desk.Snapshot(svc.desk, func(v *store.View) (List, error) { return listOf(v, ws) }).Now(ctx)
		if err != nil || len(list.Erased) == 0 {
			return ended, err
		}
		// An earlier store may have written the list, and this one does not know its erasures.
		kept, err := shelf.Read(ctx, listName(ws))
		if err == nil && kept != nil {
			var before List
			if before, err = UnpackList(kept); err == nil {
				list.Join(before)
			}
		}
		if err != nil {
			return nil, list.describe(err)
		}
		content, err := list.Pack()
		if err == nil {
			err = shelf.Replace(ctx, listName(ws), content)
		}
		return ended, list.describe(err)
	}}
}

// KeepLists makes the lists of all workspaces due, for example for a new place of backups.
func (svc *Service) KeepLists(ctx context.Context) error {
	workspaces, err := desk.View(svc.desk, selectErasing).Now(ctx)
	for _, ws := range workspaces {
		if err == nil {
			_, err = desk.Write(ctx, svc.desk, desk.Caller{Workspace: ws}, func(t *desk.Tx) (struct{}, error) { return struct{}{}, keepList(t) })
		}
	}
	return err
}

// keepList makes the list of a workspace due if the server makes backups. A run that is
// under way stores nothing then, and runs again.
func keepList(t *desk.Tx) error {
	state, err := selectScheduled(t)
	if err != nil || state.every == 0 {
		return err
	}
	if err := desk.DeleteTimer(t, t.WS, keeperTimer, ""); err != nil {
		return err
	}
	return desk.InsertTimer(t, t.WS, keeperTimer, "", t.Now)
}
