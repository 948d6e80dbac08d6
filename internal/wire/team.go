package wire

import "parley"

// AppendTeam appends a team.
func AppendTeam(b []byte, t *parley.Team) []byte {
	o := open(b)
	o.id("id", t.ID)
	o.text("name", t.Name)
	o.text("color", string(t.Color))
	list(&o, "memberIds", t.MemberIDs, appendUserID)
	list(&o, "inboxIds", t.InboxIDs, appendID)
	list(&o, "productIds", t.ProductIDs, appendID)
	o.time("createdAt", t.CreatedAt)
	o.time("updatedAt", t.UpdatedAt)
	return o.close()
}

func appendUserID(b []byte, id *parley.UserID) []byte { return appendText(b, string(*id)) }
