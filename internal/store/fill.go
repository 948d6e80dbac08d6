package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"zombiezen.com/go/sqlite/sqlitex"

	"parley"
)

// A Filling is what [Fill] puts into a store. Its functions run in one
// transaction, and once.
type Filling struct {
	// Version is the schema version of the rows.
	Version int
	// Rows inserts them, each table behind those that it refers to.
	Rows func(*Load) error
	// Settle changes what a copy must not keep. It runs behind Rows, on the
	// latest schema.
	Settle func(*Tx) error
	// Replace allows a database that holds workspaces already. The tables of a store
	// that was there move to a schema of their own, whose name Aside returns.
	Replace bool
	// Adopt, which Rows may set, names a schema of the database whose tables move to
	// that of the store in the same transaction. The schema is deleted, also when the
	// transaction fails.
	Adopt string
	// Aside is that name afterwards, or "" if nothing was moved.
	Aside string
}

// A Load inserts rows. It is valid only inside the function that received it.
type Load struct {
	ctx    context.Context
	insert func(t *Table, rows iter.Seq2[[]any, error]) error
}

// Rows inserts rows into a table. The values are those that [Dump.Rows] gives.
func (l *Load) Rows(t *Table, rows iter.Seq2[[]any, error]) error {
	if err := l.insert(t, rows); err != nil {
		return fmt.Errorf("table %s: %w", t.Name, err)
	}
	return nil
}

