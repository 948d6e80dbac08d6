package store

import (
	"context"
	"errors"
	"fmt"

	"parley"
	"parley/internal/store/schema"
)

// A session is one connection to the database, usually inside a transaction.
// Together with migrate.go it hides every difference between SQLite and
// PostgreSQL.
//
// SQL texts use $1, $2, … for parameters. The bind and scan functions of the
// engines list the supported types. A zero id or user id stands for NULL and a
// zero time for 0; NULL reads as the zero value.
type session interface {
	// query runs a statement and calls each for every row.
	query(ctx context.Context, sql string, args []any, each func(row) error) error
	// exec runs a statement for its effect. It may defer the statement until
	// the next query or commit, which then returns its error.
	exec(ctx context.Context, sql string, args []any) error
	// statistics reports whether the engine plans queries with value
	// statistics.
	statistics() bool
	// searchForm returns the search syntax of the engine.
	searchForm() searchForm
}

// A row is the current row of a query.
type row interface {
	scan(dest ...any) error
}

// An engine opens sessions.
type engine interface {
	// view opens a session for reading. With snapshot, all its queries see the
	// same state of the database.
	view(ctx context.Context, snapshot bool, fn func(session) error) error
	// begin starts a transaction for a writer.
	begin(ctx context.Context, writer parley.ID) (group, error)
	// forUpdate returns the suffix of a SELECT that locks its rows until the
	// transaction ends. With wait, the statement waits for locked rows;
	// without, it skips them.
	forUpdate(wait bool) string
	// migrate upgrades the schema to the latest version and returns the
	// previous one.
	migrate(ctx context.Context, steps []schema.Step, o migrating) (from int, err error)
	// countVersionTables returns a query for the number of version tables: 0 or
	// 1.
	countVersionTables() string
	// dumping returns how a dump is read.
	dumping() dumping
	// fill creates the schema of a new store, or of the one that replaces another,
	// and calls the functions of f in the same transaction.
	fill(ctx context.Context, f *Filling, steps []schema.Step) error
	// dropKeys deletes the keys of numbers that a restore left in the database,
	// unless a restore is running.
	dropKeys(ctx context.Context) error
	// tell sends a text of at most 7999 bytes to every node that shares the
	// database, this one included. Delivery is not guaranteed. Without other
	// nodes it does nothing.
	tell(ctx context.Context, text string) error
	// listen passes each text that a node sends to each, until the context ends
	// or the connection breaks.
	listen(ctx context.Context, each func(text string)) error
	// sound returns an Unavailable error if the database file is damaged or not
	// in its place. It does not query the database.
	sound() error
	// logBytes returns the size of the write-ahead log of an embedded store.
	logBytes() int64
	// inspect reads the whole database, unless a database server does that
	// itself.
	inspect(ctx context.Context) error
	// close releases the connections.
	close() error
}

// A group is a writing transaction that several closures share.
type group interface {
	session
	// enter starts a closure, and leave ends one whose effects stay.
	enter(ctx context.Context, savepoint bool) error
	leave(ctx context.Context) error
	// undo ends a closure and reverts its effects, but not those of the others.
	// Without a savepoint it may fail with errNoSavepoint.
	undo(ctx context.Context) error
	// lost reports whether the transaction is unusable after err.
	lost(err error) bool
	// commit makes everything durable.
	commit(ctx context.Context) error
	// abort rolls everything back. It does nothing after commit.
	abort()
}

// errNoSavepoint says that a closure cannot be undone without undoing the
// others.
var errNoSavepoint = errors.New("the closure has no savepoint")

// A lostGroup is the error of a group whose transaction ended without a known
// commit.
type lostGroup struct {
	err     error
	retry   bool // the same closures may succeed in a new transaction
	unknown bool // it may have been committed, so it must not run again
	held    bool // another transaction holds the workspace
}

func (e *lostGroup) Error() string { return "transaction lost: " + e.err.Error() }

func (e *lostGroup) Unwrap() error { return e.err }

func badType(what string, v any) error {
	return fmt.Errorf("store: cannot %s a %T", what, v)
}
