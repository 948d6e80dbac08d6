package publicapi

import (
	"parley"
	"parley/internal/httpjson"
)

// cursor reads the query parameter of the name, a cursor of a list. list names
// the list and its filters.
func (c *call) cursor(name, list string) parley.Position {
	return c.QueryCursor(name, httpjson.List{Workspace: c.ws, Name: list})
}

// nextCursor writes the cursor of a position in a list, "" on the last page.
func (c *call) nextCursor(list string, p parley.Position) string {
	return httpjson.List{Workspace: c.ws, Name: list}.Cursor(p)
}
