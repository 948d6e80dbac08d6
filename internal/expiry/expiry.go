// Package expiry deletes expired data: in each workspace by timers, so that one
// node does it and no workspace waits for another, and data of no workspace on each
// node. The packages decide which of their data has expired.
//
// It may import the vocabulary, the store, the desk, access, audit, bulk, customers, drafts, knowledge,
// mail, notices, numbers, providers, threads and timer.
package expiry

import (
	"context"
	"errors"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/audit"
	"parley/internal/bulk"
	"parley/internal/continuing"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/drafts"
	"parley/internal/knowledge"
	"parley/internal/mail"
	"parley/internal/notices"
	"parley/internal/numbers"
	"parley/internal/providers"
	"parley/internal/store"
	"parley/internal/threads"
	"parley/internal/timer"
)

const (
	// Pause is the time between two deletions.
	Pause = 10 * time.Minute
	// batch is the most rows that one transaction deletes from a large table, so that
	// other writes of the workspace do not wait long.
	batch = 2000
	// uploadsLease is how long the deletion of a workspace's files may take.
	uploadsLease = 5 * time.Minute
	// rowsTimer is the kind of the timer that each workspace has. The store keeps the
	// name.
	rowsTimer = "expire"
)

// A Retention is how long a server keeps what it could keep for ever.
type Retention struct {
	Events time.Duration // of the event log
	Audit  time.Duration // of the audit log
}

// Kinds returns the kinds of timers that delete what has expired in a workspace.
func Kinds(d *desk.Desk, retention Retention) []timer.Kind {
	return []timer.Kind{
		{
			Name: rowsTimer, Deletes: true, Farthest: Pause,
			Missing: func(v *store.View) ([]parley.WorkspaceID, error) {
				return desk.SelectWorkspacesWithoutTimer(v, rowsTimer)
			},
			Do: func(t *desk.Tx, _ desk.Timer) (time.Time, error) { return rows(t, retention) },
		},
		{
			Name: desk.UploadsTimer, Deletes: true, Farthest: parley.UploadRetention, Lease: uploadsLease,
			// Nodes of an earlier version keep files without a timer.
			Missing: func(v *store.View) ([]parley.WorkspaceID, error) {
				return desk.SelectUntimedUploads(v, desk.UploadsTimer)
			},
			Run: func(ctx context.Context, ws parley.WorkspaceID, _ desk.Timer) (timer.Finish, error) {
				return (*desk.Tx).UploadsExpire, d.Attachments().PurgeUploads(ctx, ws)
			},
		},
		{
			Name: knowledge.PicturesTimer, Deletes: true, Farthest: knowledge.PictureRetention, Lease: uploadsLease,
			Run: func(ctx context.Context, ws parley.WorkspaceID, _ desk.Timer) (timer.Finish, error) {
				return knowledge.PicturesExpire, knowledge.New(d).PurgePictures(ctx, ws)
			},
		},
	}
}

// rows deletes what has expired in a workspace. If more is left, it is due at once,
// after the turns of other workspaces.
func rows(t *desk.Tx, retention Retention) (next time.Time, err error) {
	events, err := t.Expire(retention.Events, batch)
	if err != nil {
		return next, err
	}
	messages, err := numbers.Expire(t, batch)
	if err != nil {
		return next, err
	}
	items, err := bulk.Expire(t, batch)
	if err != nil {
		return next, err
	}
	if err := access.Expire(t); err != nil {
		return next, err
	}
	if err := drafts.Expire(t); err != nil {
		return next, err
	}
	if err := threads.Expire(t); err != nil {
		return next, err
	}
	if err := notices.Expire(t); err != nil {
		return next, err
	}
	if err := customers.Expire(t); err != nil {
		return next, err
	}
	if err := knowledge.Expire(t); err != nil {
		return next, err
	}
	if err := providers.Expire(t); err != nil {
		return next, err
	}
	if err := continuing.Expire(t); err != nil {
		return next, err
	}
	if err := mail.Expire(t); err != nil {
		return next, err
	}
	entries, err := audit.Expire(t, retention.Audit)
	if err != nil {
		return next, err
	}
	if entries || events == batch || messages == batch || items == batch {
		return t.Now, nil
	}
	return t.Now.Add(Pause), nil
}

// Unowned deletes what has expired and belongs to no workspace. While the clock is
// in doubt, it deletes nothing.
func Unowned(ctx context.Context, d *desk.Desk) error {
	if ok, err := d.MayPurge(ctx); err != nil || !ok {
		return err
	}
	_, err := desk.Write(ctx, d, desk.Caller{}, func(t *desk.Tx) (struct{}, error) {
		return struct{}{}, errors.Join(t.ExpireWriters(), numbers.ExpireCalls(t))
	})
	return err
}
