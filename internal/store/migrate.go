package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"zombiezen.com/go/sqlite/sqlitex"

	"parley/internal/store/datafolder"
	"parley/internal/store/oldcopy"
	"parley/internal/store/schema"
	"parley/internal/store/sqlitefile"
)

// Migrate upgrades the schema of a store to the latest version and returns the
// versions before and after. It refuses a store with a different history, and
// leaves a store alone that is one compatible step newer.
func Migrate(ctx context.Context, o Options) (from, to int, err error) {
	steps, err := schema.Steps()
	if err != nil {
		return 0, 0, err
	}
	return migrate(ctx, o, steps)
}

func migrate(ctx context.Context, o Options, steps []schema.Step) (from, to int, err error) {
	e, err := openEngine(ctx, o)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(sqlitefile.Advise(filepath.Join(o.Dir, FileName), err), e.close()) }()
	if o.Database == "" && o.Lock == nil {
		if from, err = schemaVersion(ctx, e); err != nil {
			return from, len(steps), err
		}
		if from < len(steps) {
			var lock *datafolder.Lock
			if lock, err = datafolder.TakeForSchema(o.Dir); err != nil {
				return from, len(steps), err
			}
			defer func() { err = errors.Join(err, lock.Close()) }()
		}
	}
	from, err = e.migrate(ctx, steps, migrating{copies: o.Copies, log: o.Log, begins: func(step schema.Step) {
		o.Log.Info("store: schema step begins", "step", step.Name)
	}})
	if err == nil && from > len(steps) {
		o.Log.Warn("store: the schema is one step newer than this program, and compatible with it", "schema", from, "program", len(steps))
	}
	if err == nil {
		if err := e.dropKeys(ctx); err != nil {
			o.Log.Warn("store: keys of numbers left by a restore not deleted", "error", err)
		}
	}
	return from, max(from, len(steps)), err
}

// migrating is how an engine migrates.
type migrating struct {
	copies int               // Options.Copies
	begins func(schema.Step) // called before each step
	log    *slog.Logger
}

// schemaVersion returns the schema version of a store, 0 if the store is empty.
func schemaVersion(ctx context.Context, e engine) (version int, err error) {
	err = e.view(ctx, false, func(s session) error {
		tables := 0
		if err := s.query(ctx, e.countVersionTables(), nil, func(r row) error { return r.scan(&tables) }); err != nil || tables == 0 {
			return err
		}
		return s.query(ctx, "SELECT COALESCE(max(version), 0) FROM schema_versions", nil, func(r row) error { return r.scan(&version) })
	})
	return version, err
}

func (e *sqliteEngine) migrate(ctx context.Context, steps []schema.Step, o migrating) (from int, err error) {
	if err := schema.Execute(e.writer, "BEGIN IMMEDIATE; "+schema.CreateVersions+";"); err != nil {
		return 0, fmt.Errorf("lock the store: %w", err)
	}
	defer func() {
		if err != nil && !e.writer.AutocommitEnabled() {
			_ = sqlitex.ExecuteTransient(e.writer, "ROLLBACK", nil)
		}
	}()
	s := &sqliteSession{conn: e.writer, texts: &e.texts, file: e.file}
	named := 0
	err = s.query(ctx, "SELECT count(*) FROM pragma_table_info('schema_versions') WHERE name = 'hash'", nil, func(r row) error { return r.scan(&named) })
	if err == nil && named == 0 {
		err = schema.Execute(e.writer, schema.WidenVersions)
	}
	if err != nil {
		return 0, err
	}
	if from, err = checkHistory(ctx, s, schema.Columns, steps); err != nil {
		return from, err
	}
	copied := o.copies > 0 && from > 0 && from < len(steps)
	if copied {
		if err := oldcopy.Make(e.file.Path(), from); err != nil {
			return from, err
		}
	}
	for _, step := range steps[min(from, len(steps)):] {
		o.begins(step)
		if err := e.apply(ctx, s, step); err != nil {
			return from, err
		}
	}
	if err := schema.InstructPlanner(e.writer); err != nil {
		return from, fmt.Errorf("instruct the planner: %w", err)
	}
	if err := s.exec(ctx, "COMMIT", nil); err != nil || !copied {
		return from, err
	}
	if err := oldcopy.Prune(e.file.Path(), o.copies); err != nil { // the schema is already committed
		o.log.Warn("store: old copies not deleted", "error", err)
	}
	return from, nil
}

