package desk

import (
	"context"
	"time"

	"parley"
	"parley/internal/store"
)

// Events returns a page of the workspace's event log behind a position, or
// from the oldest event kept where there is none. A position that is not in
// the log (any more) gives the oldest events and Reset.
func (d *Desk) Events(ctx context.Context, ws parley.WorkspaceID, after parley.Optional[parley.LogPosition], limit int) (parley.EventPage, error) {
	return snapshot(ctx, d, func(v *store.View) (p parley.EventPage, err error) {
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
		if after.Set {
			at := after.Value
			p.Reset = at.Epoch != w.Epoch || at.Seq < start || at.Seq > w.Seq
			if !p.Reset {
				start = at.Seq
			}
		}
		events, err := v.Events(ws, start, limit+1)
		if err != nil {
			return p, err
		}
		p.HasMore = len(events) > limit
		p.Events = events[:min(limit, len(events))]
		p.Next = parley.LogPosition{Epoch: w.Epoch, Seq: start + int64(len(p.Events))}
		return p, nil
	})
}

// purgeBatch is how many events one transaction deletes at most, so that
// nobody waits long behind it.
const purgeBatch = 2000

// writerRetention is how long a writer is remembered that was not seen: longer
// than anybody asks after a lost commit.
const writerRetention = 24 * time.Hour

// Purge deletes what is past its time: events older than retention, answers to
// requests older than AnswerRetention, and writers of processes that ended.
func (d *Desk) Purge(ctx context.Context, retention time.Duration) error {
	_, err := write(ctx, d, Caller{}, func(t *tx) (struct{}, error) {
		return struct{}{}, t.DeleteWriters(t.now.Add(-writerRetention))
	})
	if err != nil {
		return err
	}
	workspaces, err := d.Workspaces(ctx)
	if err != nil {
		return err
	}
	for _, w := range workspaces {
		for {
			deleted, err := write(ctx, d, Caller{Workspace: w.ID}, func(t *tx) (int, error) {
				if err := t.DeleteAnswers(t.ws, t.now.Add(-AnswerRetention)); err != nil {
					return 0, err
				}
				return t.DeleteEvents(t.ws, t.now.Add(-retention), purgeBatch)
			})
			if err != nil {
				return err
			}
			if deleted < purgeBatch {
				break
			}
		}
	}
	return nil
}
