package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"zombiezen.com/go/sqlite"

	"parley"
	"parley/internal/store/schema"
	"parley/internal/store/sqlitefile"
)

// Compact rewrites the file of an embedded store without deleted data: until they are
// overwritten, deleted rows stay in free pages and deleted words in the index. It needs
// as much free space as the file has, and the writes of a server wait meanwhile. On
// PostgreSQL, which does this itself, it is Invalid.
func Compact(ctx context.Context, o Options) (err error) {
	if o.Database != "" {
		return parley.Errorf(parley.Invalid, "only an embedded store needs this; PostgreSQL does it by itself")
	}
	path := filepath.Join(o.Dir, FileName)
	if _, err := sqlitefile.Peek(path); err != nil {
		return err
	}
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	if err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	conn.SetBusyTimeout(sqlitefile.BusyTimeout)
	conn.SetInterrupt(ctx.Done())
	if err := schema.Execute(conn, sqlitePragmas+`
		INSERT INTO search_words (search_words) VALUES ('optimize'); VACUUM;`); err != nil {
		return fmt.Errorf("compact %s: %w", path, err)
	}
	return emptyLog(conn, path)
}

// emptyLog moves the write-ahead log into the file and truncates it.
func emptyLog(conn *sqlite.Conn, path string) error {
	stmt, err := conn.Prepare("PRAGMA wal_checkpoint(TRUNCATE)")
	if err != nil {
		return err
	}
	if _, err := stmt.Step(); err != nil {
		return errors.Join(fmt.Errorf("checkpoint %s: %w", path, err), stmt.Reset())
	}
	busy := stmt.ColumnInt(0) != 0
	if err := stmt.Reset(); err != nil {
		return err
	}
	if busy {
		return parley.Errorf(parley.Unavailable, "the write-ahead log is still being read; compact again")
	}
	return nil
}
