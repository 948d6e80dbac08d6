package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"parley"
)

// How long a statement, and the wait for a lock, may take. A statement that
// takes longer is a mistake of ours or a database in trouble; either way the
// caller gets an answer.
const (
	postgresStatementTimeout = "15s"
	postgresLockTimeout      = "8s"
)

// postgresEngine is a pool of connections.
type postgresEngine struct {
	pool *pgxpool.Pool
}

func openPostgres(ctx context.Context, url string) (*postgresEngine, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		// The error may show the URL, and with it the password.
		return nil, errors.New("the database URL cannot be read: it must look like postgres://user:password@host:5432/name")
	}
	set := config.ConnConfig.RuntimeParams
	set["application_name"] = "parley"
	set["statement_timeout"] = postgresStatementTimeout
	set["lock_timeout"] = postgresLockTimeout
	set["timezone"] = "UTC"
	if config.MaxConns < 8 {
		config.MaxConns = 8
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	return &postgresEngine{pool: pool}, nil
}

func (e *postgresEngine) close() error {
	e.pool.Close()
	return nil
}

func (e *postgresEngine) view(ctx context.Context, snapshot bool, fn func(session) error) error {
	conn, err := e.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	s := &postgresSession{conn: conn.Conn()}
	if !snapshot {
		return fn(s)
	}
	s.put("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
	// The transaction wrote nothing: if its end fails, the pool notices the
	// broken connection, and nothing is lost.
	defer func() { _, _ = conn.Exec(context.WithoutCancel(ctx), "ROLLBACK") }()
	return fn(s)
}

func (e *postgresEngine) begin(ctx context.Context, writer parley.ID) (group, error) {
	conn, err := e.pool.Acquire(ctx)
	if err != nil {
		return nil, &lostGroup{err: err, again: true}
	}
	g := &postgresGroup{
		postgresSession: postgresSession{conn: conn.Conn()},
		engine:          e,
		writer:          writer,
		pooled:          conn,
	}
	g.put("BEGIN")
	return g, nil
}

func (e *postgresEngine) forUpdate() string { return " FOR UPDATE" }

// postgresSession sends what exec put off together with the next query, in
// one round trip.
type postgresSession struct {
	conn *pgx.Conn
	wait pgx.Batch
}

// put puts off a statement without parameters.
func (s *postgresSession) put(sql string) { s.wait.Queue(sql) }

func (s *postgresSession) exec(_ context.Context, sql string, args []any) error {
	bound, err := postgresBind(args)
	if err != nil {
		return err
	}
	s.wait.Queue(sql, bound...)
	return nil
}

func (s *postgresSession) flush(ctx context.Context) error {
	if s.wait.Len() == 0 {
		return nil
	}
	return s.send(ctx, nil)
}

func (s *postgresSession) query(ctx context.Context, sql string, args []any, each func(row) error) error {
	bound, err := postgresBind(args)
	if err != nil {
		return err
	}
	if s.wait.Len() == 0 {
		rows, err := s.conn.Query(ctx, sql, bound...)
		if err != nil {
			return err
		}
		return readRows(rows, each)
	}
	s.wait.Queue(sql, bound...)
	return s.send(ctx, func(results pgx.BatchResults) error {
		rows, err := results.Query()
		if err != nil {
			return err
		}
		return readRows(rows, each)
	})
}

// send sends all statements that wait. The results of the last one are read by
// last, if there is one.
func (s *postgresSession) send(ctx context.Context, last func(pgx.BatchResults) error) error {
	count := s.wait.Len()
	if last != nil {
		count--
	}
	batch := s.wait
	s.wait = pgx.Batch{} // results reads from batch, so that is a copy
	results := s.conn.SendBatch(ctx, &batch)
	// Where a statement fails, Close says the same error again.
	defer func() { _ = results.Close() }()
	for range count {
		if _, err := results.Exec(); err != nil {
			return err
		}
	}
	if last != nil {
		if err := last(results); err != nil {
			return err
		}
	}
	return results.Close()
}

func readRows(rows pgx.Rows, each func(row) error) error {
	defer rows.Close()
	for rows.Next() {
		if each == nil {
			continue
		}
		if err := each(postgresRow{rows}); err != nil {
			return err
		}
	}
	return rows.Err()
}

// postgresGroup is a writer's transaction.
type postgresGroup struct {
	postgresSession
	engine *postgresEngine
	writer parley.ID
	pooled *pgxpool.Conn // nil when it has gone back to the pool
}

func (g *postgresGroup) savepoint(context.Context) error {
	g.put("SAVEPOINT closure")
	return nil
}

func (g *postgresGroup) release(context.Context) error {
	g.put("RELEASE closure")
	return nil
}

func (g *postgresGroup) rollbackTo(ctx context.Context) error {
	g.wait = pgx.Batch{} // what waits belongs to the closure that is undone
	if _, err := g.conn.Exec(ctx, "ROLLBACK TO closure"); err != nil {
		return err
	}
	return g.release(ctx)
}

func (g *postgresGroup) lost(err error) bool {
	return g.conn.IsClosed() || g.conn.PgConn().TxStatus() == 'I' || mayTryAgain(err)
}

// commit ends the transaction. Where the connection is lost on the way, the
// row of this writer tells whether the database committed.
func (g *postgresGroup) commit(ctx context.Context) error {
	now := time.Now()
	token := now.UnixNano()
	err := g.exec(ctx, `INSERT INTO writers (writer_id, commits, seen_at) VALUES ($1, $2, $3)
		ON CONFLICT (writer_id) DO UPDATE SET commits = excluded.commits, seen_at = excluded.seen_at`,
		[]any{g.writer, token, now})
	if err != nil {
		return err
	}
	g.put("COMMIT")
	err = g.send(ctx, func(results pgx.BatchResults) error {
		tag, err := results.Exec()
		if err == nil && tag.String() != "COMMIT" { // a failed transaction answers ROLLBACK
			err = fmt.Errorf("the database answered COMMIT with %s", tag)
		}
		return err
	})
	var refused *pgconn.PgError
	switch {
	case err == nil:
		g.pooled.Release()
		g.pooled = nil
		return nil
	case errors.As(err, &refused) && !g.conn.IsClosed():
		return &lostGroup{err: err, again: mayTryAgain(err)}
	}
	committed, askErr := g.engine.committed(ctx, g.writer, token)
	switch {
	case askErr != nil:
		return &lostGroup{err: errors.Join(err, askErr)}
	case !committed:
		return &lostGroup{err: err, again: true}
	}
	return nil
}

// committed asks whether a commit took place whose answer was lost. It asks
// for the lock of the writer's row, which waits until the lost transaction is
// over on the side of the database.
func (e *postgresEngine) committed(ctx context.Context, writer parley.ID, token int64) (bool, error) {
	var last int64
	err := tryFor(ctx, commitPatience, func() error {
		last = 0
		return e.view(ctx, false, func(s session) error {
			return s.query(ctx, "SELECT commits FROM writers WHERE writer_id = $1 FOR UPDATE", []any{writer},
				func(r row) error { return r.scan(&last) })
		})
	})
	return last == token, err
}

// commitPatience is how long an unanswered commit is asked after.
const commitPatience = 20 * time.Second

// tryFor repeats fn with growing pauses while it fails, for at most patience.
func tryFor(ctx context.Context, patience time.Duration, fn func() error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		err := fn()
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
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
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
// has no room, a connection that broke.
func mayTryAgain(err error) bool {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) {
		var connect *pgconn.ConnectError
		return errors.As(err, &connect) || pgconn.SafeToRetry(err) || brokenConnection(err)
	}
	for _, class := range []string{"08", "40", "53", "55P03", "57P"} {
		if strings.HasPrefix(refused.Code, class) {
			return true
		}
	}
	return false
}

func brokenConnection(err error) bool {
	var network net.Error
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || errors.As(err, &network)
}

func postgresBind(args []any) ([]any, error) {
	bound := make([]any, len(args))
	for i, arg := range args {
		switch v := arg.(type) {
		case nil, string, int, int64, bool, []byte, *string:
			bound[i] = v
		case parley.WorkspaceID:
			bound[i] = [16]byte(v)
		case parley.ID:
			if !v.IsZero() {
				bound[i] = [16]byte(v)
			}
		case parley.UserID:
			if v != "" {
				bound[i] = string(v)
			}
		case time.Time:
			bound[i] = millis(v)
		default:
			return nil, badType("bind", arg)
		}
	}
	return bound, nil
}

// postgresRow reads the values in the binary form in which the server sends
// them: integers big-endian, texts and bytes as they are, NULL as nil.
type postgresRow struct{ rows pgx.Rows }

func (r postgresRow) scan(dest ...any) error {
	values := r.rows.RawValues()
	for i, d := range dest {
		value := values[i]
		switch d := d.(type) {
		case *string:
			*d = string(value)
		case *int:
			*d = int(postgresInt(value))
		case *int64:
			*d = postgresInt(value)
		case *bool:
			*d = len(value) == 1 && value[0] == 1
		case *[]byte:
			*d = append([]byte(nil), value...)
		case *parley.ID:
			*d = parley.ID{}
			copy(d[:], value)
		case *parley.WorkspaceID:
			*d = parley.WorkspaceID{}
			copy(d[:], value)
		case *time.Time:
			*d = timeOf(postgresInt(value))
		case **string:
			*d = nil
			if value != nil {
				text := string(value)
				*d = &text
			}
		default:
			return badType("scan into", d)
		}
	}
	return nil
}

func postgresInt(value []byte) int64 {
	switch len(value) {
	case 8:
		return int64(binary.BigEndian.Uint64(value))
	case 4:
		return int64(int32(binary.BigEndian.Uint32(value)))
	}
	return 0
}
