package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"parley"
)

const eventColumns = `seq, type, created_at, conversation_id, changed, data, moved,
	actor_type, actor_id, actor_name, cause_type, cause_id, imported, mark, inbox_id, team_id, assignee_id, before`

func scanEvent(r row, e *parley.Event) error {
	var changed, moved, before string
	o, p := &e.Origin, &e.Place
	err := r.scan(&e.Seq, (*string)(&e.Type), &e.CreatedAt, &e.ConversationID, &changed, &e.Data, &moved,
		(*string)(&o.Actor.Type), &o.Actor.ID, &o.Actor.Name, (*string)(&o.Cause.Type), &o.Cause.ID, &o.Imported, &e.Check,
		&p.InboxID, &p.TeamID, (*string)(&p.AssigneeID), &before)
	if moved != "" {
		e.Moved = []byte(moved)
	}
	if changed != "" {
		e.Changed = strings.Split(changed, ",")
	}
	if err != nil || before == "" {
		return err
	}
	e.Before, err = parsePlace(before)
	return err
}

// insertOfConversation reads the place of the event from its conversation, in the same
// statement.
const (
	intoEvents           = "INSERT INTO events (workspace_id, " + eventColumns + ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15"
	insertPlaced         = intoEvents + ", $16, $17, $18, $19)"
	ofItsConversation    = " FROM conversations c WHERE c.workspace_id = $1 AND c.conversation_id = $5)"
	insertOfConversation = intoEvents + ", (SELECT c.inbox_id" + ofItsConversation + ", (SELECT c.team_id" + ofItsConversation +
		", COALESCE((SELECT c.assignee_id" + ofItsConversation + ", ''), '')"
)

func (tx *Tx) insertEvent(ws parley.WorkspaceID, e *parley.Event) error {
	o, p := &e.Origin, &e.Place
	args := []any{
		ws, e.Seq, string(e.Type), e.CreatedAt, e.ConversationID, strings.Join(e.Changed, ","), string(e.Data), string(e.Moved),
		string(o.Actor.Type), o.Actor.ID, o.Actor.Name, string(o.Cause.Type), o.Cause.ID, o.Imported, e.Check,
	}
	if *p == (parley.Place{}) && !e.ConversationID.IsZero() {
		return tx.exec(insertOfConversation, args...)
	}
	before, err := placeText(e.Before)
	if err != nil {
		return err
	}
	return tx.exec(insertPlaced, append(args, p.InboxID, p.TeamID, string(p.AssigneeID), before)...)
}

// A storedPlace is the JSON of an event's Before. The inbox of a conversation never
// changes.
type storedPlace struct {
	TeamID     string `json:"teamId,omitempty"`
	AssigneeID string `json:"assigneeId,omitempty"`
}

func placeText(before parley.Optional[parley.Place]) (string, error) {
	if !before.Set {
		return "", nil
	}
	stored := storedPlace{AssigneeID: string(before.Value.AssigneeID)}
	if team := before.Value.TeamID; !team.IsZero() {
		stored.TeamID = team.String()
	}
	text, err := json.Marshal(stored)
	return string(text), err
}

func parsePlace(text string) (parley.Optional[parley.Place], error) {
	var stored storedPlace
	if err := json.Unmarshal([]byte(text), &stored); err != nil {
		return parley.Optional[parley.Place]{}, fmt.Errorf("place before an event: %w", err)
	}
	team, _ := parley.ParseID(stored.TeamID) // "" is none
	return parley.Some(parley.Place{TeamID: team, AssigneeID: parley.UserID(stored.AssigneeID)}), nil
}

func (tx *Tx) updateHead(ws parley.WorkspaceID, h *head) error {
	return tx.exec("UPDATE workspaces SET seq = $2, changed_at = $3 WHERE workspace_id = $1", ws, h.seq, h.newest())
}

// maxEventBytes is how much data one read of the log returns, not counting its
// last event. Events stay in memory until they are sent, for every slow stream.
const maxEventBytes = 256 << 10

// Events returns at most limit events after a sequence number, in order. It
// returns fewer if they are large, but at least one if there is one.
func (v *View) Events(ws parley.WorkspaceID, after int64, limit int) ([]parley.Event, error) {
	scan := func(r row, e *parley.Event) error {
		e.Workspace = ws
		return scanEvent(r, e)
	}
	return manyWithin(v, maxEventBytes, scan, "SELECT "+eventColumns+` FROM events
		WHERE workspace_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`, ws, after, limit)
}

// An EventSpan is the part of the log after sequence number After, up to and
// including Last.
type EventSpan struct {
	After, Last int64
	Limit       int // the number of events returned at most
}

