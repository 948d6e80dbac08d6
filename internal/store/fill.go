package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/jackc/pgx/v5"
	"zombiezen.com/go/sqlite/sqlitex"

	"parley"
	"parley/internal/store/schema"
)

// A Filling is what [Fill] puts into a store. Its functions run in one
// transaction, and once.
type Filling struct {
	// Version is the schema version of the rows.
	Version int
	// Rows inserts them, each table after those that it refers to.
	Rows func(*Load) error
	// Settle changes what a copy must not keep. It runs after Rows, on the
	// latest schema.
	Settle func(*Tx) error
	// Replace allows a database that already holds workspaces. The tables of the
	// earlier store move to a schema of their own, named by Aside.
	Replace bool
	// Adopt, which Rows may set, moves the tables in the schema KeysSchema of the
	// database to the schema of the store, in the same transaction. KeysSchema is
	// deleted even if the transaction fails.
	Adopt bool
	// Aside is the schema of the earlier store, set by Fill; "" if nothing was moved.
	Aside string
}

// A Load inserts rows. It is valid only inside the function that received it.
type Load struct {
	ctx    context.Context
	insert func(t *schema.Table, rows iter.Seq2[[]any, error]) error
}

// Rows inserts rows into a table. The values are those that [Dump.Rows] gives.
func (l *Load) Rows(t *schema.Table, rows iter.Seq2[[]any, error]) error {
	if err := l.insert(t, rows); err != nil {
		return fmt.Errorf("table %s: %w", t.Name, err)
	}
	return nil
}

// Fill creates a store from rows and upgrades it to the latest schema, all in one
// transaction. An embedded store must not exist yet. A PostgreSQL database must hold
// no workspace, unless f allows replacing it, and no server may run on it. Fill does
// not touch tables that no store created; if one has the name of a store's table, it
// returns a Conflict.
func Fill(ctx context.Context, o Options, f *Filling) (err error) {
	steps, err := schema.Steps()
	if err != nil {
		return err
	}
	if f.Version < 1 || f.Version > len(steps) {
		return schema.Newer(f.Version, len(steps))
	}
	e, err := openEngine(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	return e.fill(ctx, f, steps)
}

func (e *sqliteEngine) fill(ctx context.Context, f *Filling, steps []schema.Step) (err error) {
	s := &sqliteSession{conn: e.writer, texts: &e.texts, file: e.file}
	tables := 0
	err = s.query(ctx, "SELECT count(*) FROM sqlite_master", nil, func(r row) error { return r.scan(&tables) })
	if err == nil && tables > 0 {
		err = parley.Errorf(parley.Conflict, "%s already has a store", e.file.Path())
	}
	if err != nil {
		return err
	}
	if err := schema.Execute(e.writer, "BEGIN IMMEDIATE; "+schema.CreateVersions+";"); err != nil {
		return err
	}
	defer func() {
		if err != nil && !e.writer.AutocommitEnabled() {
			_ = sqlitex.ExecuteTransient(e.writer, "ROLLBACK", nil)
		}
	}()
	load := &Load{ctx: ctx, insert: func(t *schema.Table, rows iter.Seq2[[]any, error]) error { return insertRows(ctx, s, t, rows) }}
	err = f.run(ctx, s, load, steps, func(step schema.Step) error { return e.apply(ctx, s, step) })
	if err != nil {
		return err
	}
	if err := schema.InstructPlanner(e.writer); err != nil {
		return fmt.Errorf("instruct the planner: %w", err)
	}
	if err := s.exec(ctx, "COMMIT", nil); err != nil {
		return err
	}
	return sqlitex.ExecuteTransient(e.writer, "PRAGMA wal_checkpoint(TRUNCATE)", nil)
}

// run applies the steps that the rows need, inserts the rows, applies the other
// steps, and settles the result.
func (f *Filling) run(ctx context.Context, s session, load *Load, steps []schema.Step, apply func(schema.Step) error) error {
	for _, step := range steps[:f.Version] {
		if err := apply(step); err != nil {
			return err
		}
	}
	if err := f.Rows(load); err != nil {
		return err
	}
	for _, step := range steps[f.Version:] {
		if err := apply(step); err != nil {
			return err
		}
	}
	return f.Settle(&Tx{View: View{ctx: ctx, session: s}})
}

func insertRows(ctx context.Context, s session, t *schema.Table, rows iter.Seq2[[]any, error]) error {
	names, places := make([]string, len(t.Columns)), make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i], places[i] = c.Name, fmt.Sprintf("$%d", i+1)
	}
	sql := "INSERT INTO " + t.Name + " (" + strings.Join(names, ", ") + ") VALUES (" + strings.Join(places, ", ") + ")"
	for values, err := range rows {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = s.exec(ctx, sql, values)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (e *postgresEngine) fill(ctx context.Context, f *Filling, steps []schema.Step) (err error) {
	defer func() {
		if err != nil && f.Adopt { // deferred first, so the transaction has ended
			err = errors.Join(err, e.dropKeys(context.WithoutCancel(ctx)))
		}
	}()
	conn, err := e.pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("reach the database: %w", err)
	}
	defer conn.Release()
	tx, err := conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }() // does nothing after the commit
	if _, err := tx.Exec(ctx, liftTimeouts); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "SET LOCAL lock_timeout = '10s'"); err != nil {
		return err
	}
	if err := f.clear(ctx, tx, steps); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, schema.CreateVersions); err != nil {
		return err
	}
	s := &postgresSession{conn: conn.Conn()}
	load := &Load{ctx: ctx, insert: func(t *schema.Table, rows iter.Seq2[[]any, error]) error { return copyRows(ctx, tx, t, rows) }}
	err = f.run(ctx, s, load, steps, func(step schema.Step) error { return applyPostgres(ctx, tx, step) })
	if err != nil {
		return err
	}
	if s.pending.Len() > 0 {
		if err := s.send(ctx, nil); err != nil {
			return err
		}
	}
	if err := f.adopt(ctx, tx); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// copyRows inserts rows by COPY, which takes a fraction of the time of INSERT.
func copyRows(ctx context.Context, tx pgx.Tx, t *schema.Table, rows iter.Seq2[[]any, error]) error {
	next, stop := iter.Pull2(rows)
	defer stop()
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{t.Name}, names, pgx.CopyFromFunc(func() ([]any, error) {
		values, err, more := next()
		if !more || err != nil {
			return nil, err
		}
		return postgresBind(values)
	}))
	return err
}
