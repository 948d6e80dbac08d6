package schema

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// A ColumnType is the type of a column, the same on both engines.
type ColumnType string

// The types that migrations use.
const (
	TextColumn    ColumnType = "text"
	IntegerColumn ColumnType = "bigint"
	BooleanColumn ColumnType = "boolean"
	UUIDColumn    ColumnType = "uuid"
	BytesColumn   ColumnType = "bytea"
)

// A Column is a column of a table.
type Column struct {
	Name string     `json:"name"`
	Type ColumnType `json:"type"`
	// Null: the column may be NULL. Only text and uuid columns may.
	Null bool `json:"null,omitempty"`
}

// A Table is a table of the schema.
type Table struct {
	Name    string   `json:"name"`
	Columns []Column `json:"columns"`
	key     []string // columns of the primary key, in its order
}

// Column returns the index of a column, or -1.
func (t *Table) Column(name string) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
}

// RowName names a row by its primary key, for an operator.
func (t *Table) RowName(values []any) string {
	words := make([]string, len(t.key))
	for i, name := range t.key {
		words[i] = fmt.Sprintf("%s %q", name, fmt.Sprint(values[t.Column(name)]))
	}
	return strings.Join(words, ", ")
}

// Equal reports whether two tables have the same name and columns.
func (t *Table) Equal(o *Table) bool { return t.Name == o.Name && slices.Equal(t.Columns, o.Columns) }

// Tables returns the tables of a schema version, each after those that it refers
// to. It leaves out the list of schema versions and the full-text index, whose form
// differs between the engines. It runs the migrations on a database in memory and
// reads the tables from that.
func Tables(version int) (tables []Table, err error) {
	steps, err := Steps()
	if err != nil {
		return nil, err
	}
	if version < 0 || version > len(steps) {
		return nil, fmt.Errorf("there is no schema version %d; this program knows %d", version, len(steps))
	}
	err = inModel(steps[:version], func(model *sqlite.Conn) error {
		tables, err = tablesOf(model)
		return err
	})
	return tables, err
}

func tablesOf(model *sqlite.Conn) ([]Table, error) {
	var tables []Table
	err := read(model, `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'
		AND name <> 'schema_versions' AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow') ORDER BY name`,
		nil, func(r *sqlite.Stmt) error {
			tables = append(tables, Table{Name: r.ColumnText(0)})
			return nil
		})
	if err != nil {
		return nil, err
	}
	parents := map[string][]string{}
	for i := range tables {
		t := &tables[i]
		if err := readColumns(model, t); err != nil {
			return nil, err
		}
		err := read(model, `SELECT DISTINCT "table" FROM pragma_foreign_key_list(?)`, []any{t.Name}, func(r *sqlite.Stmt) error {
			parents[t.Name] = append(parents[t.Name], r.ColumnText(0))
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return parentsFirst(tables, parents)
}

func readColumns(model *sqlite.Conn, t *Table) error {
	places := map[int]string{}
	err := read(model, `SELECT name, type, "notnull", pk FROM pragma_table_info(?)`, []any{t.Name}, func(r *sqlite.Stmt) error {
		c := Column{Name: r.ColumnText(0), Type: ColumnType(strings.ToLower(r.ColumnText(1))), Null: !r.ColumnBool(2)}
		switch c.Type {
		case TextColumn, UUIDColumn:
		case IntegerColumn, BooleanColumn, BytesColumn:
			if c.Null {
				return fmt.Errorf("table %s: column %s may be NULL, which only text and uuid columns may", t.Name, c.Name)
			}
		default:
			return fmt.Errorf("table %s: column %s has the type %s", t.Name, c.Name, c.Type)
		}
		t.Columns = append(t.Columns, c)
		if place := r.ColumnInt(3); place > 0 {
			places[place] = c.Name
		}
		return nil
	})
	for place := 1; place <= len(places); place++ {
		t.key = append(t.key, places[place])
	}
	if err == nil && len(t.key) == 0 {
		err = fmt.Errorf("table %s has no primary key", t.Name)
	}
	return err
}

// parentsFirst orders tables so that none comes before one that it refers to.
func parentsFirst(tables []Table, parents map[string][]string) ([]Table, error) {
	var ordered []Table
	done := map[string]bool{}
	for len(ordered) < len(tables) {
		before := len(ordered)
		for _, t := range tables {
			waits := slices.ContainsFunc(parents[t.Name], func(parent string) bool { return parent != t.Name && !done[parent] })
			if !done[t.Name] && !waits {
				done[t.Name] = true
				ordered = append(ordered, t)
			}
		}
		if len(ordered) == before {
			return nil, errors.New("tables refer to each other in a circle")
		}
	}
	return ordered, nil
}

func read(conn *sqlite.Conn, sql string, args []any, each func(*sqlite.Stmt) error) error {
	return sqlitex.ExecuteTransient(conn, sql, &sqlitex.ExecOptions{Args: args, ResultFunc: each})
}
