package continuing

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
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
	add := func(e *parley.Event) {
		if _, known := since[e.ConversationID]; !known {
			written, since[e.ConversationID] = append(written, e.ConversationID), e.CreatedAt
		}
	}
	for i := range events {
		e := &events[i]
		if e.Type == parley.ConversationSplit { // its first messages were written in another one
			add(e)
			continue
		}
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
		add(e)
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
	w, err := t.Workspace(t.WS)
	if err != nil {
		return err
	}
	waits, err := selectWaits(t, t.Visibility, written)
	for _, one := range waits {
		if err == nil {
			err = desk.AdvanceTimer(t, t.WS, Timer, timerName(one.conversation, w.Epoch), since[one.conversation].Add(one.after))
		}
	}
	return err
}

// timerName returns the name of a conversation's timer. After a restore, when the workspace has
// another epoch, nobody knows what was mailed since the backup, so its timers mail nothing.
func timerName(conversation parley.ID, epoch string) string {
	return conversation.String() + " " + epoch
}

// readTimerName returns the parts of a timer's name.
func readTimerName(name string) (conversation parley.ID, epoch string) {
	text, epoch, _ := strings.Cut(name, " ")
	conversation, _ = parley.ParseID(text)
	return conversation, epoch
}
