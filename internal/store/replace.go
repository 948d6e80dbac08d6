package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"parley"
	"parley/internal/store/schema"
)

// KeysSchema is the schema of a PostgreSQL database in which a restore stages the
// keys of numbers until the rows of the store are there.
const KeysSchema = "parley_restored_keys"

// Keys of advisory locks. Each node shares the lock of its schema while it listens
// to the others. A restore holds both locks exclusively until it commits.
const (
	nodeLock    = "hashtextextended('parley node ' || coalesce(current_schema(), ''), 0)"
	restoreLock = "hashtextextended('parley restore', 0)"
)

// liftTimeouts lifts the database's time limits for one transaction.
const liftTimeouts = `SELECT set_config(name, '0', true) FROM pg_settings
	WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`

// clear refuses a database that is in use, and moves the tables of an earlier store
// aside. It deletes nothing.
func (f *Filling) clear(ctx context.Context, tx pgx.Tx, steps []schema.Step) error {
	for _, lock := range []struct{ key, held string }{
		{restoreLock, "another restore into this database is running"},
		{nodeLock, "a server uses the database: stop every server first"},
	} {
		free := false
		if err := tx.QueryRow(ctx, "SELECT pg_try_advisory_xact_lock("+lock.key+")").Scan(&free); err != nil {
			return err
		}
		if !free {
			return parley.Errorf(parley.Conflict, "%s", lock.held)
		}
	}
	own, err := ownTables(ctx, tx, steps)
	if err != nil || len(own) == 0 {
		return err
	}
	held := 0
	if slices.Contains(own, "workspaces") {
		if err := tx.QueryRow(ctx, "SELECT count(*) FROM workspaces").Scan(&held); err != nil {
			return err
		}
	}
	if held > 0 && !f.Replace {
		return parley.Errorf(parley.Conflict, "the database already has a store of %d workspaces; --replace moves it aside", held)
	}
	// Two restores of small stores may follow each other within a second.
	aside := "parley_before_" + strings.ReplaceAll(time.Now().UTC().Format("20060102t150405.000"), ".", "_")
	if _, err := tx.Exec(ctx, "CREATE SCHEMA "+aside); err != nil {
		return fmt.Errorf("create a schema for the replaced tables: %w", err)
	}
	for _, name := range own {
		if _, err := tx.Exec(ctx, "ALTER TABLE "+pgx.Identifier{name}.Sanitize()+" SET SCHEMA "+aside); err != nil {
			return fmt.Errorf("move table %s aside: %w", name, err)
		}
	}
	f.Aside = aside
	return nil
}

// ownTables returns the tables in the current schema that a store created: ours and
// those of the messaging application's library. A table belongs to a store only if
// the list of schema steps next to it is this program's. Without that list, a table
// with the name of a store's table is a Conflict.
func ownTables(ctx context.Context, tx pgx.Tx, steps []schema.Step) ([]string, error) {
	present, err := baseTables(ctx, tx, "current_schema()")
	if err != nil {
		return nil, err
	}
	latest, err := storeTables(len(steps))
	if err != nil {
		return nil, err
	}
	taken := slices.DeleteFunc(slices.Clone(present), func(name string) bool { return !slices.Contains(latest, name) })
	if len(taken) == 0 {
		return nil, nil
	}
	version, err := currentVersion(ctx, tx, steps)
	if err != nil {
		return nil, err
	}
	if version == 0 {
		if slices.Equal(taken, []string{schema.VersionsTable}) {
			return nil, nil // a failed migration left it; if it is another program's, filling fails
		}
		return nil, parley.Errorf(parley.Conflict, "the table %s in the database belongs to another program: use another database, "+
			"or name a schema for Parley alone by search_path in the URL. Nothing was changed", taken[0])
	}
	made, err := storeTables(version)
	return slices.DeleteFunc(present, func(name string) bool {
		return !slices.Contains(made, name) && !strings.HasPrefix(name, "whatsmeow_")
	}), err
}

// storeTables returns the names of all tables of a store with a schema version.
func storeTables(version int) ([]string, error) {
	tables, err := schema.Tables(version)
	names := []string{schema.VersionsTable, "search_words"}
	for _, t := range tables {
		names = append(names, t.Name)
	}
	return names, err
}

// currentVersion returns the schema version of the store in the current schema, 0
// if there is none.
func currentVersion(ctx context.Context, tx pgx.Tx, steps []schema.Step) (int, error) {
	columns := 0
	err := tx.QueryRow(ctx, "SELECT count(*) FROM ("+postgresColumns+`) c
		WHERE table_name = 'schema_versions' AND column_name IN ('version', 'applied_at', 'hash', 'compatible')`).Scan(&columns)
	if err != nil || columns < 4 {
		return 0, err
	}
	// The session is dropped, so what checkHistory would write is never sent.
	version, err := checkHistory(ctx, &postgresSession{conn: tx.Conn()}, postgresColumns, steps)
	if err == nil && version > len(steps) {
		err = schema.Newer(version, len(steps))
	}
	if err != nil {
		err = fmt.Errorf("this program cannot move the store in the database aside; restore into an empty database: %w", err)
	}
	return version, err
}

func baseTables(ctx context.Context, tx pgx.Tx, in string, args ...any) ([]string, error) {
	rows, err := tx.Query(ctx, "SELECT table_name FROM information_schema.tables WHERE table_schema = "+in+" AND table_type = 'BASE TABLE' ORDER BY table_name", args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// adopt moves the tables of KeysSchema into the current schema.
func (f *Filling) adopt(ctx context.Context, tx pgx.Tx) error {
	if !f.Adopt {
		return nil
	}
	var into string
	if err := tx.QueryRow(ctx, "SELECT current_schema()").Scan(&into); err != nil {
		return err
	}
	tables, err := baseTables(ctx, tx, "$1", KeysSchema)
	if err != nil {
		return err
	}
	for _, name := range tables {
		from := pgx.Identifier{KeysSchema, name}.Sanitize()
		if _, err := tx.Exec(ctx, "ALTER TABLE "+from+" SET SCHEMA "+pgx.Identifier{into}.Sanitize()); err != nil {
			return fmt.Errorf("move table %s into the store: %w", name, err)
		}
	}
	_, err = tx.Exec(ctx, "DROP SCHEMA "+KeysSchema)
	return err
}

func (e *sqliteEngine) dropKeys(context.Context) error { return nil }

func (e *postgresEngine) dropKeys(ctx context.Context) error {
	left := 0
	if err := e.pool.QueryRow(ctx, "SELECT count(*) FROM pg_namespace WHERE nspname = $1", KeysSchema).Scan(&left); err != nil || left == 0 {
		return err
	}
	tx, err := e.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }() // does nothing after the commit
	free := false
	if err := tx.QueryRow(ctx, "SELECT pg_try_advisory_xact_lock("+restoreLock+")").Scan(&free); err != nil || !free {
		return err
	}
	if _, err := tx.Exec(ctx, "DROP SCHEMA IF EXISTS "+KeysSchema+" CASCADE"); err != nil {
		return fmt.Errorf("delete the keys of numbers left by a restore: %w", err)
	}
	return tx.Commit(ctx)
}
