package desk

import (
	"context"
	"slices"

	"parley"
	"parley/internal/store"
)

// Events returns a page of the workspace's event log after a position, or from
// the oldest event if there is none. For a position that is not in the log, it
// returns the oldest events and Reset.
func (d *Desk) Events(ctx context.Context, ws parley.WorkspaceID, after parley.Optional[parley.LogPosition], limit int) (parley.EventPage, error) {
	return d.EventsOfTypes(ws, EventQuery{After: after, Limit: limit}).Now(ctx)
}

// typedWindow is how many events a page of some types examines at most.
const typedWindow = 10_000

// An EventQuery asks for a page of the event log.
type EventQuery struct {
	After parley.Optional[parley.LogPosition]
	Types []parley.EventType // nil: all
	Limit int
	Since int64 // of the reader's [parley.Sight]: an earlier position is not in the reader's log
}

// EventsOfTypes is [Desk.Events] for some types. A page may have few events or
// none and still be followed by more, because it examines at most typedWindow
// events.
func (d *Desk) EventsOfTypes(ws parley.WorkspaceID, q EventQuery) Read[parley.EventPage] {
	return Snapshot(d, func(v *store.View) (p parley.EventPage, err error) {
		w, err := v.Workspace(ws)
		if err != nil {
			return p, err
		}
		oldest, err := v.OldestEvent(ws)
		if err != nil {
			return p, err
		}
		start := w.Seq // the log is empty
		if oldest > 0 {
			start = oldest - 1
		}
		if q.After.Set {
			known, err := inLog(v, &w, q.After.Value, oldest)
			if err != nil {
				return p, err
			}
			known = known && q.After.Value.Seq >= q.Since
			p.Reset = !known
			if known {
				start = q.After.Value.Seq
			}
		}
		reached := start
		if q.Types == nil {
			p.Events, err = v.Events(ws, start, q.Limit)
			reached += int64(len(p.Events))
		} else {
			span := store.EventSpan{After: start, Last: min(w.Seq, start+typedWindow), Limit: q.Limit}
			p.Events, reached, err = v.EventsOfTypes(ws, span, q.Types)
		}
		if err != nil {
			return p, err
		}
		p.HasMore = reached < w.Seq
		p.Next, err = positionBehind(v, &w, p.Events, reached)
		return p, err
	})
}

// inLog reports whether a position belongs to the workspace's log: whether the
// log has the same event under its number. Before the oldest event this cannot
// be decided, unless that is the first event.
func inLog(v *store.View, w *parley.Workspace, at parley.LogPosition, oldest int64) (bool, error) {
	switch {
	case at.Epoch != w.Epoch || at.Seq > w.Seq:
		return false, nil
	case at.Seq == w.Seq:
		return at.Check == w.Check, nil
	case at.Seq == 0:
		return oldest <= 1 && at.Check == "", nil
	}
	check, err := v.EventCheck(w.ID, at.Seq)
	if parley.KindOf(err) == parley.NotFound {
		return false, nil
	}
	return check == at.Check, err
}

// positionBehind returns the position after the event seq, which may be the
// last of the events just read.
func positionBehind(v *store.View, w *parley.Workspace, read []parley.Event, seq int64) (parley.LogPosition, error) {
	at := parley.LogPosition{Epoch: w.Epoch, Seq: seq}
	if n := len(read); n > 0 && read[n-1].Seq == seq {
		at.Check = read[n-1].Check
		return at, nil
	}
	if seq == w.Seq {
		return w.End(), nil
	}
	check, err := v.EventCheck(w.ID, seq)
	if parley.KindOf(err) == parley.NotFound {
		err = nil // the position before the first event has none
	}
	at.Check = check
	return at, err
}

// LogHeads returns the ends of the logs of some workspaces, in no particular
// order.
func (d *Desk) LogHeads(ctx context.Context, workspaces []parley.WorkspaceID) ([]parley.LogHead, error) {
	return View(d, func(v *store.View) ([]parley.LogHead, error) { return v.LogHeads(workspaces) }).Now(ctx)
}

// EventsAfter returns the events after a position, for a reader that has all
// events up to it. If the tail is lost, the reader follows another history.
func (d *Desk) EventsAfter(ctx context.Context, ws parley.WorkspaceID, after parley.LogPosition, limit int) (parley.LogTail, error) {
	return View(d, func(v *store.View) (tail parley.LogTail, err error) {
		tail.Events, err = v.Events(ws, after.Seq, limit)
		if err != nil || len(tail.Events) == 0 {
			return tail, err
		}
		// The access counter is read after the events: it tells of all access that
		// ended before an event was committed.
		at, err := v.LogAt(ws, after)
		tail.Lost, tail.Access = at.Check != after.Check, at.Access
		return tail, err
	}).Now(ctx)
}

// EndedCredentials returns those of the credentials that no longer open the
// workspace's event log.
func (d *Desk) EndedCredentials(ctx context.Context, ws parley.WorkspaceID, credentials []parley.Credential) ([]parley.Credential, error) {
	return View(d, func(v *store.View) ([]parley.Credential, error) {
		var ended []parley.Credential
		for batch := range slices.Chunk(credentials, maxCredentials) {
			valid, err := v.ValidCredentials(ws, batch, d.clock.Now())
			if err != nil {
				return nil, err
			}
			for _, c := range batch {
				if !slices.Contains(valid, c) {
					ended = append(ended, c)
				}
			}
		}
		return ended, nil
	}).Now(ctx)
}

// maxCredentials is the most credentials in one query.
const maxCredentials = 200
