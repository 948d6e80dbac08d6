package desk

import (
	"context"

	"parley"
	"parley/internal/store"
)

// Workspaces returns all workspaces, oldest first.
func (d *Desk) Workspaces(ctx context.Context) ([]parley.Workspace, error) {
	return View(ctx, d, func(v *store.View) ([]parley.Workspace, error) { return v.Workspaces() })
}

// Workspace returns a workspace.
func (d *Desk) Workspace(ctx context.Context, ws parley.WorkspaceID) (parley.Workspace, error) {
	return View(ctx, d, func(v *store.View) (parley.Workspace, error) { return v.Workspace(ws) })
}

// CheckName refuses a name that is none, as the field of a request.
func CheckName(field, name string) error {
	if !parley.ValidName(name) {
		return parley.InvalidField(field, parley.NameRule)
	}
	return nil
}

// CheckEmail refuses what is no e-mail address.
func CheckEmail(email string) error {
	if !parley.ValidEmail(email) {
		return parley.InvalidField("email", parley.EmailRule)
	}
	return nil
}
