package schema

import (
	"slices"
	"strconv"
	"strings"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// What SQLite's planner is told about every store (ADR 79): a table has a million
// rows, all of one workspace. Otherwise it assumes that a workspace has ten rows, and
// reads all of them although an index leads to the one in question. The figures are
// the same in all stores, so that plans do not change with the data.
const (
	plannedRows = 1_000_000
	plannedSame = 10 // rows with the same value of a column that plannedValues does not name
	plannedPart = 10 // a partial index has one row in this many
)

// plannedValues returns the number of values of each column that has few.
func plannedValues() map[string]int {
	return map[string]int{
		"workspace_id": 1, "status": 3, "kind": 4, "priority": 4, "dimension": 5, "budget": 5, "kid": 5, "language": 5, "number_id": 10,
		"assignee_id": 30, "host": 30, "inbox_id": 30, "label": 30, "member_id": 30, "product_id": 30, "team_id": 30,
	}
}

// A plannedIndex is a row of sqlite_stat1.
type plannedIndex struct{ table, name, stat string }

const selectIndexes = `SELECT t.name, CASE WHEN i.origin = 'pk' AND t.wr THEN t.name ELSE i.name END, i."unique", i.partial,
		(SELECT group_concat(c.name) FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno) c)
	FROM pragma_table_list t, pragma_index_list(t.name) i
	WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%'
	ORDER BY 1, 2`

// InstructPlanner writes the statistics of all indexes, unless they are already
// right. It runs in the transaction that changed the schema; connections that are
// opened later read them.
func InstructPlanner(conn *sqlite.Conn) error {
	var want, have []plannedIndex
	err := read(conn, selectIndexes, nil, func(r *sqlite.Stmt) error {
		stat := plannedStat(strings.Split(r.ColumnText(4), ","), r.ColumnBool(2), r.ColumnBool(3))
		want = append(want, plannedIndex{r.ColumnText(0), r.ColumnText(1), stat})
		return nil
	})
	if err != nil {
		return err
	}
	// This creates the table without measuring anything.
	if err := Execute(conn, "ANALYZE sqlite_schema"); err != nil {
		return err
	}
	err = read(conn, "SELECT tbl, COALESCE(idx, ''), stat FROM sqlite_stat1 ORDER BY 1, 2", nil, func(r *sqlite.Stmt) error {
		have = append(have, plannedIndex{r.ColumnText(0), r.ColumnText(1), r.ColumnText(2)})
		return nil
	})
	if err != nil || slices.Equal(want, have) {
		return err
	}
	if err := Execute(conn, "DELETE FROM sqlite_stat1"); err != nil {
		return err
	}
	for _, x := range want {
		args := &sqlitex.ExecOptions{Args: []any{x.table, x.name, x.stat}}
		if err := sqlitex.ExecuteTransient(conn, "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)", args); err != nil {
			return err
		}
	}
	return Execute(conn, "ANALYZE sqlite_schema")
}

// plannedStat returns the statistics of an index: its rows, and how many of them
// share the values of its first column, of its first two, and so on. SQLite must not
// skip over workspaces: a statement that names none has an index without them.
func plannedStat(columns []string, unique, partial bool) string {
	rows := plannedRows
	if partial {
		rows /= plannedPart
	}
	numbers := []string{strconv.Itoa(rows)}
	values := plannedValues()
	for i, column := range columns {
		switch n := values[column]; {
		case unique && i == len(columns)-1:
			rows = 1
		case n > 0:
			rows = max(rows/n, plannedSame)
		default:
			rows = plannedSame
		}
		numbers = append(numbers, strconv.Itoa(rows))
	}
	return strings.Join(numbers, " ") + " noskipscan"
}
