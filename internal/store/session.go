package store

import (
	"context"
	"errors"
	"fmt"

	"parley"
)

// A session is one connection to the database, mostly inside a transaction.
// It is the whole seam between the engines: what differs between SQLite and
// PostgreSQL is behind it and in migrate.go.
//
// SQL texts use $1, $2, … for parameters. Arguments and destinations are of
// the types that bind and scan of the engines list; a zero id or user id
// stands for NULL, a zero time for 0, and a NULL is read as the zero value.
type session interface {
	// query runs a statement and calls each for every row.
	query(ctx context.Context, sql string, args []any, each func(row) error) error
	// exec runs a statement for its effect. It may put the statement off until
	// the next query or commit, which then returns its error.
	exec(ctx context.Context, sql string, args []any) error
	// statistics reports whether the engine knows how often values occur, and
	// plans by that.
	statistics() bool
	// searchForm is how the engine is asked for words.
	searchForm() searchForm
}

// A row is the current row of a query.
type row interface {
	scan(dest ...any) error
}

// An engine opens sessions.
type engine interface {
	// view opens a session for reading; with snapshot, all of its queries see
	// one state of the database.
	view(ctx context.Context, snapshot bool, fn func(session) error) error
	// begin opens a transaction of a writer.
	begin(ctx context.Context, writer parley.ID) (group, error)
	// forUpdate ends a SELECT of rows that no other node may change until
	// the transaction ends. With wait, the statement waits for rows that
	// another transaction holds; without, it passes over them.
	forUpdate(wait bool) string
	// migrate brings the schema to the newest version, and returns the one that
	// it had. It calls begins before each step that it applies.
	migrate(ctx context.Context, steps []migration, begins func(migration)) (from int, err error)
	// countVersionTables is a query that tells whether there is a schema.
	countVersionTables() string
	// tell carries a text of at most 7999 bytes to every node that shares the
	// database, this one included, unless it is lost on the way. Without other
	// nodes it does nothing.
	tell(ctx context.Context, text string) error
	// listen hands what is told to each, one by one, until the context ends or
	// the connection is lost.
	listen(ctx context.Context, each func(text string)) error
	// sound returns an Unavailable error where the database cannot be relied on:
	// it is damaged, or not in its place. It asks no database.
	sound() error
	// inspect reads all of the database where nobody else looks after it.
	inspect(ctx context.Context) error
	// close releases the connections.
	close() error
}

// A group is a transaction for writing, shared by the closures of a group.
type group interface {
	session
	// enter begins a closure, and leave ends one that stays.
	enter(ctx context.Context, savepoint bool) error
	leave(ctx context.Context) error
	// undo ends a closure and takes back what it did, without the others.
	// Without a savepoint it can fail with errNoSavepoint.
	undo(ctx context.Context) error
	// lost reports whether the transaction cannot go on after err.
	lost(err error) bool
	// commit makes everything durable.
	commit(ctx context.Context) error
	// abort drops everything. It is harmless after commit.
	abort()
}

// errNoSavepoint says that a closure cannot be undone without the others.
var errNoSavepoint = errors.New("the closure has no savepoint")

// A lostGroup is the error of a group whose transaction the database gave up.
type lostGroup struct {
	err     error
	again   bool // the same closures may succeed in a new transaction
	unknown bool // nobody can tell whether it was committed: it must not run again
	held    bool // another transaction holds the workspace
}

func (e *lostGroup) Error() string { return "transaction lost: " + e.err.Error() }

func (e *lostGroup) Unwrap() error { return e.err }

func badType(what string, v any) error {
	return fmt.Errorf("store: cannot %s a %T", what, v)
}
