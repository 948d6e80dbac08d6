package desk

import (
	"parley"
	"parley/internal/store"
)

// Members returns members, oldest first.
func (d *Desk) Members(ws parley.WorkspaceID, after parley.Position, limit int) Read[parley.Page[parley.Member]] {
	return View(d, func(v *store.View) (parley.Page[parley.Member], error) { return v.Members(ws, after, limit) })
}
