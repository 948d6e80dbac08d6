package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"parley"
	"parley/internal/store/schema"
	"parley/internal/store/sqlitefile"
)

// Pragmas of every connection. synchronous=FULL makes an acknowledged write
// durable; NORMAL loses acknowledged rows in a power failure. A large
// checkpoint interval keeps the writer from copying the same pages repeatedly,
// and mapping the file saves readers a copy of every page. If a long read made the
// log grow beyond journal_size_limit, it is truncated when it restarts.
const sqlitePragmas = `PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;
PRAGMA wal_autocheckpoint=16000; PRAGMA journal_size_limit=134217728; PRAGMA mmap_size=2147418112; PRAGMA cache_size=-65536; PRAGMA temp_store=MEMORY;`

// Readers have smaller caches: there are several, and they read from the mapped
// file.
const sqliteReaderPragmas = sqlitePragmas + "PRAGMA cache_size=-8192; PRAGMA query_only=ON;"

// SQLiteVersion is the version of the embedded SQLite. Before 3.51.3, a
// checkpoint that overlapped the start of a new write-ahead log could corrupt
// the file.
const SQLiteVersion = sqlite3.SQLITE_VERSION

// The number of reading connections.
const sqliteReaders = 8

// sqliteEngine is one file with one writing and several reading connections.
type sqliteEngine struct {
	writer  *sqlite.Conn
	readers *sqlitex.Pool
	texts   sqliteTexts
	file    *sqlitefile.File
	// minDumpLog is the constant of this name; tests set a smaller one.
	minDumpLog int64
}

func openSQLite(path string, log *slog.Logger) (*sqliteEngine, error) {
	writer, err := sqlite.OpenConn(path, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	writer.SetBusyTimeout(sqlitefile.BusyTimeout)
	// If two processes open a new file at the same time, SQLite may refuse one
	// of them the change of the journal mode without waiting for the busy
	// timeout.
	for pause := time.Millisecond; ; pause *= 2 {
		err = schema.Execute(writer, sqlitePragmas)
		if sqlite.ErrCode(err).ToPrimary() != sqlite.ResultBusy || pause > sqlitefile.BusyTimeout/4 {
			break
		}
		time.Sleep(pause)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("prepare %s: %w", path, err), writer.Close())
	}
	readers, err := sqlitex.NewPool(path, sqlitex.PoolOptions{
		Flags:    sqlite.OpenReadWrite,
		PoolSize: sqliteReaders,
		PrepareConn: func(conn *sqlite.Conn) error {
			conn.SetBusyTimeout(sqlitefile.BusyTimeout)
			return schema.Execute(conn, sqliteReaderPragmas)
		},
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s for reading: %w", path, err), writer.Close())
	}
	file, err := sqlitefile.New(path, log)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), readers.Close(), writer.Close())
	}
	return &sqliteEngine{writer: writer, readers: readers, file: file, minDumpLog: minDumpLog}, nil
}

func (e *sqliteEngine) sound() error { return e.file.Sound() }

func (e *sqliteEngine) inspect(ctx context.Context) error { return e.file.Inspect(ctx) }

func (e *sqliteEngine) close() error {
	return errors.Join(e.readers.Close(), e.writer.Close())
}

func (e *sqliteEngine) view(ctx context.Context, snapshot bool, fn func(session) error) (err error) {
	conn, err := e.readers.Take(ctx)
	if err != nil {
		return err
	}
	defer e.readers.Put(conn)
	s := &sqliteSession{conn: conn, texts: &e.texts, file: e.file}
	if !snapshot {
		return fn(s)
	}
	if err := s.exec(ctx, "BEGIN", nil); err != nil {
		return err
	}
	defer func() {
		// Nothing was written, so a failed ROLLBACK does no harm. An
		// interrupted transaction has already ended.
		if !conn.AutocommitEnabled() {
			conn.SetInterrupt(nil)
			_ = s.exec(ctx, "ROLLBACK", nil)
		}
	}()
	return fn(s)
}

func (e *sqliteEngine) begin(ctx context.Context, _ parley.ID) (group, error) {
	if err := e.file.InPlace(); err != nil {
		return nil, &lostGroup{err: err}
	}
	s := &sqliteGroup{sqliteSession: sqliteSession{conn: e.writer, texts: &e.texts, file: e.file}}
	if err := s.exec(ctx, "BEGIN IMMEDIATE", nil); err != nil {
		return nil, &lostGroup{err: err, retry: true}
	}
	return s, nil
}

// forUpdate is empty, because BEGIN IMMEDIATE has locked the file.
func (e *sqliteEngine) forUpdate(bool) string { return "" }

// sqliteSession runs every statement at once.
type sqliteSession struct {
	conn  *sqlite.Conn
	texts *sqliteTexts
	file  *sqlitefile.File
}

func (s *sqliteSession) query(_ context.Context, sql string, args []any, each func(row) error) (err error) {
	defer func() { s.file.Note(err) }()
	stmt, err := s.conn.Prepare(s.texts.of(sql))
	if err != nil {
		return err
	}
	defer func() {
		if resetErr := stmt.Reset(); err == nil {
			err = resetErr
		}
	}()
	for i, arg := range args {
		if err := sqliteBind(stmt, i+1, arg); err != nil {
			return err
		}
	}
	for {
		more, err := stmt.Step()
		if err != nil || !more {
			return err
		}
		if each == nil {
			continue
		}
		if err := each(sqliteRow{stmt}); err != nil {
			return err
		}
	}
}

