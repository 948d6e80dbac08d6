package schema

import (
	"errors"
	"fmt"

	"zombiezen.com/go/sqlite"
)

// An Applied is a step as a store recorded it.
type Applied struct {
	Version    int
	Hash       string // "" if an old program applied it without recording one
	Compatible bool   // the previous version may serve the store
}

// Newer is the error of a store that this program cannot serve.
func Newer(store, program int) error {
	return fmt.Errorf("the store has schema version %d, and this program knows %d: use a newer program", store, program)
}

// Check compares the applied steps with those of this program. A store that is
// exactly one step newer is accepted if that step is compatible. unnamed is the
// version of the last step without a hash: its caller must check the columns of
// the steps up to it ([CheckColumns]) before it records their hashes.
func Check(applied []Applied, steps []Step) (unnamed int, err error) {
	version := len(applied)
	if newer := version - len(steps); newer > 1 || newer == 1 && !applied[version-1].Compatible {
		return 0, Newer(applied[version-1].Version, len(steps))
	}
	for i, a := range applied[:min(version, len(steps))] {
		switch {
		case a.Version != i+1:
			return 0, otherHistory(fmt.Sprintf("it lacks schema step %d", i+1))
		case a.Hash == "":
			unnamed = i + 1
		case a.Hash != steps[i].Hash:
			return 0, otherHistory(fmt.Sprintf("its schema step %d was made by another text than this program's %s", i+1, steps[i].Name))
		}
	}
	return unnamed, nil
}

func otherHistory(why string) error {
	return fmt.Errorf("the store has another history than this program: %s. A fork or a build between two releases made it; "+
		"use that program, or restore a backup of a store of this one", why)
}

// Columns is SQLite's query for the columns of all tables.
const Columns = `SELECT t.name, p.name FROM pragma_table_list t, pragma_table_info(t.name) p
	WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`

// CheckColumns verifies that a store has every column that the steps create.
// present has its columns, as table.column. A database in memory provides the
// expected ones; the hidden tables of the SQLite search index are not among
// them, because PostgreSQL has none of them.
func CheckColumns(present map[string]bool, steps []Step) error {
	return inModel(steps, func(model *sqlite.Conn) error {
		return read(model, Columns, nil, func(r *sqlite.Stmt) error {
			if name := r.ColumnText(0) + "." + r.ColumnText(1); !present[name] {
				return otherHistory(fmt.Sprintf("its schema version is %d, and it lacks %s", len(steps), name))
			}
			return nil
		})
	})
}

// inModel calls fn with a database in memory that has the tables of the steps.
func inModel(steps []Step, fn func(*sqlite.Conn) error) (err error) {
	model, err := sqlite.OpenConn(":memory:", sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, model.Close()) }()
	for _, step := range steps {
		if err := Execute(model, step.SQLite()); err != nil {
			return fmt.Errorf("migration %d: %w", step.Version, err)
		}
	}
	return fn(model)
}
