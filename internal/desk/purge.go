package desk

import (
	"context"
	"errors"
	"time"

	"parley/internal/store"
)

const (
	// purgeBatch is how many rows one transaction deletes at most, so that nobody
	// waits long behind it.
	purgeBatch = 2000
	// writerRetention is how long a writer is remembered that was not seen: longer
	// than anybody asks after a lost commit.
	writerRetention = 24 * time.Hour
)

// Purge deletes what is past its time: events older than retention, answers to
// requests older than AnswerRetention, unattached files, and writers of
// processes that ended. While the clock cannot be believed, it deletes nothing.
// The packages over the desk have a Purge each for what is theirs.
func (d *Desk) Purge(ctx context.Context, retention time.Duration) error {
	now, newest, ok, err := d.believed(ctx)
	if err != nil {
		return err
	}
	if !ok {
		d.log.Warn("purge: nothing deleted, the clock has run ahead", "clock", now, "newestChange", newest)
		return nil
	}
	_, err = Write(ctx, d, Caller{}, func(t *Tx) (struct{}, error) {
		return struct{}{}, t.DeleteWriters(t.Now.Add(-writerRetention))
	})
	if err != nil {
		return err
	}
	err = d.PurgeEach(ctx, func(t *Tx, limit int) (int, error) {
		if err := DeleteAnswers(t, t.WS, t.Now.Add(-AnswerRetention)); err != nil {
			return 0, err
		}
		return t.DeleteEvents(t.WS, t.Now.Add(-retention), limit)
	})
	if err != nil {
		return err
	}
	workspaces, err := d.Workspaces(ctx)
	if err != nil {
		return err
	}
	// The place of files may be away; what the store deletes does not wait for it.
	var failures []error
	for _, w := range workspaces {
		failures = append(failures, d.purgeUploads(ctx, w.ID))
	}
	return errors.Join(failures...)
}

// MayPurge reports whether the clock can be believed where something is deleted
// by it.
func (d *Desk) MayPurge(ctx context.Context) (bool, error) {
	_, _, ok, err := d.believed(ctx)
	return ok, err
}

// believed is MayPurge with what it goes by.
func (d *Desk) believed(ctx context.Context) (now, newest time.Time, ok bool, err error) {
	newest, err = View(ctx, d, (*store.View).NewestChange)
	now = d.clock.Now().Round(0)
	return now, newest, err == nil && d.watch.believes(now, newest), err
}

// PurgeEach runs remove in a transaction of each workspace, again for as long as
// it deletes the most rows that it may, limit. While the clock cannot be
// believed, it runs nothing.
func (d *Desk) PurgeEach(ctx context.Context, remove func(t *Tx, limit int) (deleted int, err error)) error {
	if ok, err := d.MayPurge(ctx); err != nil || !ok {
		return err
	}
	workspaces, err := d.Workspaces(ctx)
	if err != nil {
		return err
	}
	for _, w := range workspaces {
		for {
			deleted, err := Write(ctx, d, Caller{Workspace: w.ID}, func(t *Tx) (int, error) { return remove(t, purgeBatch) })
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
