package store_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/store"
	"parley/internal/store/schema"
	"parley/internal/store/storetest"
)

// TestDumpHasNoTimeLimit sets every time limit of a database, and reads the limits
// that apply while all rows are read, while a store is filled, and while its schema
// changes.
func TestDumpHasNoTimeLimit(t *testing.T) {
	o := storetest.Postgres(t)
	r := rawOf(t, o)
	const limits = `FROM pg_settings WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`
	names := strings.Fields(r.text("SELECT string_agg(name, ' ') " + limits))
	for _, name := range names {
		r.exec("ALTER DATABASE " + r.text("SELECT current_database()::text") + " SET " + name + " = '77s'")
		o.Database += "&" + name + "=77s"
	}
	const lifted = `SELECT coalesce(string_agg(name, ', '), '') ` + limits + ` AND setting <> '0'`
	err := fillEmpty(t, o, &store.Filling{Settle: func(tx *store.Tx) error {
		left, err := tx.Text(lifted)
		if left != "" {
			t.Errorf("while a store is filled there are %s", left)
		}
		return err
	}})
	if err != nil {
		t.Fatal(err)
	}
	s := storetest.Open(t, o)
	err = s.Dump(t.Context(), func(d *store.Dump) error {
		left, err := d.Text(lifted)
		if left != "" {
			t.Errorf("while all rows are read there are %s", left)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	// The control: elsewhere the limits hold.
	err = s.View(t.Context(), func(v *store.View) error {
		n, err := v.Int("SELECT count(*) " + limits + " AND setting = '77000'")
		if n != len(names) {
			t.Errorf("%d limits hold elsewhere, want %d", n, len(names))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestDumpDoesNotSort reads rows of PostgreSQL that are stored in another order than
// that of their keys: they come as they are stored.
func TestDumpDoesNotSort(t *testing.T) {
	o := storetest.Postgres(t)
	if _, _, err := store.Migrate(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	s := storetest.Open(t, o)
	want := []parley.ID{{15: 3}, {15: 1}, {15: 2}}
	for _, id := range want {
		err := s.Write(t.Context(), parley.WorkspaceID(id), func(tx *store.Tx) error {
			return tx.InsertWorkspace(&parley.Workspace{ID: parley.WorkspaceID(id), Name: "x", Epoch: "e", CreatedAt: at(1)})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	tables, err := schema.Tables(1)
	if err != nil {
		t.Fatal(err)
	}
	workspaces := tables[slices.IndexFunc(tables, func(table schema.Table) bool { return table.Name == "workspaces" })]
	workspaces.Columns = workspaces.Columns[:1]
	var got []parley.ID
	err = s.Dump(t.Context(), func(d *store.Dump) error {
		return d.Rows(&workspaces, func(values []any) error {
			got = append(got, values[0].(parley.ID))
			return nil
		})
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("the rows are %v, %v, want %v", got, err, want)
	}
}

// TestDumpWhileMuchIsWritten writes a lot while all rows are read. If the log may not
// grow that far, the dump fails and the writes succeed. After a dump, the log restarts
// from its beginning.
func TestDumpWhileMuchIsWritten(t *testing.T) {
	o := storetest.MigratedSQLite(t)
	s := storetest.Open(t, o)
	ws, c := found(t, s)
	fill(t, s, ws, 600, func(tx *store.Tx, _ int) error { return post(ws, c.ID, "some")(tx) })
	tables, err := schema.Tables(1)
	if err != nil {
		t.Fatal(err)
	}
	messages := &tables[slices.IndexFunc(tables, func(table schema.Table) bool { return table.Name == "messages" })]
	messages.Columns = messages.Columns[:2]
	much := strings.Repeat("much ", 4000)
	dump := func() error {
		written := 0
		return s.Dump(t.Context(), func(d *store.Dump) error {
			return d.Rows(messages, func([]any) error {
				if written++; written > 100 {
					return nil
				}
				return s.Write(t.Context(), ws, post(ws, c.ID, much))
			})
		})
	}
	log := func() int64 {
		info, err := os.Stat(filepath.Join(o.Dir, store.FileName+"-wal"))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	s.SetMinDumpLog(0) // as large as the database
	if err := dump(); err == nil || !strings.Contains(err.Error(), "the write-ahead log grew to") {
		t.Errorf("without room: %v", err)
	}
	s.SetMinDumpLog(1 << 30)
	if err := dump(); err != nil {
		t.Errorf("with room: %v", err)
	}
	before := log()
	fill(t, s, ws, 50, func(tx *store.Tx, _ int) error { return post(ws, c.ID, much)(tx) })
	if got := log(); got > before {
		t.Errorf("after a dump the log grew from %d to %d bytes", before, got)
	}
}
