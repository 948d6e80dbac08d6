package demo

import (
	"context"

	"parley"
	"parley/internal/desk"
)

// demoWorkspace returns the workspace of the demo. Nobody has its owner's
// address, so no other workspace is mistaken for it.
func demoWorkspace(ctx context.Context, d *desk.Desk) (parley.WorkspaceID, error) {
	all, err := d.Workspaces(ctx)
	if err != nil {
		return parley.WorkspaceID{}, err
	}
	for _, w := range all {
		if w.Name != Company {
			continue
		}
		members, err := d.Members(w.ID, parley.Position{}, 1).Now(ctx)
		if err != nil {
			return parley.WorkspaceID{}, err
		}
		if len(members.Items) > 0 && members.Items[0].Email == Owner {
			return w.ID, nil
		}
	}
	return parley.WorkspaceID{}, parley.NotFoundf("there is no demo workspace here")
}
