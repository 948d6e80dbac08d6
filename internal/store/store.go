// Package store keeps everything that Parley knows, on embedded SQLite or on
// PostgreSQL. It is the only package that contains SQL, and it imports only
// the vocabulary.
//
// Reading goes through View and Snapshot, which hand out a *View; writing goes
// through Write, which hands out a *Tx. A method of a View or a Tx takes the
// workspace as its first argument and runs one statement, the same text on
// both engines. Rules live elsewhere.
//
// Write queues its closure. A writer takes the closures that wait, runs them
// in one transaction, numbers the events that they emitted, commits once, and
// only then answers all of them. A closure that fails or panics is undone alone.
// A closure may run more than once, so it must not have effects but through its
// Tx.
package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"zombiezen.com/go/sqlite"

	"parley"
)

// FileName is the name of the embedded database in the folder of the store.
const FileName = "parley.db"

// Options say where the store is.
type Options struct {
	Dir      string // folder of the embedded store; made if it is not there
	Database string // postgres:// URL; if set, Dir is not used
	IDs      *parley.IDs
	Log      *slog.Logger
	// Lock, where it is set, is the lock of Dir, which its owner closes after the
	// store. Without one, the schema of a store that is being served is not changed.
	Lock *Lock
	// Committed, where it is set, is told which workspaces changed, right after
	// each commit and before anybody gets an answer. It must not wait.
	Committed func([]parley.WorkspaceID)
}

// A Store is an open store. Its methods may be called by many goroutines.
type Store struct {
	engine  engine
	writers []*writer
	lanes   *lanes // nil on an embedded store
	log     *slog.Logger
	closed  atomic.Bool
	outcome *outcome    // of the writers
	prober  parley.ID   // whose row Ready writes
	unready atomic.Bool // so Watch found it
}

// Open opens a store whose schema is up to date; see Migrate.
func Open(ctx context.Context, o Options) (*Store, error) {
	e, err := openEngine(ctx, o)
	if err != nil {
		return nil, err
	}
	s := &Store{engine: e, log: o.Log, outcome: &outcome{}, prober: o.IDs.New(time.Now())}
	writers := 1
	if o.Database != "" {
		writers = postgresWriters
		s.lanes = newLanes(o.IDs)
	}
	for range writers {
		s.writers = append(s.writers, newWriter(e, o, s.lanes, s.outcome))
	}
	return s, nil
}

func openEngine(ctx context.Context, o Options) (engine, error) {
	if o.Database != "" {
		if !strings.HasPrefix(o.Database, "postgres://") && !strings.HasPrefix(o.Database, "postgresql://") {
			return nil, errors.New("the database must be a postgres:// URL")
		}
		return openPostgres(ctx, o.Database)
	}
	if err := makeFolder(o.Dir); err != nil {
		return nil, err
	}
	// SQLite would make the file readable to everybody; the files beside it
	// take over the rights of this one.
	path := filepath.Join(o.Dir, FileName)
	if _, err := peekSQLite(path); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("make the file of the store: %w", err)
	}
	if err := file.Close(); err != nil {
		return nil, fmt.Errorf("make the file of the store: %w", err)
	}
	e, err := openSQLite(path, o.Log)
	if err != nil {
		return nil, asDamage(path, err) // not e, which would be no nil
	}
	return e, nil
}

// Close ends the store after the closures that wait have been answered. A
// second call does nothing.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	for _, w := range s.writers {
		w.stop()
	}
	s.lanes.wait()
	return s.engine.close()
}

// View runs fn with a view of the store. Each of its queries sees what is
// committed at that moment. After waitTime its queries fail, with Unavailable.
func (s *Store) View(ctx context.Context, fn func(*View) error) error {
	return s.read(ctx, false, fn)
}

// Snapshot runs fn with a view whose queries all see one state of the store,
// for as long as View does.
func (s *Store) Snapshot(ctx context.Context, fn func(*View) error) error {
	return s.read(ctx, true, fn)
}

