package desk

import (
	"context"

	"parley"
	"parley/internal/store"
)

// Workspaces returns all workspaces, oldest first.
func (d *Desk) Workspaces(ctx context.Context) ([]parley.Workspace, error) {
	return view(ctx, d, func(v *store.View) ([]parley.Workspace, error) { return v.Workspaces() })
}

// Workspace returns a workspace.
func (d *Desk) Workspace(ctx context.Context, ws parley.WorkspaceID) (parley.Workspace, error) {
	return view(ctx, d, func(v *store.View) (parley.Workspace, error) { return v.Workspace(ws) })
}

func checkName(field, name string) error {
	if !parley.ValidName(name) {
		return parley.InvalidField(field, parley.NameRule)
	}
	return nil
}

func checkEmail(email string) error {
	if !parley.ValidEmail(email) {
		return parley.InvalidField("email", parley.EmailRule)
	}
	return nil
}