// Fill makes a store from rows and upgrades it to the latest schema, all in one
// transaction. An embedded store must not be there yet. On PostgreSQL the
// database must hold no workspace unless f allows to replace it, and nobody else
// may be connected to it.
func Fill(ctx context.Context, o Options, f *Filling) (err error) {
	steps, err := migrations()
	if err != nil {
		return err
	}
	if f.Version < 1 || f.Version > len(steps) {
		return fmt.Errorf(errNewer, f.Version, len(steps))
	}
	e, err := openEngine(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	return e.fill(ctx, f, steps)
}

func (e *sqliteEngine) liftLimits() []string { return nil }

func (e *postgresEngine) liftLimits() []string {
	return []string{"SET LOCAL statement_timeout = 0", "SET LOCAL idle_in_transaction_session_timeout = 0"}
}

func (e *sqliteEngine) fill(ctx context.Context, f *Filling, steps []migration) (err error) {
	s := &sqliteSession{conn: e.writer, texts: &e.texts, file: e.file}
	tables := 0
	err = s.query(ctx, "SELECT count(*) FROM sqlite_master", nil, func(r row) error { return r.scan(&tables) })
	if err == nil && tables > 0 {
		err = parley.Errorf(parley.Conflict, "there is a store already in %s", e.file.path)
	}
	if err != nil {
		return err
	}
	if err := executeAll(e.writer, "BEGIN IMMEDIATE; "+createVersions+";"); err != nil {
		return err
	}
	defer func() {
		if err != nil && !e.writer.AutocommitEnabled() {
			_ = sqlitex.ExecuteTransient(e.writer, "ROLLBACK", nil)
		}
	}()
	load := &Load{ctx: ctx, insert: func(t *Table, rows iter.Seq2[[]any, error]) error { return insertRows(ctx, s, t, rows) }}
	err = f.run(ctx, s, load, steps, func(step migration) error { return e.apply(ctx, s, step) })
	if err != nil {
		return err
	}
	if err := s.exec(ctx, "COMMIT", nil); err != nil {
		return err
	}
	return sqlitex.ExecuteTransient(e.writer, "PRAGMA wal_checkpoint(TRUNCATE)", nil)
}

// run applies the steps that the rows need, inserts the rows, applies the other
// steps, and settles the result.
func (f *Filling) run(ctx context.Context, s session, load *Load, steps []migration, apply func(migration) error) error {
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

func insertRows(ctx context.Context, s session, t *Table, rows iter.Seq2[[]any, error]) error {
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

func (e *postgresEngine) fill(ctx context.Context, f *Filling, steps []migration) (err error) {
	defer func() {
		if err != nil && f.Adopt != "" { // deferred first, so the transaction has ended
			_, dropped := e.pool.Exec(context.WithoutCancel(ctx), "DROP SCHEMA IF EXISTS "+pgx.Identifier{f.Adopt}.Sanitize()+" CASCADE")
			err = errors.Join(err, dropped)
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
	if _, err := tx.Exec(ctx, "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '10s'; SET LOCAL idle_in_transaction_session_timeout = 0"); err != nil {
		return err
	}
	if err := f.clear(ctx, tx); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, createVersions); err != nil {
		return err
	}
	s := &postgresSession{conn: conn.Conn()}
	load := &Load{ctx: ctx, insert: func(t *Table, rows iter.Seq2[[]any, error]) error { return copyRows(ctx, tx, t, rows) }}
	err = f.run(ctx, s, load, steps, func(step migration) error { return applyPostgres(ctx, tx, step) })
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

// adopt moves the tables of a schema into the current one.
func (f *Filling) adopt(ctx context.Context, tx pgx.Tx) error {
	if f.Adopt == "" {
		return nil
	}
	var into string
	if err := tx.QueryRow(ctx, "SELECT current_schema()").Scan(&into); err != nil {
		return err
	}
	rows, err := tx.Query(ctx, "SELECT table_name FROM information_schema.tables WHERE table_schema = $1 AND table_type = 'BASE TABLE'", f.Adopt)
	if err != nil {
		return err
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, name := range tables {
		from := pgx.Identifier{f.Adopt, name}.Sanitize()
		if _, err := tx.Exec(ctx, "ALTER TABLE "+from+" SET SCHEMA "+pgx.Identifier{into}.Sanitize()); err != nil {
			return fmt.Errorf("take over table %s: %w", name, err)
		}
	}
	_, err = tx.Exec(ctx, "DROP SCHEMA "+pgx.Identifier{f.Adopt}.Sanitize())
	return err
}

// ownTables returns the tables in the current schema that a store made: ours and
// those of the messaging application's library.
func ownTables(ctx context.Context, tx pgx.Tx) ([]string, error) {
	latest, err := SchemaVersion()
	if err != nil {
		return nil, err
	}
	known, err := Tables(latest)
	if err != nil {
		return nil, err
	}
	names := []string{"schema_versions", "search_words"}
	for _, t := range known {
		names = append(names, t.Name)
	}
	rows, err := tx.Query(ctx, "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'")
	if err != nil {
		return nil, err
	}
	present, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return slices.DeleteFunc(present, func(name string) bool {
		return !slices.Contains(names, name) && !strings.HasPrefix(name, "whatsmeow_")
	}), err
}

// isStore reports whether the tables in the current schema are those of a store, by
// columns that every version has. Another program may have tables of such names.
func isStore(ctx context.Context, tx pgx.Tx) (bool, error) {
	found := 0
	err := tx.QueryRow(ctx, `SELECT count(*) FROM information_schema.columns WHERE table_schema = current_schema()
		AND table_name || '.' || column_name IN ('schema_versions.version', 'schema_versions.applied_at', 'workspaces.workspace_id', 'workspaces.epoch')`).Scan(&found)
	return found == 4, err
}

// clear takes the tables of an earlier store out of the way. It refuses a database
// that is in use or that holds the tables of another program, and deletes nothing.
func (f *Filling) clear(ctx context.Context, tx pgx.Tx) error {
	present, err := ownTables(ctx, tx)
	if err != nil || len(present) == 0 || slices.Equal(present, []string{"schema_versions"}) { // which the first start makes before all else
		return err
	}
	ours, err := isStore(ctx, tx)
	if err != nil {
		return err
	}
	if !ours {
		return parley.Errorf(parley.Conflict, "the database has a table %s of another program: name a database of its own", present[0])
	}
	others, held := 0, 0
	err = tx.QueryRow(ctx, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'parley' AND pid <> pg_backend_pid()").Scan(&others)
	if err == nil && others > 0 {
		err = parley.Errorf(parley.Conflict, "the database is in use by %d other connections of Parley: stop every server first", others)
	}
	if err != nil {
		return err
	}
	if err := tx.QueryRow(ctx, "SELECT count(*) FROM workspaces").Scan(&held); err != nil {
		return err
	}
	if held > 0 && !f.Replace {
		return parley.Errorf(parley.Conflict, "the database holds %d workspaces already", held)
	}
	aside := "parley_before_" + time.Now().UTC().Format("20060102t150405")
	if _, err := tx.Exec(ctx, "CREATE SCHEMA "+aside); err != nil {
		return fmt.Errorf("make a schema for the tables that are replaced: %w", err)
	}
	for _, name := range present {
		if _, err := tx.Exec(ctx, "ALTER TABLE "+pgx.Identifier{name}.Sanitize()+" SET SCHEMA "+aside); err != nil {
			return fmt.Errorf("put table %s aside: %w", name, err)
		}
	}
	f.Aside = aside
	return nil
}

// copyRows inserts rows by COPY, which takes a fraction of the time of INSERT.
func copyRows(ctx context.Context, tx pgx.Tx, t *Table, rows iter.Seq2[[]any, error]) error {
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
