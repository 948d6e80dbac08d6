package later

import (
	"slices"

	"parley"
	"parley/internal/desk"
)

// Move moves scheduled messages of a conversation to another one, all of them or, if only
// is not nil, those of them that are still there. It returns the moved ones.
func Move(t *desk.Tx, from, to *parley.Conversation, only []parley.ID) ([]parley.ID, error) {
	found, err := SelectScheduledOf(t, t.Visibility, from.ID)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	ids := make([]parley.ID, len(found))
	for i := range found {
		ids[i] = found[i].ID
	}
	files, err := selectFiles(t, t.WS, ids)
	if err != nil {
		return nil, err
	}
	var moved []parley.ID
	for i := range found {
		s := &found[i]
		if only != nil && !slices.Contains(only, s.ID) {
			continue
		}
		s.take(files)
		s.ConversationID, s.Version = to.ID, s.Version+1
		if err := updatePlace(t, t.WS, s); err != nil {
			return nil, err
		}
		announce(t, to, parley.ScheduledMessageUpdated, s, "conversationId")
		moved = append(moved, s.ID)
	}
	return moved, nil
}
