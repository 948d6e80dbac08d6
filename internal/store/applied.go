package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// compatibleMark starts a migration after which the previous version can still
// serve the store; see CONTRIBUTING.md.
const compatibleMark = "-- compatible:"

// errNewer is the error of a store that this program cannot serve.
const errNewer = "the store has schema version %d, and this program knows %d: use a newer program"

// hashOf identifies the text of a migration. It ignores line endings, which
// depend on the checkout.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(strings.ReplaceAll(text, "\r\n", "\n")))
	return hex.EncodeToString(sum[:])
}

// An appliedStep is a migration as recorded in the store.
type appliedStep struct {
	version    int
	hash       string // "" if an old program applied it without recording one
	compatible bool   // the previous version may serve the store
}

// checkHistory compares the applied migrations with those of this program and
// returns the schema version of the store. A store that is exactly one step
// newer is accepted if that step is compatible. Missing hashes are filled in
// after [checkColumns] has confirmed the tables.
func checkHistory(ctx context.Context, s session, columns string, steps []migration) (version int, err error) {
	var applied []appliedStep
	err = s.query(ctx, "SELECT version, hash, compatible FROM schema_versions ORDER BY version", nil, func(r row) error {
		var a appliedStep
		err := r.scan(&a.version, &a.hash, &a.compatible)
		applied = append(applied, a)
		return err
	})
	if err != nil {
		return 0, err
	}
	version = len(applied)
	if newer := version - len(steps); newer > 1 || newer == 1 && !applied[version-1].compatible {
		return version, fmt.Errorf(errNewer, applied[version-1].version, len(steps))
	}
	unnamed := 0
	for i, a := range applied[:min(version, len(steps))] {
		switch {
		case a.version != i+1:
			return version, otherHistory(fmt.Sprintf("it lacks schema step %d", i+1))
		case a.hash == "":
			unnamed = i + 1
		case a.hash != steps[i].hash:
			return version, otherHistory(fmt.Sprintf("its schema step %d was made by another text than this program's %s", i+1, steps[i].name))
		}
	}
	if unnamed == 0 {
		return version, nil
	}
	if err := checkColumns(ctx, s, columns, steps[:unnamed]); err != nil {
		return version, err
	}
	for _, step := range steps[:unnamed] {
		if err := s.exec(ctx, "UPDATE schema_versions SET hash = $1 WHERE version = $2 AND hash = ''", []any{step.hash, step.version}); err != nil {
			return version, err
		}
	}
	return version, nil
}

func otherHistory(why string) error {
	return fmt.Errorf("the store has another history than this program: %s. A fork or a build between two releases made it; "+
		"use that program, or restore a backup of a store of this one", why)
}

// checkColumns verifies that a store whose steps have no hashes has every
// column that these steps create. A database in memory provides the expected
// columns. The hidden tables of the SQLite search index are ignored, because
// PostgreSQL has none of them.
func checkColumns(ctx context.Context, s session, columns string, steps []migration) (err error) {
	there := map[string]bool{}
	err = s.query(ctx, columns, nil, func(r row) error {
		var table, column string
		err := r.scan(&table, &column)
		there[table+"."+column] = true
		return err
	})
	if err != nil {
		return err
	}
	model, err := sqlite.OpenConn(":memory:", sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, model.Close()) }()
	for _, step := range steps {
		if err := executeAll(model, step.sqlite()); err != nil {
			return fmt.Errorf("migration %d: %w", step.version, err)
		}
	}
	return sqlitex.ExecuteTransient(model, sqliteColumns, &sqlitex.ExecOptions{ResultFunc: func(stmt *sqlite.Stmt) error {
		if name := stmt.ColumnText(0) + "." + stmt.ColumnText(1); !there[name] {
			return otherHistory(fmt.Sprintf("its schema version is %d, and it lacks %s", len(steps), name))
		}
		return nil
	}})
}

// Queries for the columns of all tables.
const (
	sqliteColumns = `SELECT t.name, p.name FROM pragma_table_list t, pragma_table_info(t.name) p
		WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`
	postgresColumns = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()"
)
