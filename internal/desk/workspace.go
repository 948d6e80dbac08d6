package desk

import (
	"context"

	"parley"
	"parley/internal/store"
)

// Workspaces returns all workspaces, oldest first.
func (d *Desk) Workspaces(ctx context.Context) ([]parley.Workspace, error) {
	return View(d, func(v *store.View) ([]parley.Workspace, error) { return v.Workspaces() }).Now(ctx)
}

// Workspace returns a workspace.
func (d *Desk) Workspace(ctx context.Context, ws parley.WorkspaceID) (parley.Workspace, error) {
	return View(d, func(v *store.View) (parley.Workspace, error) { return v.Workspace(ws) }).Now(ctx)
}

// CheckName refuses an invalid name; field names it in the request.
func CheckName(field, name string) error {
	if !parley.ValidName(name) {
		return parley.InvalidField(field, parley.NameRule)
	}
	return nil
}

// CheckEmail refuses an invalid e-mail address.
func CheckEmail(email string) error {
	if !parley.ValidEmail(email) {
		return parley.InvalidField("email", parley.EmailRule)
	}
	return nil
}
