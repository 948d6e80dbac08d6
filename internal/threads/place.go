package threads

import (
	"parley"
	"parley/internal/desk"
)

// A merged conversation stands where the one does that shows it, so that the same members
// see both; see docs/adr/0100-sight.md.

// A place is where a conversation stood before a merge.
type place struct {
	TeamID     parley.ID     `json:"teamId"`
	AssigneeID parley.UserID `json:"assigneeId"`
}

func placeOf(c *parley.Conversation) *place { return &place{c.Team.ID, c.Assignee.ID} }

// stand puts a conversation where another one stands, and returns the names of what changed.
func stand(c, where *parley.Conversation) (changed []string) {
	if c.Team != where.Team {
		c.Team, changed = where.Team, append(changed, "team")
	}
	if c.Assignee != where.Assignee {
		c.Assignee, changed = where.Assignee, append(changed, "assignee")
	}
	return changed
}

// standing returns a conversation as it would stand where another one does.
func standing(c, where *parley.Conversation) *parley.Conversation {
	moved := *c
	stand(&moved, where)
	return &moved
}

// standingBefore returns a conversation as it stood before a merge, without a team or
// member who is gone. The version before remembers no place.
func standingBefore(t *desk.Tx, c *parley.Conversation, was *place) (*parley.Conversation, error) {
	moved := *c
	if was == nil {
		return &moved, nil
	}
	moved.Team, moved.Assignee = parley.TeamRef{}, parley.MemberRef{}
	if !was.TeamID.IsZero() {
		team, err := t.Team(t.WS, was.TeamID)
		if err != nil && parley.KindOf(err) != parley.NotFound {
			return nil, err
		}
		moved.Team = team
	}
	if was.AssigneeID != "" {
		m, err := t.Member(t.WS, was.AssigneeID)
		if err != nil && parley.KindOf(err) != parley.NotFound {
			return nil, err
		}
		moved.Assignee = parley.MemberRef{ID: m.ID, Name: m.Name, Image: m.Image}
	}
	return &moved, nil
}