// EventsOfTypes returns the events of some types in a part of the log, in
// order. reached is the sequence number up to which it has looked: the end of
// the part, unless the limit or the size of the events stopped it earlier.
func (v *View) EventsOfTypes(ws parley.WorkspaceID, s EventSpan, types []parley.EventType) (events []parley.Event, reached int64, err error) {
	reached = s.Last
	var c clause
	c.and("workspace_id = ?", ws)
	c.and("seq > ?", s.After)
	c.and("seq <= ?", reached)
	names := make([]any, len(types))
	for i, t := range types {
		names[i] = string(t)
	}
	c.conditions = append(c.conditions, "type IN ("+c.list(names)+")")
	size := 0
	err = v.session.query(v.ctx, "SELECT "+eventColumns+" FROM events"+c.where()+" ORDER BY seq LIMIT "+c.arg(s.Limit), c.args, func(r row) error {
		e := parley.Event{Workspace: ws}
		if err := scanEvent(r, &e); err != nil {
			return err
		}
		events = append(events, e)
		if size += len(e.Data); size >= maxEventBytes || len(events) == s.Limit {
			reached = e.Seq
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return events, reached, err
}

func scanLogHead(r row, h *parley.LogHead) error {
	return r.scan(&h.Workspace, &h.Epoch, &h.Seq, &h.Check, &h.Access)
}

// LogHeads returns the ends of the logs of some workspaces, in no particular
// order.
func (v *View) LogHeads(workspaces []parley.WorkspaceID) ([]parley.LogHead, error) {
	var c clause
	list := make([]any, len(workspaces))
	for i, ws := range workspaces {
		list[i] = ws
	}
	return many(v, scanLogHead, "SELECT w.workspace_id, w.epoch, w.seq, "+newestCheck+", w.access FROM workspaces w WHERE w.workspace_id IN ("+c.list(list)+")", c.args...)
}

// EventCheck returns the check of an event, or NotFound if the event was
// deleted.
func (v *View) EventCheck(ws parley.WorkspaceID, seq int64) (string, error) {
	return one(v, "event", func(r row, check *string) error { return r.scan(check) },
		"SELECT mark FROM events WHERE workspace_id = $1 AND seq = $2", ws, seq)
}

// LogAt returns what the log has at a position, with the access counter of the
// workspace. If the event was deleted, the check is that of the given position.
func (v *View) LogAt(ws parley.WorkspaceID, at parley.LogPosition) (parley.LogHead, error) {
	return one(v, "workspace", scanLogHead, `SELECT w.workspace_id, w.epoch, CAST($2 AS bigint), COALESCE(e.mark, $3), w.access FROM workspaces w
		LEFT JOIN events e ON e.workspace_id = w.workspace_id AND e.seq = $2 WHERE w.workspace_id = $1`, ws, at.Seq, at.Check)
}

// OldestEvent returns the sequence number of the oldest stored event, 0 if
// there is none.
func (v *View) OldestEvent(ws parley.WorkspaceID) (int64, error) {
	return one(v, "workspace", func(r row, seq *int64) error { return r.scan(seq) },
		"SELECT COALESCE(min(seq), 0) FROM events WHERE workspace_id = $1", ws)
}

// DeleteEvents deletes at most limit events from before a time, oldest first,
// and returns how many it deleted. It keeps the newest event, because the
// position of the log is read from it.
func (tx *Tx) DeleteEvents(ws parley.WorkspaceID, before time.Time, limit int) (int, error) {
	type old struct {
		seq int64
		at  time.Time
	}
	rows, err := many(&tx.View, func(r row, o *old) error { return r.scan(&o.seq, &o.at) },
		`SELECT e.seq, e.created_at FROM events e, workspaces w WHERE e.workspace_id = $1 AND w.workspace_id = $1 AND e.seq < w.seq
		ORDER BY e.seq LIMIT $2`, ws, limit)
	last, count := int64(0), 0
	for _, o := range rows {
		if !o.at.Before(before) {
			break
		}
		last = o.seq
		count++
	}
	if err != nil || count == 0 {
		return 0, err
	}
	return count, tx.exec("DELETE FROM events WHERE workspace_id = $1 AND seq <= $2", ws, last)
}

// numberEvents assigns sequence numbers and checks to the events and stores
// them, together with the new heads of the workspaces.
func (w *writer) numberEvents(tx *Tx) error {
	for i := range tx.events {
		e := &tx.events[i]
		h := tx.head(e.ws)
		h.seq++
		h.touched = true
		e.Seq, e.Check = h.seq, w.ids.NewText(parley.EventCheckLength)
		if err := tx.insertEvent(e.ws, &e.Event); err != nil {
			return err
		}
	}
	for ws, h := range tx.heads {
		if !h.touched {
			continue
		}
		if err := tx.updateHead(ws, h); err != nil {
			return err
		}
	}
	return nil
}
