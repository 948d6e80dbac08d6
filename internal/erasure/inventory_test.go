package erasure_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"parley/internal/erasure"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// textColumns returns the columns of the schema that hold texts or bytes, by table. The
// tables of the search index count as one.
func textColumns(t *testing.T) map[string][]string {
	t.Helper()
	conn, err := sqlite.OpenConn(storetest.MigratedSQLite(t).Dir+"/"+store.FileName, sqlite.OpenReadOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	found := map[string][]string{}
	const sql = `SELECT t.name, c.name, upper(c.type) FROM pragma_table_list t, pragma_table_info(t.name) c
		WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE 'search_words%'`
	err = sqlitex.ExecuteTransient(conn, sql, &sqlitex.ExecOptions{ResultFunc: func(r *sqlite.Stmt) error {
		table, column, kind := r.ColumnText(0), r.ColumnText(1), r.ColumnText(2)
		columns := found[table]
		switch kind {
		case "UUID", "BIGINT", "BOOLEAN", "INTEGER":
		default:
			columns = append(columns, column)
		}
		found[table] = columns
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	found["search_words"] = []string{"kind", "words"}
	return found
}

// TestInventoryIsComplete fails if a table or a text column is not classified: say in
// inventory.go whose data it holds and what an erasure does with it, and let an
// erasure do it.
func TestInventoryIsComplete(t *testing.T) {
	schema := textColumns(t)
	for _, table := range erasure.Inventory() {
		columns, ok := schema[table.Name]
		if !ok {
			t.Errorf("there is no table %s", table.Name)
			continue
		}
		delete(schema, table.Name)
		slices.Sort(columns)
		if named := slices.Sorted(maps.Keys(table.Texts)); !slices.Equal(named, columns) {
			t.Errorf("%s has the text columns %v, and the inventory names %v", table.Name, columns, named)
		}
		person := slices.Contains(slices.Collect(maps.Values(table.Texts)), erasure.OfPerson)
		if person && table.Fate == erasure.Unrelated {
			t.Errorf("%s holds data of persons, and an erasure leaves it", table.Name)
		}
	}
	if len(schema) > 0 {
		t.Errorf("not in the inventory: %s", strings.Join(slices.Sorted(maps.Keys(schema)), ", "))
	}
}
