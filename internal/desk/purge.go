package desk

import (
	"context"
	"time"

	"parley/internal/store"
)

// writerRetention is how long the row of an inactive writer is kept: longer
// than anybody asks about a lost commit.
const writerRetention = 24 * time.Hour

// Expire deletes what has expired in the transaction's workspace: stored
// answers, and at most limit events older than retention. It returns the number
// of deleted events.
func (t *Tx) Expire(retention time.Duration, limit int) (int, error) {
	if err := DeleteAnswers(t, t.WS, t.Now.Add(-AnswerRetention)); err != nil {
		return 0, err
	}
	return t.DeleteEvents(t.WS, t.Now.Add(-retention), limit)
}

// ExpireWriters deletes the rows of writers in dead processes.
func (t *Tx) ExpireWriters() error { return t.DeleteWriters(t.Now.Add(-writerRetention)) }

// MayPurge reports whether the clock is trusted when something is deleted by
// age. It logs when a doubt begins.
func (d *Desk) MayPurge(ctx context.Context) (bool, error) {
	now := d.clock.Now().Round(0)
	believed, doubtBegins, err := d.watch.Believes(now, func(until time.Time) (time.Time, error) {
		return View(d, func(v *store.View) (time.Time, error) { return v.NewestChange(until) }).Now(ctx)
	})
	if doubtBegins {
		d.log.Warn("purge: nothing deleted, the clock has run ahead", "clock", now)
	}
	return believed, err
}
