package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"parley"
	"parley/internal/store/schema"
)

// A Dump reads whole tables as they are at one moment. It is valid only inside
// the function that received it.
type Dump struct {
	ctx     context.Context
	session session
	dumping dumping
	rows    int
	version int
}

// dumping is how an engine reads a dump. Each field may be zero.
type dumping struct {
	// begin is a statement that lifts the time limits of the transaction.
	begin string
	// grown returns an error if reading on would take too much of the disk.
	grown func() error
	// ended is called after the transaction.
	ended func(context.Context) error
}

// rowsPerCheck is how many rows a dump reads between two checks of the disk.
const rowsPerCheck = 256

// minDumpLog is the size in bytes that the write-ahead log may always reach while
// a dump is read. If the database is larger, the log may become as large.
const minDumpLog = 1 << 30

func (e *postgresEngine) dumping() dumping { return dumping{begin: liftTimeouts} }

func (e *sqliteEngine) dumping() dumping { return dumping{grown: e.logGrown, ended: e.checkpoint} }

// logGrown keeps a dump from filling the disk, which would end all writes: SQLite
// cannot restart the log while the dump reads.
func (e *sqliteEngine) logGrown() error {
	database, err := os.Stat(e.file.Path())
	if err != nil {
		return err
	}
	if most, log := max(e.minDumpLog, database.Size()), e.logBytes(); log > most {
		return fmt.Errorf("so much was written meanwhile that the write-ahead log grew to %d MB; %d MB is the limit while all rows are read", log>>20, most>>20)
	}
	return nil
}

func (e *sqliteEngine) logBytes() int64 {
	log, err := os.Stat(e.file.Path() + "-wal")
	if err != nil {
		return 0 // the check for damage reports a missing file
	}
	return log.Size()
}

// checkpoint moves the content of the log into the database while the writer
// continues: for a long log, the writer's own checkpoint would take minutes. The
// writer then restarts the log and truncates it.
func (e *sqliteEngine) checkpoint(ctx context.Context) error {
	conn, err := e.readers.Take(ctx)
	if err != nil {
		return err
	}
	defer e.readers.Put(conn)
	return schema.Execute(conn, "PRAGMA wal_checkpoint(PASSIVE)")
}

// Dump calls fn with a Dump of the store at this moment. It has no time limit.
// Meanwhile PostgreSQL does not vacuum older rows, and on SQLite the write-ahead log
// grows; Dump fails if it grows larger than the database and larger than 1 GB. An
// error of fn is returned as it is.
func (s *Store) Dump(ctx context.Context, fn func(*Dump) error) error {
	if s.closed.Load() {
		return unavailableError(errors.New("the store is closed"))
	}
	var failed error
	how := s.engine.dumping()
	err := s.engine.view(ctx, true, func(session session) error {
		d := &Dump{ctx: ctx, session: session, dumping: how}
		if err := d.begin(); err != nil {
			return err
		}
		failed = fn(d)
		return failed
	})
	if how.ended != nil {
		if err := how.ended(ctx); err != nil && ctx.Err() == nil {
			s.log.Warn("store: log not moved into the database after a dump", "error", err)
		}
	}
	if failed != nil {
		return failed
	}
	return publicError(ctx, err)
}

func (d *Dump) begin() error {
	if d.dumping.begin != "" {
		if err := d.session.exec(d.ctx, d.dumping.begin, nil); err != nil {
			return err
		}
	}
	// The first query fixes the moment.
	return d.session.query(d.ctx, "SELECT max(version) FROM schema_versions", nil, func(r row) error { return r.scan(&d.version) })
}

// Version returns the schema version of the store.
func (d *Dump) Version() int { return d.version }

// Count returns the number of rows of a table.
func (d *Dump) Count(t *schema.Table) (n int64, err error) {
	err = d.session.query(d.ctx, "SELECT count(*) FROM "+t.Name, nil, func(r row) error { return r.scan(&n) })
	return n, publicError(d.ctx, err)
}

// Rows calls each for every row of a table, in the order in which the engine reads
// them: PostgreSQL would write a large table to its disk once more to sort it, and
// slow every write meanwhile. The values are in the order of the columns: string,
// int64, bool, []byte or parley.ID, and nil for NULL. The next row reuses the slice.
// An error of each ends Rows, which returns it.
func (d *Dump) Rows(t *schema.Table, each func(values []any) error) error {
	names := make([]string, len(t.Columns))
	cells := make([]cell, len(t.Columns))
	dest := make([]any, len(t.Columns))
	for i, c := range t.Columns {
		names[i], cells[i] = c.Name, newCell(c)
		dest[i] = cells[i].dest
	}
	values := make([]any, len(cells))
	var failed error
	sql := "SELECT " + strings.Join(names, ", ") + " FROM " + t.Name
	err := d.session.query(d.ctx, sql, nil, func(r row) error {
		if err := r.scan(dest...); err != nil {
			return err
		}
		for i := range cells {
			values[i] = cells[i].value()
		}
		if failed = each(values); failed == nil {
			failed = d.checkDisk()
		}
		return failed
	})
	if failed != nil {
		return failed
	}
	if err = publicError(d.ctx, err); err != nil {
		return fmt.Errorf("table %s: %w", t.Name, err)
	}
	return nil
}

// checkDisk ends a dump that takes too much of the disk.
func (d *Dump) checkDisk() error {
	if d.rows++; d.dumping.grown == nil || d.rows%rowsPerCheck != 0 {
		return nil
	}
	return d.dumping.grown()
}

// A cell is where the value of a column is read to.
type cell struct {
	dest  any
	value func() any
}

func newCell(c schema.Column) cell {
	switch {
	case c.Type == schema.TextColumn && c.Null:
		v := new(*string)
		return cell{v, func() any {
			if *v == nil {
				return nil
			}
			return **v
		}}
	case c.Type == schema.TextColumn:
		v := new(string)
		return cell{v, func() any { return *v }}
	case c.Type == schema.UUIDColumn:
		v := new(parley.ID)
		return cell{v, func() any {
			if c.Null && v.IsZero() {
				return nil
			}
			return *v
		}}
	case c.Type == schema.BooleanColumn:
		v := new(bool)
		return cell{v, func() any { return *v }}
	case c.Type == schema.BytesColumn:
		v := new([]byte)
		return cell{v, func() any { return *v }}
	default:
		v := new(int64)
		return cell{v, func() any { return *v }}
	}
}

// MasterKeys returns the fingerprints of the master key that seals the secrets of
// the store and of the key that is replacing it; each is "" if none is recorded.
func (d *Dump) MasterKeys() (kept, next string, err error) {
	v := &View{ctx: d.ctx, session: d.session}
	if kept, err = fingerprint(v, masterKey); err == nil {
		next, err = fingerprint(v, nextMasterKey)
	}
	return kept, next, err
}