func (s *sqliteSession) exec(ctx context.Context, sql string, args []any) error {
	return s.query(ctx, sql, args, nil)
}

// sqliteGroup is the writer's transaction.
type sqliteGroup struct {
	sqliteSession
	saved bool // the closure has a savepoint
}

func (s *sqliteGroup) enter(ctx context.Context, savepoint bool) error {
	s.saved = savepoint
	if !savepoint {
		return nil
	}
	return s.exec(ctx, "SAVEPOINT closure", nil)
}

func (s *sqliteGroup) leave(ctx context.Context) error {
	if !s.saved {
		return nil
	}
	return s.exec(ctx, "RELEASE closure", nil)
}

func (s *sqliteGroup) undo(ctx context.Context) error {
	if !s.saved {
		return errNoSavepoint
	}
	if err := s.exec(ctx, "ROLLBACK TO closure", nil); err != nil {
		return err
	}
	return s.leave(ctx)
}

// lost is true if SQLite has rolled back by itself, as it does when the disk is
// full or fails.
func (s *sqliteGroup) lost(error) bool { return s.conn.AutocommitEnabled() }

func (s *sqliteGroup) commit(ctx context.Context) error {
	if err := s.exec(ctx, "COMMIT", nil); err != nil {
		return &lostGroup{err: err, retry: sqlite.ErrCode(err).ToPrimary() == sqlite.ResultBusy}
	}
	return nil
}

func (s *sqliteGroup) abort() {
	if !s.conn.AutocommitEnabled() {
		// If this fails, closing the connection rolls back.
		_ = s.exec(context.Background(), "ROLLBACK", nil)
	}
}

// sqliteTexts caches the SQLite form of each SQL text. Parameters are numbered,
// since "$1" is a name there and "?1" a number. A LIMIT is never a bare
// parameter: SQLite looks at the value of such a parameter while planning, and
// would plan the statement again each time it runs.
type sqliteTexts struct{ known sync.Map }

var bareLimit = regexp.MustCompile(`(?i)\b(LIMIT|OFFSET) (\?\d+)`)

func (t *sqliteTexts) of(sql string) string {
	if text, ok := t.known.Load(sql); ok {
		return text.(string)
	}
	text := bareLimit.ReplaceAllString(strings.ReplaceAll(sql, "$", "?"), "$1 $2 + 0")
	t.known.Store(sql, text)
	return text
}

func sqliteBind(stmt *sqlite.Stmt, i int, arg any) error {
	switch v := arg.(type) {
	case nil:
		stmt.BindNull(i)
	case string:
		stmt.BindText(i, v)
	case int:
		stmt.BindInt64(i, int64(v))
	case int64:
		stmt.BindInt64(i, v)
	case bool:
		stmt.BindBool(i, v)
	case []byte:
		stmt.BindBytes(i, v)
	case parley.WorkspaceID:
		stmt.BindBytes(i, v[:])
	case parley.ID:
		if v.IsZero() {
			stmt.BindNull(i)
		} else {
			stmt.BindBytes(i, v[:])
		}
	case parley.UserID:
		if v == "" {
			stmt.BindNull(i)
		} else {
			stmt.BindText(i, string(v))
		}
	case time.Time:
		stmt.BindInt64(i, millis(v))
	case *string:
		if v == nil {
			stmt.BindNull(i)
		} else {
			stmt.BindText(i, *v)
		}
	default:
		return badType("bind", arg)
	}
	return nil
}

type sqliteRow struct{ stmt *sqlite.Stmt }

func (r sqliteRow) scan(dest ...any) error {
	for i, d := range dest {
		switch d := d.(type) {
		case *string:
			*d = r.stmt.ColumnText(i)
		case *int:
			*d = r.stmt.ColumnInt(i)
		case *int64:
			*d = r.stmt.ColumnInt64(i)
		case *bool:
			*d = r.stmt.ColumnBool(i)
		case *[]byte:
			*d = make([]byte, r.stmt.ColumnLen(i))
			r.stmt.ColumnBytes(i, *d)
		case *parley.ID:
			*d = parley.ID{}
			r.stmt.ColumnBytes(i, d[:])
		case *parley.WorkspaceID:
			*d = parley.WorkspaceID{}
			r.stmt.ColumnBytes(i, d[:])
		case *time.Time:
			*d = timeOf(r.stmt.ColumnInt64(i))
		case **string:
			*d = nil
			if !r.stmt.ColumnIsNull(i) {
				text := r.stmt.ColumnText(i)
				*d = &text
			}
		default:
			return badType("scan into", d)
		}
	}
	return nil
}

// millis is the stored form of a time; the zero time is 0.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func timeOf(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

func (e *sqliteEngine) tell(context.Context, string) error { return nil }

func (e *sqliteEngine) listen(ctx context.Context, _ func(string)) error {
	<-ctx.Done()
	return ctx.Err()
}

func (s *sqliteSession) statistics() bool { return false }
