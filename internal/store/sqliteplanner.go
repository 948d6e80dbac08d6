package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
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
		"workspace_id": 1, "status": 3, "kind": 4, "dimension": 5, "budget": 5, "kid": 5, "language": 5, "number_id": 10,
		"assignee_id": 30, "host": 30, "inbox_id": 30, "label": 30, "member_id": 30, "product_id": 30,
	}
}

// A plannedIndex is a row of sqlite_stat1.
type plannedIndex struct{ table, name, stat string }

const selectIndexes = `SELECT t.name, CASE WHEN i.origin = 'pk' AND t.wr THEN t.name ELSE i.name END, i."unique", i.partial,
		(SELECT group_concat(c.name) FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno) c)
	FROM pragma_table_list t, pragma_index_list(t.name) i
	WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%'
	ORDER BY 1, 2`

// instructPlanner writes the statistics of all indexes, unless they are already
// right. It runs in the transaction that changed the schema; connections that are
// opened later read them.
func instructPlanner(ctx context.Context, s session) error {
	var want, have []plannedIndex
	err := s.query(ctx, selectIndexes, nil, func(r row) error {
		var x plannedIndex
		var unique, partial int
		var columns string
		err := r.scan(&x.table, &x.name, &unique, &partial, &columns)
		x.stat = plannedStat(strings.Split(columns, ","), unique == 1, partial == 1)
		want = append(want, x)
		return err
	})
	if err != nil {
		return err
	}
	// This creates the table without measuring anything.
	if err := s.exec(ctx, "ANALYZE sqlite_schema", nil); err != nil {
		return err
	}
	err = s.query(ctx, "SELECT tbl, COALESCE(idx, ''), stat FROM sqlite_stat1 ORDER BY 1, 2", nil, func(r row) error {
		var x plannedIndex
		err := r.scan(&x.table, &x.name, &x.stat)
		have = append(have, x)
		return err
	})
	if err != nil || slices.Equal(want, have) {
		return err
	}
	if err := s.exec(ctx, "DELETE FROM sqlite_stat1", nil); err != nil {
		return err
	}
	for _, x := range want {
		if err := s.exec(ctx, "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ($1, $2, $3)", []any{x.table, x.name, x.stat}); err != nil {
			return err
		}
	}
	return s.exec(ctx, "ANALYZE sqlite_schema", nil)
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