// Tell carries a text of at most 7999 bytes to every node that shares the
// store, this one included, as long as nothing is lost: it is a hint, and what
// matters is in the tables. An embedded store has no other nodes.
func (s *Store) Tell(ctx context.Context, text string) error { return s.engine.tell(ctx, text) }

// Listen hands what nodes tell to each, one by one, until the context ends or
// the connection is lost.
func (s *Store) Listen(ctx context.Context, each func(text string)) error {
	return s.engine.listen(ctx, each)
}

func (s *Store) read(ctx context.Context, snapshot bool, fn func(*View) error) error {
	if s.closed.Load() {
		return unavailableError(errors.New("the store is closed"))
	}
	ctx, cancel := context.WithTimeout(ctx, waitTime)
	defer cancel()
	err := s.engine.view(ctx, snapshot, func(session session) error {
		return fn(&View{ctx: ctx, session: session})
	})
	if err != nil && s.closed.Load() && parley.KindOf(err) == parley.Internal {
		return unavailableError(err) // it was closed meanwhile
	}
	return outwards(ctx, err)
}

// Write runs fn in a transaction in which it may read and write the rows of
// the workspace ws, and returns when that transaction is durable, or fn's
// error. fn may run more than once, and must not call Write. A statement that
// fails makes fn fail, whatever fn returns. The wait ends with the context, and
// after waitTime in any case; whether fn took effect is then not known. An
// Unavailable error, too, may stand for a commit whose answer was lost.
func (s *Store) Write(ctx context.Context, ws parley.WorkspaceID, fn func(*Tx) error) error {
	w := s.writers[int(ws[15])%len(s.writers)]
	return outwards(ctx, w.do(ctx, ws, fn))
}

// Stats count what the writers did since the store was opened.
type Stats struct {
	Groups   int64 // transactions committed
	Closures int64 // closures in them
	Retries  int64 // transactions lost and tried again
	Failures int64 // groups that were given up
	Queued   int64 // closures that wait now
	Unready  bool  // Watch found that reads or writes fail
	Damaged  bool  // the file of an embedded store is damaged, or not in its place
}

// Stats returns the counts of all writers.
func (s *Store) Stats() Stats {
	var sum Stats
	for _, w := range s.writers {
		sum.Groups += w.groups.Load()
		sum.Closures += w.closures.Load()
		sum.Retries += w.retries.Load()
		sum.Queued += int64(len(w.queue))
	}
	sum.Queued += s.lanes.queued()
	sum.Failures = s.outcome.count()
	sum.Unready, sum.Damaged = s.unready.Load(), s.engine.sound() != nil
	return sum
}

// Ping reports whether the store answers.
func (s *Store) Ping(ctx context.Context) error {
	return s.View(ctx, func(v *View) error {
		return v.session.query(ctx, "SELECT 1 FROM workspaces LIMIT 1", nil, nil)
	})
}

// outwards makes of an engine's error one that callers know: an error of the
// vocabulary stays, a lost database or an ended context becomes Unavailable,
// anything else Internal.
func outwards(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	var known *parley.Error
	if errors.As(err, &known) {
		return err
	}
	var lost *lostGroup
	unavailable := errors.As(err, &lost) && (lost.again || lost.unknown) || mayTryAgain(err) || inTrouble(err) ||
		ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultBusy, sqlite.ResultLocked, sqlite.ResultFull, sqlite.ResultIOErr, sqlite.ResultInterrupt,
		sqlite.ResultCantOpen, sqlite.ResultNoMem, sqlite.ResultProtocol, sqlite.ResultReadOnly:
		unavailable = true
	}
	if unavailable {
		return unavailableError(err)
	}
	return &parley.Error{Kind: parley.Internal, Message: "the store failed", Cause: err}
}

// retryAfter is when who was refused may ask again.
const retryAfter = time.Second

func unavailableError(cause error) error {
	return &parley.Error{
		Kind:       parley.Unavailable,
		Message:    "the store cannot answer now; try again",
		RetryAfter: retryAfter,
		Cause:      cause,
	}
}
