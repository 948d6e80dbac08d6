package teams

import (
	"context"
	"fmt"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/timer"
	"parley/internal/wire"
)

const (
	clearTimer = "clear team" // named by the id of a deleted team
	together   = 100          // the most conversations that are cleared in one transaction
	farthest   = time.Hour    // ahead of which no such timer is
)

// DeleteTeam deletes a team and its saved views. Its inboxes and products lead to none then,
// and its conversations have none.
func (svc *Service) DeleteTeam(ctx context.Context, by desk.Caller, id parley.ID) (parley.Team, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.Team, error) {
		gone, _, err := team(&t.View, t.WS, id)
		if err != nil {
			return gone, err
		}
		if err := DeleteTeamMembers(t, t.WS, id); err != nil {
			return gone, err
		}
		if err := t.ChangeSights(t.WS, gone.MemberIDs); err != nil {
			return gone, err
		}
		if err := DeleteRoutes(t, t.WS, id); err != nil {
			return gone, err
		}
		if err := HideTeam(t, t.WS, id, t.Now); err != nil {
			return gone, err
		}
		views, err := DeleteTeamViews(t, t.WS, id)
		if err != nil {
			return gone, err
		}
		for _, view := range views {
			t.Announce(parley.ViewDeleted, parley.ID{}, nil, wire.AppendID(nil, view))
		}
		t.Announce(parley.TeamDeleted, parley.ID{}, nil, wire.AppendID(nil, id))
		return gone, desk.SetTimer(t, t.WS, clearTimer, id.String(), t.Now)
	})
}

// Kinds returns the kind of timer that clears the conversations of deleted teams.
func Kinds() []timer.Kind { return []timer.Kind{{Name: clearTimer, Do: clearTeam, Farthest: farthest}} }

// clearTeam takes some conversations out of a deleted team, and returns when to go on. The
// last time it deletes the row.
func clearTeam(t *desk.Tx, due desk.Timer) (time.Time, error) {
	id, ok := parley.ParseID(due.Name)
	if !ok {
		return time.Time{}, fmt.Errorf("a timer is named %q", due.Name)
	}
	page, err := t.ConversationIDs(t.Visibility, store.ConversationFilter{TeamID: parley.Some(id), Spam: parley.AnySpam, AnyMerged: true}, parley.Position{}, together)
	if err != nil {
		return time.Time{}, err
	}
	if len(page.Items) == 0 {
		return time.Time{}, DeleteTeam(t, t.WS, id)
	}
	found, err := t.ConversationsOf(t.Visibility, page.Items)
	if err != nil {
		return time.Time{}, err
	}
	for i := range found {
		c := &found[i] // without a team, because it is deleted
		before := c.Place()
		before.TeamID = id
		if err := t.UpdateConversation(t.WS, c, t.Now); err != nil {
			return time.Time{}, err
		}
		t.AnnounceChange(c, before, "team")
	}
	return t.Now, nil
}
