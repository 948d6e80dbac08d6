package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"parley/internal/store/parting"
	"parley/internal/store/pgfault"
)

// Limits for one statement and for one wait for a lock. A statement that
// exceeds them is a bug of ours or a sign of a database in trouble. In both
// cases the caller has had an answer by then, after [patience.Silence].
//
// The server also ends a transaction that idles longer than a group may take,
// so that a hanging node does not lock out the others.
const (
	postgresStatementTimeout = "5s"
	postgresLockTimeout      = "1s"
	postgresIdleTimeout      = "5s"
	postgresConnectTimeout   = 3 * time.Second
	postgresPingTimeout      = time.Second
	postgresRollbackTimeout  = time.Second
)

// postgresEngine has two connection pools, so that readers cannot use up the
// connections of the writers. A writer or lane needs one connection, and a
// second one to check on a commit whose reply was lost.
type postgresEngine struct {
	pool    *pgxpool.Pool
	writing *pgxpool.Pool
}

func openPostgres(ctx context.Context, url string) (*postgresEngine, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		// The error may contain the URL, and with it the password.
		return nil, errors.New("the database URL cannot be read: it must look like postgres://user:password@host:5432/name")
	}
	switch config.ConnConfig.DefaultQueryExecMode {
	case pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol:
		return nil, errors.New("the database URL asks for a default_query_exec_mode that sends values as text: use cache_describe")
	}
	for name, value := range map[string]string{
		"application_name":                    "parley",
		"statement_timeout":                   postgresStatementTimeout,
		"lock_timeout":                        postgresLockTimeout,
		"idle_in_transaction_session_timeout": postgresIdleTimeout,
		"timezone":                            "UTC",
	} {
		if _, given := config.ConnConfig.RuntimeParams[name]; !given {
			config.ConnConfig.RuntimeParams[name] = value
		}
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = postgresConnectTimeout
	}
	config.ConnConfig.DialFunc = parting.Dial
	config.PingTimeout = cmp.Or(config.PingTimeout, postgresPingTimeout)
	config.MaxConns = max(config.MaxConns, 8)
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	config = config.Copy()
	config.MaxConns, config.MinConns, config.MinIdleConns = 2*(postgresWriters+maxLanes), 0, 0
	writing, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("open the database: %w", err)
	}
	return &postgresEngine{pool: pool, writing: writing}, nil
}

// sound has nothing to check: the database server looks after its own files.
func (e *postgresEngine) sound() error { return nil }

func (e *postgresEngine) logBytes() int64 { return 0 }

func (e *postgresEngine) inspect(context.Context) error { return nil }

func (e *postgresEngine) close() error {
	e.pool.Close()
	e.writing.Close()
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
	defer func() {
		// The transaction wrote nothing. If the rollback fails, the pool
		// discards the broken connection, and nothing is lost.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), postgresRollbackTimeout)
		defer cancel()
		_, _ = conn.Exec(ctx, "ROLLBACK")
	}()
	return fn(s)
}

func (e *postgresEngine) forUpdate(wait bool) string {
	if wait {
		return " FOR UPDATE"
	}
	return " FOR UPDATE SKIP LOCKED"
}

// postgresSession defers the statements of exec and sends them together with
// the next query, in one round trip.
type postgresSession struct {
	conn    *pgx.Conn
	pending pgx.Batch
	trips   int // round trips so far
	// carried is how many of the pending statements belong to earlier closures
	// of the group.
	carried int
}

// put defers a statement without parameters.
func (s *postgresSession) put(sql string) { s.pending.Queue(sql) }

func (s *postgresSession) exec(_ context.Context, sql string, args []any) error {
	bound, err := postgresBind(args)
	if err != nil {
		return err
	}
	s.pending.Queue(sql, bound...)
	return nil
}

func (s *postgresSession) query(ctx context.Context, sql string, args []any, each func(row) error) error {
	bound, err := postgresBind(args)
	if err != nil {
		return err
	}
	if s.pending.Len() == 0 {
		s.trips++
		rows, err := s.conn.Query(ctx, sql, bound...)
		if err != nil {
			return err
		}
		return readRows(rows, each)
	}
	s.pending.Queue(sql, bound...)
	return s.send(ctx, func(results pgx.BatchResults) error {
		rows, err := results.Query()
		if err != nil {
			return err
		}
		return readRows(rows, each)
	})
}

// send sends the pending statements. If last is not nil, it reads the results
// of the last one.
func (s *postgresSession) send(ctx context.Context, last func(pgx.BatchResults) error) error {
	count := s.pending.Len()
	if last != nil {
		count--
	}
	batch := s.pending
	s.pending = pgx.Batch{} // a copy, because results still reads from batch
	carried := s.carried
	s.carried = 0
	s.trips++
	results := s.conn.SendBatch(ctx, &batch)
	// If a statement failed, Close returns the same error again.
	defer func() { _ = results.Close() }()
	for i := range count {
		_, err := results.Exec()
		switch {
		case err != nil && i < carried:
			// Any of the earlier closures may have caused it. Only running them
			// one by one shows which.
			return &lostGroup{err: err, retry: pgfault.Repeatable(err)}
		case err != nil:
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

// noticeChannel is the LISTEN and NOTIFY channel of the nodes.
const noticeChannel = "parley"

// tell sends its notification outside of any writing transaction: inside one,
// NOTIFY takes a database-wide lock at commit.
func (e *postgresEngine) tell(ctx context.Context, text string) error {
	_, err := e.pool.Exec(ctx, "SELECT pg_notify($1, $2)", noticeChannel, text)
	return err
}

func (e *postgresEngine) listen(ctx context.Context, each func(string)) error {
	conn, err := pgx.ConnectConfig(ctx, e.pool.Config().ConnConfig)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), postgresRollbackTimeout)
		defer cancel()
		_ = conn.Close(ctx) // it only listened
	}()
	if _, err := conn.Exec(ctx, "LISTEN "+noticeChannel); err != nil {
		return err
	}
	// A restore refuses to run while a node has this lock, which ends with the connection.
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock_shared("+nodeLock+")"); err != nil {
		return err
	}
	for {
		notice, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		each(notice.Payload)
	}
}

func (s *postgresSession) statistics() bool { return true }
