// Package store keeps all data of Parley, in an embedded SQLite database or in
// PostgreSQL. It holds the engines, the writer, and the statements on the records
// that all packages share; statement.go has the functions by which a package runs
// statements of its own. It imports only the vocabulary, what folds text, and the
// packages of its folder: schema has the steps of the schema and what they make,
// sqlitefile guards the file of an embedded store, oldcopy copies it, datafolder
// locks its folder, parting ends connections to PostgreSQL, pgfault knows its errors,
// and patience limits waiting.
//
// [Store.View] and [Store.Snapshot] read through a [View], and [Store.Write]
// writes through a [Tx]. Methods of View and Tx take the workspace as their
// first argument and run one statement, the same text on both engines, except
// where their comments say otherwise. Rules live elsewhere.
//
// Write queues its closure. A writer takes all waiting closures, runs them in
// one transaction, numbers the events that they emitted, commits once, and only
// then answers all of them. A closure that fails or panics is undone alone. A
// closure may run more than once, so it must have no effects except through its
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
	"parley/internal/store/datafolder"
	"parley/internal/store/patience"
	"parley/internal/store/pgfault"
	"parley/internal/store/sqlitefile"
	"parley/internal/tracing"
)

// FileName is the name of the SQLite file in the folder of the store.
const FileName = "parley.db"

// Options configure a store.
type Options struct {
	Dir      string // folder of the embedded store; created if missing
	Database string // postgres:// URL; if set, Dir is not used
	IDs      *parley.IDs
	Log      *slog.Logger
	// Lock, if set, is the lock of Dir; its owner closes it after the store.
	// Without it, Migrate does not change the schema of a store that is being
	// served.
	Lock *datafolder.Lock
	// Copies is how many copies of an embedded store Migrate keeps beside it. It
	// makes one before each change of the schema; 0 makes none.
	Copies int
	// Committed, if set, receives the changed workspaces right after each
	// commit, before any caller gets an answer. It must not block.
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
	prober  parley.ID   // the writer id whose row Ready updates
	unready atomic.Bool // the latest result of Watch
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
	if err := datafolder.Make(o.Dir); err != nil {
		return nil, err
	}
	// SQLite would create the file readable for everybody; its companion files
	// inherit the permissions of this one.
	path := filepath.Join(o.Dir, FileName)
	if _, err := sqlitefile.Peek(path); err != nil {
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
		return nil, sqlitefile.Advise(path, err) // not e: a nil pointer in an interface is not nil
	}
	return e, nil
}

// Close closes the store after all queued closures have been answered. A second
// call does nothing.
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

// View calls fn with a view of the store. Each query sees the data committed at
// that moment. After [patience.Silence] the queries fail with Unavailable.
func (s *Store) View(ctx context.Context, fn func(*View) error) error {
	return s.read(ctx, false, fn)
}

// Snapshot calls fn with a view whose queries all see the same state of the
// store. Its time limit is that of [Store.View].
func (s *Store) Snapshot(ctx context.Context, fn func(*View) error) error {
	return s.read(ctx, true, fn)
}

// Tell sends a text of at most 7999 bytes to every node that shares the store,
// this one included. Texts may be lost, so they are only hints; what matters is
// in the tables. An embedded store has no other nodes.
func (s *Store) Tell(ctx context.Context, text string) error { return s.engine.tell(ctx, text) }

// Listen passes each text that a node sends to each, until the context ends or
// the connection breaks.
func (s *Store) Listen(ctx context.Context, each func(text string)) error {
	return s.engine.listen(ctx, each)
}

func (s *Store) read(ctx context.Context, snapshot bool, fn func(*View) error) error {
	if s.closed.Load() {
		return unavailableError(errors.New("the store is closed"))
	}
	ctx, cancel := context.WithTimeout(ctx, patience.Silence)
	defer cancel()
	ctx, span := tracing.Start(ctx, "store.read")
	err := s.engine.view(ctx, snapshot, func(session session) error {
		return fn(&View{ctx: ctx, session: session})
	})
	if err != nil && s.closed.Load() && parley.KindOf(err) == parley.Internal {
		err = unavailableError(err) // closed while reading
	}
	err = publicError(ctx, err)
	span.End(err)
	return err
}

// Write runs fn in a transaction that may read and write the rows of workspace
// ws, and returns once that transaction is durable, or with the error of fn. fn
// may run more than once and must not call Write. If a statement fails, fn
// fails, whatever it returns. The wait ends with the context, when the database
// has answered nothing for [patience.Silence], and in any case after
// [patience.Most]; fn may or may not have taken effect then. An Unavailable error
// may also stand for a commit whose reply was lost.
func (s *Store) Write(ctx context.Context, ws parley.WorkspaceID, fn func(*Tx) error) error {
	w := s.writers[int(ws[15])%len(s.writers)]
	ctx, span := tracing.Start(ctx, "store.write")
	err := publicError(ctx, w.do(ctx, ws, fn))
	span.End(err)
	return err
}

// Stats are counts since the store was opened.
type Stats struct {
	Groups   int64 // transactions committed
	Closures int64 // closures that ran in them
	Retries  int64 // transactions lost and tried again
	Failures int64 // groups that were given up
	Queued   int64 // closures waiting now
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

// LogBytes returns the size of the write-ahead log of an embedded store, 0 on
// PostgreSQL. It grows during a long read.
func (s *Store) LogBytes() int64 { return s.engine.logBytes() }

// Ping reports whether the store answers a query.
func (s *Store) Ping(ctx context.Context) error {
	return s.View(ctx, func(v *View) error {
		return v.session.query(ctx, "SELECT 1 FROM workspaces LIMIT 1", nil, nil)
	})
}

// publicError turns an error of an engine into one that callers know. A
// [parley.Error] stays as it is, a lost database, an ended context or damage becomes
// Unavailable, and everything else Internal.
func publicError(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	var known *parley.Error
	if errors.As(err, &known) {
		return err
	}
	var lost *lostGroup
	unavailable := errors.As(err, &lost) && (lost.retry || lost.unknown) || pgfault.Repeatable(err) || pgfault.Failing(err) ||
		ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultBusy, sqlite.ResultLocked, sqlite.ResultFull, sqlite.ResultIOErr, sqlite.ResultInterrupt,
		sqlite.ResultCantOpen, sqlite.ResultNoMem, sqlite.ResultProtocol, sqlite.ResultReadOnly:
		unavailable = true
	}
	switch {
	case sqlitefile.IsDamage(err):
		return sqlitefile.Damaged(err)
	case unavailable:
		return unavailableError(err)
	}
	return &parley.Error{Kind: parley.Internal, Message: "the store failed", Cause: err}
}

// retryAfter is when a refused caller may try again.
const retryAfter = time.Second

func unavailableError(cause error) error {
	return &parley.Error{
		Kind:       parley.Unavailable,
		Message:    "the store cannot answer now; try again",
		RetryAfter: retryAfter,
		Cause:      cause,
	}
}
