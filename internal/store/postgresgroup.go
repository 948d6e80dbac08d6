package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"parley"
	"parley/internal/store/patience"
	"parley/internal/store/pgfault"
)

// touchWriter stores the token of the commit that a writer is about to make. It
// locks the writer's row until the transaction ends, even if the row is new, so
// an askWriter for the same row waits.
const touchWriter = `INSERT INTO writers (writer_id, commits, seen_at) VALUES ($1, $2, $3)
	ON CONFLICT (writer_id) DO UPDATE SET commits = excluded.commits, seen_at = excluded.seen_at`

// askWriter waits for the writer's open transaction and returns the last
// committed token.
const askWriter = `INSERT INTO writers (writer_id, commits, seen_at) VALUES ($1, 0, $2)
	ON CONFLICT (writer_id) DO UPDATE SET seen_at = excluded.seen_at RETURNING commits`

// beginGroup names the isolation level, because some databases, and the distributed
// engines of the same protocol, have another default. Rules that need more than READ
// COMMITTED lock the workspace's row; where the whole transaction is serializable, it
// would fail whenever it had to wait for that row.
const beginGroup = "BEGIN ISOLATION LEVEL READ COMMITTED"

// commitPatience is how long to keep asking about a commit without a reply. It
// is less than patience.Silence, so that most callers learn the outcome.
const commitPatience = 3 * time.Second

func (e *postgresEngine) begin(ctx context.Context, writer parley.ID) (group, error) {
	conn, err := e.writing.Acquire(ctx)
	if err != nil {
		return nil, &lostGroup{err: err, retry: true}
	}
	now := time.Now()
	g := &postgresGroup{
		postgresSession: postgresSession{conn: conn.Conn()},
		engine:          e,
		writer:          writer,
		token:           now.UnixNano(),
		pooled:          conn,
	}
	g.put(beginGroup)
	// The transaction locks its writer's row first, and the reply to that
	// arrives before the commit is sent. An askWriter, or the next try of this
	// writer, therefore cannot overtake the commit, however long that takes to
	// arrive.
	if err := g.exec(ctx, touchWriter, []any{writer, g.token, now}); err != nil {
		conn.Release()
		return nil, err
	}
	return g, nil
}

// postgresGroup is a writer's transaction.
type postgresGroup struct {
	postgresSession
	engine *postgresEngine
	writer parley.ID
	token  int64         // identifies this transaction of the writer
	pooled *pgxpool.Conn // nil when it has gone back to the pool
	mark   closureMark
}

// A closureMark is where the current closure began: among the pending
// statements, or, after a round trip, on the server.
type closureMark struct {
	trips, waiting int
	saved          bool // with a savepoint
}

func (g *postgresGroup) enter(_ context.Context, savepoint bool) error {
	// The deferred statements of earlier closures travel with this one's first
	// query, which saves a round trip for each closure.
	g.carried = g.pending.Len()
	g.mark = closureMark{trips: g.trips, waiting: g.pending.Len(), saved: savepoint}
	if savepoint {
		g.put("SAVEPOINT closure")
	}
	return nil
}

func (g *postgresGroup) leave(context.Context) error {
	if g.mark.saved {
		g.put("RELEASE closure")
	}
	return nil
}

func (g *postgresGroup) undo(ctx context.Context) error {
	if g.mark.trips == g.trips {
		// The server has not seen any statement of the closure.
		g.pending.QueuedQueries = g.pending.QueuedQueries[:g.mark.waiting]
		return nil
	}
	if !g.mark.saved {
		return errNoSavepoint
	}
	g.pending = pgx.Batch{} // all pending statements belong to this closure
	if _, err := g.conn.Exec(ctx, "ROLLBACK TO closure"); err != nil {
		return err
	}
	return g.leave(ctx)
}

func (g *postgresGroup) lost(err error) bool {
	return g.conn.IsClosed() || g.conn.PgConn().TxStatus() == 'I' || pgfault.Repeatable(err)
}

// commit commits the transaction. If the connection breaks on the way, the row
// of this writer tells whether the database committed.
func (g *postgresGroup) commit(ctx context.Context) error {
	g.put("COMMIT")
	err := g.send(ctx, func(results pgx.BatchResults) error {
		tag, err := results.Exec()
		if err == nil && tag.String() != "COMMIT" { // a failed transaction answers ROLLBACK
			err = fmt.Errorf("the database answered COMMIT with %s", tag)
		}
		return err
	})
	if err == nil {
		g.pooled.Release()
		g.pooled = nil
		return nil
	}
	if !g.conn.IsClosed() {
		// The connection works, so the database refused to commit.
		return &lostGroup{err: err, retry: pgfault.Repeatable(err)}
	}
	committed, askErr := g.engine.committed(ctx, g.writer, g.token)
	switch {
	case askErr != nil:
		return &lostGroup{err: errors.Join(err, askErr), unknown: true}
	case !committed:
		return &lostGroup{err: err, retry: true}
	}
	return nil
}

// committed reports whether a commit without a reply took place. It asks even
// if ctx has ended, which may be why the reply was lost.
func (e *postgresEngine) committed(ctx context.Context, writer parley.ID, token int64) (bool, error) {
	var last int64
	err := patience.TryFor(context.WithoutCancel(ctx), commitPatience, func(ctx context.Context) error {
		conn, err := e.writing.Acquire(ctx)
		if err != nil {
			return err
		}
		defer conn.Release()
		s := &postgresSession{conn: conn.Conn()}
		return s.query(ctx, askWriter, []any{writer, time.Now()}, func(r row) error { return r.scan(&last) })
	})
	return last == token, err
}

func (g *postgresGroup) abort() {
	if g.pooled == nil {
		return
	}
	if !g.conn.IsClosed() {
		ctx, cancel := context.WithTimeout(context.Background(), postgresRollbackTimeout)
		defer cancel()
		if _, err := g.conn.Exec(ctx, "ROLLBACK"); err != nil {
			_ = g.conn.Close(ctx) // the server rolls back when the connection closes
		}
	}
	g.pooled.Release()
	g.pooled = nil
}
