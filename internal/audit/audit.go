// Package audit reads the audit log: who did what to members, keys and settings. Its
// entries are written by [parley/internal/audit/recording], in the transaction of what
// they record. Nobody changes them, and their age alone deletes them.
//
// It is over the desk, and may import the vocabulary, the store, the desk and
// audit/recording.
package audit

import (
	"context"
	"errors"
	"iter"
	"time"

	"parley"
	"parley/internal/audit/entry"
	"parley/internal/audit/recording"
	"parley/internal/desk"
	"parley/internal/store"
)

const (
	// exportPage is how many entries one read of an export returns.
	exportPage = 500
	// recordTime bounds the record in one of many workspaces.
	recordTime = 2 * time.Second
	// exportTime bounds one read of an export, so that other readers can wait for it.
	exportTime = 4 * time.Second
	// expireBatch is how many entries one transaction deletes.
	expireBatch = 2000
)

// A Filter selects entries. The zero Filter selects all.
type Filter struct {
	Action entry.Action // "" for any
	// ActorType and ActorID are who did it. An id needs no type.
	ActorType entry.Actor
	ActorID   string
	From, To  time.Time // from From on and before To; zero: no limit
}

// A Service reads the audit log.
type Service struct{ desk *desk.Desk }

// New returns a Service.
func New(d *desk.Desk) *Service { return &Service{desk: d} }

// Entries returns a page of entries with the present names of who and what they are about,
// newest first.
func (svc *Service) Entries(ws parley.WorkspaceID, f Filter, after parley.Position, limit int) desk.Read[parley.Page[entry.Entry]] {
	return desk.Snapshot(svc.desk, func(v *store.View) (parley.Page[entry.Entry], error) { return entries(v, ws, f, after, limit) })
}

func entries(v *store.View, ws parley.WorkspaceID, f Filter, after parley.Position, limit int) (parley.Page[entry.Entry], error) {
	page, err := SelectEntries(v, ws, f, after, limit)
	if err != nil {
		return page, err
	}
	return page, addNames(v, ws, page.Items)
}

// A Format is how an export is written.
type Format string

// The formats.
const (
	CSV    Format = "csv"
	NDJSON Format = "ndjson"
)

// Export records that a caller reads the whole of a filter, and returns its entries in
// pages, newest first, until the log ends, a read fails, or the context does. They are
// those of now: later ones, and that of the export itself, are not among them.
func (svc *Service) Export(ctx context.Context, by desk.Caller, f Filter, format Format) (iter.Seq2[[]entry.Entry, error], error) {
	last, err := desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.Position, error) {
		// The position before which the export reads: ids of one millisecond are in the order in which they were made.
		at := parley.Position{At: t.Now, ID: t.IDs.New(t.Now)}
		return at, t.Audit.Record(entry.Entry{Action: entry.Exported, Changes: []entry.Change{{Field: "format", To: string(format)}}})
	})
	if err != nil {
		return nil, err
	}
	return func(yield func([]entry.Entry, error) bool) {
		for after := last; ; {
			page, err := svc.exported(ctx, by.Workspace, f, after)
			if !yield(page.Items, err) || err != nil || !page.HasMore {
				return
			}
			after = page.Next
		}
	}, nil
}

func (svc *Service) exported(ctx context.Context, ws parley.WorkspaceID, f Filter, after parley.Position) (parley.Page[entry.Entry], error) {
	ctx, cancel := context.WithTimeout(ctx, exportTime)
	defer cancel()
	return svc.Entries(ws, f, after, exportPage).Now(ctx)
}

// Record writes an entry about what needs no other change.
func (svc *Service) Record(ctx context.Context, by desk.Caller, e entry.Entry) error {
	_, err := desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (struct{}, error) { return struct{}{}, t.Audit.Record(e) })
	return err
}

// RecordEverywhere is [Service.Record] in all workspaces, about what concerns the whole
// store: by the command line, if the client says so, or else by the server.
func (svc *Service) RecordEverywhere(ctx context.Context, client entry.Client, e entry.Entry) error {
	all, err := svc.desk.Workspaces(ctx)
	for i := range all {
		limited, cancel := context.WithTimeout(ctx, recordTime) // a workspace that is held holds up no other
		err = errors.Join(err, svc.Record(limited, desk.Caller{Workspace: all[i].ID, Client: client}, e))
		cancel()
	}
	return err
}

// Restored records in each workspace of a store that it was restored from a backup, with
// whose audit log it came.
func Restored(tx *store.Tx, ids *parley.IDs, now, made time.Time) error {
	all, err := tx.Workspaces()
	for i := range all {
		if err != nil {
			break
		}
		r := recording.Recorder{Tx: tx, WS: all[i].ID, IDs: ids, Now: now, Client: entry.Client{Operator: true}}
		err = r.Record(entry.Entry{
			Action: entry.Restored, SubjectType: entry.SubjectWorkspace, SubjectID: all[i].ID.String(),
			Changes: []entry.Change{{Field: "madeAt", To: made.UTC().Format(time.RFC3339)}},
		})
	}
	return err
}

// Expire deletes entries of the transaction's workspace that are older than the retention,
// and reports whether more are left.
func Expire(t *desk.Tx, retention time.Duration) (more bool, err error) {
	old, err := deleteEntries(t, t.WS, t.Now.Add(-retention), expireBatch)
	return len(old) == expireBatch, err
}
