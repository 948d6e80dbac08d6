package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"parley"
)

// A Dump reads whole tables as they are at one moment. It is valid only inside
// the function that received it.
type Dump struct {
	ctx     context.Context
	session session
	version int
}

// Dump calls fn with a Dump of the store at this moment. It has no limit of
// time: on SQLite the write-ahead log grows meanwhile, and on PostgreSQL the
// rows of before are not vacuumed. An error of fn is returned as it is.
func (s *Store) Dump(ctx context.Context, fn func(*Dump) error) error {
	if s.closed.Load() {
		return unavailableError(errors.New("the store is closed"))
	}
	var failed error
	err := s.engine.view(ctx, true, func(session session) error {
		d := &Dump{ctx: ctx, session: session}
		if err := d.begin(s.engine.liftLimits()); err != nil {
			return err
		}
		failed = fn(d)
		return failed
	})
	if failed != nil {
		return failed
	}
	return publicError(ctx, err)
}

func (d *Dump) begin(liftLimits []string) error {
	for _, sql := range liftLimits {
		if err := d.session.exec(d.ctx, sql, nil); err != nil {
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
		failed = each(values)
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
