package desk

import (
	"context"

	"parley"
	"parley/internal/store"
)

// Members returns members, oldest first.
func (d *Desk) Members(ctx context.Context, ws parley.WorkspaceID, after parley.Position, limit int) (parley.Page[parley.Member], error) {
	return View(ctx, d, func(v *store.View) (parley.Page[parley.Member], error) { return v.Members(ws, after, limit) })
}