// apply runs a step in the open transaction of the writer, and records it.
func (e *sqliteEngine) apply(ctx context.Context, s session, step schema.Step) error {
	if err := schema.Execute(e.writer, step.SQLite()); err != nil {
		return fmt.Errorf("migration %d: %w", step.Version, err)
	}
	return s.exec(ctx, schema.InsertVersion, []any{step.Version, time.Now().UnixMilli(), step.Hash, step.Compatible})
}

func (e *postgresEngine) migrate(ctx context.Context, steps []schema.Step, o migrating) (from int, err error) {
	conn, err := e.pool.Acquire(ctx)
	if err != nil {
		return 0, fmt.Errorf("reach the database: %w", err)
	}
	defer conn.Release()
	if err := makeVersions(ctx, conn.Conn()); err != nil {
		return 0, err
	}
	tx, err := conn.Begin(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { _ = tx.Rollback(ctx) }() // does nothing after the commit
	// A step over many rows takes its time, and so does waiting for another
	// node that is migrating.
	if _, err := tx.Exec(ctx, liftTimeouts); err != nil {
		return 0, err
	}
	if _, err := tx.Exec(ctx, "SET LOCAL lock_timeout = 0"); err != nil {
		return 0, err
	}
	// The lock keeps two nodes that start at once from migrating twice.
	if _, err := tx.Exec(ctx, "LOCK TABLE schema_versions IN EXCLUSIVE MODE"); err != nil {
		return 0, err
	}
	named := 0
	if err := tx.QueryRow(ctx, "SELECT count(*) FROM ("+postgresColumns+") c WHERE table_name = 'schema_versions' AND column_name = 'hash'").Scan(&named); err != nil {
		return 0, err
	}
	if named == 0 {
		if _, err := tx.Exec(ctx, schema.WidenVersions); err != nil {
			return 0, err
		}
	}
	s := &postgresSession{conn: conn.Conn()}
	if from, err = checkHistory(ctx, s, postgresColumns, steps); err != nil {
		return from, err
	}
	if s.pending.Len() > 0 {
		if err := s.send(ctx, nil); err != nil {
			return from, err
		}
	}
	for _, step := range steps[min(from, len(steps)):] {
		o.begins(step)
		if err := applyPostgres(ctx, tx, step); err != nil {
			return from, err
		}
	}
	return from, tx.Commit(ctx)
}

// applyPostgres runs a step in a transaction, and records it.
func applyPostgres(ctx context.Context, tx pgx.Tx, step schema.Step) error {
	if _, err := tx.Exec(ctx, step.Postgres()); err != nil {
		return fmt.Errorf("migration %d: %w", step.Version, err)
	}
	_, err := tx.Exec(ctx, schema.InsertVersion, step.Version, time.Now().UnixMilli(), step.Hash, step.Compatible)
	return err
}

// makeVersions creates the table of versions. On PostgreSQL, CREATE TABLE IF
// NOT EXISTS fails if two sessions create the table at once; the later one
// succeeds when it tries again.
func makeVersions(ctx context.Context, conn *pgx.Conn) error {
	var err error
	for range 3 {
		_, err = conn.Exec(ctx, schema.CreateVersions)
		var refused *pgconn.PgError
		if !errors.As(err, &refused) || !slices.Contains([]string{"23505", "42710", "42P07"}, refused.Code) {
			return err
		}
	}
	return err
}

// MigrationStatus returns the schema version of a store and the latest version
// that this program knows. It changes nothing.
func MigrationStatus(ctx context.Context, o Options) (from, to int, err error) {
	steps, err := schema.Steps()
	if err != nil {
		return 0, 0, err
	}
	if o.Database == "" {
		from, err = sqlitefile.Peek(filepath.Join(o.Dir, FileName))
		return from, len(steps), err
	}
	e, err := openEngine(ctx, o)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(sqlitefile.Advise(filepath.Join(o.Dir, FileName), err), e.close()) }()
	from, err = schemaVersion(ctx, e)
	return from, len(steps), err
}

func (e *sqliteEngine) countVersionTables() string {
	return "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'schema_versions'"
}

func (e *postgresEngine) countVersionTables() string {
	return "SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = 'schema_versions'"
}
