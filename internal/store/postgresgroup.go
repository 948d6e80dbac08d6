package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"parley"
)

// touchWriter stores what a writer is about to commit. From then on the
// writer's row is locked until the transaction ends, also when it is not there
// yet: who asks for it in the same way waits until then.
const touchWriter = `INSERT INTO writers (writer_id, commits, seen_at) VALUES ($1, $2, $3)
	ON CONFLICT (writer_id) DO UPDATE SET commits = excluded.commits, seen_at = excluded.seen_at`

// askWriter waits for the writer's transaction and returns what it committed.
const askWriter = `INSERT INTO writers (writer_id, commits, seen_at) VALUES ($1, 0, $2)
	ON CONFLICT (writer_id) DO UPDATE SET seen_at = excluded.seen_at RETURNING commits`

// commitPatience is how long an unanswered commit is asked after: less than a
// caller waits, so that most callers learn what became of it.
const commitPatience = 3 * time.Second

func (e *postgresEngine) begin(ctx context.Context, writer parley.ID) (group, error) {
	conn, err := e.writing.Acquire(ctx)
	if err != nil {
		return nil, &lostGroup{err: err, again: true}
	}
	now := time.Now()
	g := &postgresGroup{
		postgresSession: postgresSession{conn: conn.Conn()},
		engine:          e,
		writer:          writer,
		token:           now.UnixNano(),
		pooled:          conn,
	}
	g.put("BEGIN")
	// The first thing that the transaction does is to lock its writer's row, and
	// the answer to it is read before the commit is sent. So whoever asks after
	// the commit cannot be earlier than the commit, however long that is on its
	// way; and neither can this writer's next try.
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
	token  int64         // names this transaction among those of the writer
	pooled *pgxpool.Conn // nil when it has gone back to the pool
	mark   closureMark
}

// A closureMark is where the closure that runs began: among the statements that
// wait, or, after a trip, on the server.
type closureMark struct {
	trips, waiting int
	saved          bool // by a savepoint
}

func (g *postgresGroup) enter(_ context.Context, savepoint bool) error {
	// What earlier closures put off goes along with this one's first query,
	// which saves a trip for each closure.
	g.carried = g.wait.Len()
	g.mark = closureMark{trips: g.trips, waiting: g.wait.Len(), saved: savepoint}
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
		// The server has heard nothing of the closure.
		g.wait.QueuedQueries = g.wait.QueuedQueries[:g.mark.waiting]
		return nil
	}
	if !g.mark.saved {
		return errNoSavepoint
	}
	g.wait = pgx.Batch{} // what waits belongs to the closure that is undone
	if _, err := g.conn.Exec(ctx, "ROLLBACK TO closure"); err != nil {
		return err
	}
	return g.leave(ctx)
}

func (g *postgresGroup) lost(err error) bool {
	return g.conn.IsClosed() || g.conn.PgConn().TxStatus() == 'I' || mayTryAgain(err)
}

// commit ends the transaction. Where the connection is lost on the way, the
// row of this writer tells whether the database committed.
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
		// The connection is in order, so the database has refused to commit.
		return &lostGroup{err: err, again: mayTryAgain(err)}
	}
	committed, askErr := g.engine.committed(ctx, g.writer, g.token)
	switch {
	case askErr != nil:
		return &lostGroup{err: errors.Join(err, askErr), unknown: true}
	case !committed:
		return &lostGroup{err: err, again: true}
	}
	return nil
}

// committed asks whether a commit took place whose answer was lost, also when
// it was lost because ctx has ended.
func (e *postgresEngine) committed(ctx context.Context, writer parley.ID, token int64) (bool, error) {
	var last int64
	err := tryFor(context.WithoutCancel(ctx), commitPatience, func(ctx context.Context) error {
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

// tryFor repeats fn with growing pauses while it fails, for at most patience.
func tryFor(ctx context.Context, patience time.Duration, fn func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		err := fn(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

func (g *postgresGroup) abort() {
	if g.pooled == nil {
		return
	}
	if !g.conn.IsClosed() {
		ctx, cancel := context.WithTimeout(context.Background(), postgresRollbackTimeout)
		defer cancel()
		if _, err := g.conn.Exec(ctx, "ROLLBACK"); err != nil {
			_ = g.conn.Close(ctx) // the server rolls back what has no connection
		}
	}
	g.pooled.Release()
	g.pooled = nil
}

// mayTryAgain reports whether the same transaction may succeed when it is run
// once more: a serialization failure, a deadlock, a server that goes away or
// has no room or gave up waiting for us, a connection that broke.
func mayTryAgain(err error) bool {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) {
		var connect *pgconn.ConnectError
		return errors.As(err, &connect) || pgconn.SafeToRetry(err) || brokenConnection(err)
	}
	for _, class := range []string{"08", "25P03", "40", "53", "55P03", "57P"} {
		if strings.HasPrefix(refused.Code, class) {
			return true
		}
	}
	return false
}

// lockTimeout reports whether the wait for a lock was given up.
func lockTimeout(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == "55P03"
}

func brokenConnection(err error) bool {
	var network net.Error
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || errors.As(err, &network)
}

// inTrouble reports whether the database failed for a reason of its own, which
// will pass but not at once: a statement took too long, the disk fails, the
// server became a read-only copy, or it is another one that has no tables, as
// after a failover to a server that was never filled.
func inTrouble(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) &&
		(slices.Contains([]string{"57014", "25006", "42P01", "3F000"}, refused.Code) || strings.HasPrefix(refused.Code, "58"))
}
