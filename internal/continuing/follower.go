package continuing

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/follow"
)

// A posted is what the follower reads of a message.
type posted struct {
	Direction parley.Direction `json:"messageType"`
	Private   bool             `json:"isPrivate"`
}

// await prepares the timers of the conversations in which the team wrote.
func await(_ context.Context, _ parley.WorkspaceID, events []parley.Event) (follow.Step, error) {
	var written []parley.ID
	since := map[parley.ID]time.Time{} // the first message of each
	for i := range events {
		e := &events[i]
		if e.Type != parley.MessageCreated || e.Origin.Imported {
			continue
		}
		var m posted
		if err := json.Unmarshal(e.Data, &m); err != nil {
			return follow.Step{}, fmt.Errorf("event %d: %w", e.Seq, err)
		}
		if m.Direction != parley.Outgoing || m.Private {
			continue
		}
		if _, known := since[e.ConversationID]; !known {
			written, since[e.ConversationID] = append(written, e.ConversationID), e.CreatedAt
		}
	}
	step := follow.Step{Events: len(events)}
	if len(written) > 0 {
		step.Store = func(t *desk.Tx) error { return setTimers(t, written, since) }
	}
	return step, nil
}

// setTimers sets the timers of those conversations whose inbox continues by mail. A timer
// that is due earlier stays: it looks at the conversation as it is then.
func setTimers(t *desk.Tx, written []parley.ID, since map[parley.ID]time.Time) error {
	waits, err := selectWaits(t, t.Visibility, written)
	for _, w := range waits {
		if err == nil {
			err = desk.AdvanceTimer(t, t.WS, Timer, w.conversation.String(), since[w.conversation].Add(w.after))
		}
	}
	return err
}
