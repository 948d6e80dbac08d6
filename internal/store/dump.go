package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"parley"
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

// dumping says how an engine reads a dump. Its fields may be zero.
type dumping struct {
	// begin frees the transaction of the limits of time.
	begin string
	// grown returns an error if reading on would take too much of the disk.
	grown func() error
	// ended is called behind the transaction.
	ended func(context.Context) error
}

// looksAtDisk is how many rows a dump reads between two looks at the disk.
const looksAtDisk = 256

// minDumpLog is how large the write-ahead log may become in any case while a dump
// is read. It may become as large as the database.
const minDumpLog = 1 << 30

func (e *postgresEngine) dumping() dumping { return dumping{begin: liftTimeouts} }

func (e *sqliteEngine) dumping() dumping { return dumping{grown: e.logGrown, ended: e.checkpoint} }

// logGrown keeps a dump from filling the disk, which would end all writes: while it
// reads, the log is not used again from its start.
func (e *sqliteEngine) logGrown() error {
	database, err := os.Stat(e.file.path)
	if err != nil {
		return err
	}
	log, err := os.Stat(e.file.path + "-wal")
	if err != nil {
		return err
	}
	if most := max(e.minDumpLog, database.Size()); log.Size() > most {
		return fmt.Errorf("so much was written meanwhile that the write-ahead log grew to %d MB; it may have %d MB while all rows are read",
			log.Size()>>20, most>>20)
	}
	return nil
}

// checkpoint moves what is in the log into the database, beside the writer. The
// writer, whose turn it would be, would take minutes for a long log. Then it uses
// the log from its start, and cuts it.
func (e *sqliteEngine) checkpoint(ctx context.Context) error {
	conn, err := e.readers.Take(ctx)
	if err != nil {
		return err
	}
	defer e.readers.Put(conn)
	return executeAll(conn, "PRAGMA wal_checkpoint(PASSIVE)")
}

// Dump calls fn with a Dump of the store at this moment. It has no limit of
// time: on PostgreSQL the rows of before are not vacuumed meanwhile, and on SQLite
// the write-ahead log grows. It fails if that becomes larger than the database, and
// than 1 GB. An error of fn is returned as it is.
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
func (d *Dump) Count(t *Table) (n int64, err error) {
	err = d.session.query(d.ctx, "SELECT count(*) FROM "+t.Name, nil, func(r row) error { return r.scan(&n) })
	return n, publicError(d.ctx, err)
}

// Rows calls each for every row of a table, in the order of its primary key. The
// values are in the order of the columns: string, int64, bool, []byte or
// parley.ID, and nil for NULL. The slice is used again for the next row. An
// error of each ends Rows, which returns it.
func (d *Dump) Rows(t *Table, each func(values []any) error) error {
	names := make([]string, len(t.Columns))
	cells := make([]cell, len(t.Columns))
	dest := make([]any, len(t.Columns))
	for i, c := range t.Columns {
		names[i], cells[i] = c.Name, newCell(c)
		dest[i] = cells[i].dest
	}
	values := make([]any, len(cells))
	var failed error
	sql := "SELECT " + strings.Join(names, ", ") + " FROM " + t.Name + " ORDER BY " + strings.Join(t.key, ", ")
	err := d.session.query(d.ctx, sql, nil, func(r row) error {
		if err := r.scan(dest...); err != nil {
			return err
		}
		for i := range cells {
			values[i] = cells[i].value()
		}
		if failed = each(values); failed == nil {
			failed = d.look()
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

// look ends a dump that takes too much of the disk.
func (d *Dump) look() error {
	if d.rows++; d.dumping.grown == nil || d.rows%looksAtDisk != 0 {
		return nil
	}
	return d.dumping.grown()
}

// A cell is where the value of a column is read to.
type cell struct {
	dest  any
	value func() any
}

func newCell(c Column) cell {
	switch {
	case c.Type == TextColumn && c.Null:
		v := new(*string)
		return cell{v, func() any {
			if *v == nil {
				return nil
			}
			return **v
		}}
	case c.Type == TextColumn:
		v := new(string)
		return cell{v, func() any { return *v }}
	case c.Type == UUIDColumn:
		v := new(parley.ID)
		return cell{v, func() any {
			if c.Null && v.IsZero() {
				return nil
			}
			return *v
		}}
	case c.Type == BooleanColumn:
		v := new(bool)
		return cell{v, func() any { return *v }}
	case c.Type == BytesColumn:
		v := new([]byte)
		return cell{v, func() any { return *v }}
	default:
		v := new(int64)
		return cell{v, func() any { return *v }}
	}
}

// MasterKeys returns the fingerprint of the master key that seals the secrets of
// the store, and that of one that is taking over; each "" if none is recorded.
func (d *Dump) MasterKeys() (kept, next string, err error) {
	v := &View{ctx: d.ctx, session: d.session}
	if kept, err = fingerprint(v, masterKey); err == nil {
		next, err = fingerprint(v, nextMasterKey)
	}
	return kept, next, err
}
