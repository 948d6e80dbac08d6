package wire

import "parley"

// AppendSavedView appends a saved view.
func AppendSavedView(b []byte, s *parley.SavedView) []byte {
	o := open(b)
	o.id("id", s.ID)
	o.text("name", s.Name)
	o.text("scope", string(s.Scope))
	o.idOrNull("teamId", s.Team)
	o.text("ownerId", string(s.Owner))
	o.text("query", s.Query)
	o.integer("position", int64(s.Position))
	o.boolean("pinned", s.Pinned)
	return o.close()
}

// AppendViewCount appends how many conversations a saved view has.
func AppendViewCount(b []byte, c *parley.ViewCount) []byte {
	o := open(b)
	o.id("id", c.ID)
	o.integer("count", int64(c.Count))
	o.boolean("more", c.More)
	return o.close()
}
