package store_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"parley"
	"parley/internal/desk"
	"parley/internal/erasure"
	"parley/internal/merging"
	"parley/internal/numbers"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// torture makes tests take their long form.
var torture = os.Getenv("PARLEY_TORTURE") != ""

// A table is one of a database, as it stands there.
type table struct {
	columns map[string]string // types by name
	rows    []map[string]string
}

// A database reads and writes tables past the store. Values are literals of its
// SQL.
type database interface {
	tables(t *testing.T) map[string]*table
	exec(sql string) error
	close()
}

// rawly opens the database of a store.
func rawly(t *testing.T, o store.Options) database {
	t.Helper()
	if o.Database == "" {
		conn, err := sqlite.OpenConn(filepath.Join(o.Dir, store.FileName), sqlite.OpenReadWrite)
		if err != nil {
			t.Fatal(err)
		}
		return embedded{conn}
	}
	conn, err := pgx.Connect(t.Context(), o.Database)
	if err != nil {
		t.Fatal(err)
	}
	return served{conn}
}

type embedded struct{ conn *sqlite.Conn }

func (e embedded) close() { _ = e.conn.Close() }

func (e embedded) exec(sql string) error { return sqlitex.ExecuteTransient(e.conn, sql, nil) }

func (e embedded) tables(t *testing.T) map[string]*table {
	t.Helper()
	all := map[string]*table{}
	query := func(sql string, each func(*sqlite.Stmt)) {
		t.Helper()
		err := sqlitex.ExecuteTransient(e.conn, sql, &sqlitex.ExecOptions{ResultFunc: func(s *sqlite.Stmt) error { each(s); return nil }})
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	query(`SELECT t.name, p.name, p.type FROM pragma_table_list t, pragma_table_info(t.name) p
		WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name <> 'schema_versions'`, func(s *sqlite.Stmt) {
		name := s.ColumnText(0)
		if all[name] == nil {
			all[name] = &table{columns: map[string]string{}}
		}
		all[name].columns[s.ColumnText(1)] = s.ColumnText(2)
	})
	for name, one := range all {
		columns := slices.Sorted(maps.Keys(one.columns))
		query("SELECT quote("+strings.Join(columns, "), quote(")+") FROM "+name, func(s *sqlite.Stmt) {
			row := map[string]string{}
			for i, column := range columns {
				row[column] = s.ColumnText(i)
			}
			one.rows = append(one.rows, row)
		})
	}
	return all
}

type served struct{ conn *pgx.Conn }

func (s served) close() { _ = s.conn.Close(context.Background()) }

func (s served) exec(sql string) error {
	_, err := s.conn.Exec(context.Background(), sql)
	return err
}

func (s served) tables(t *testing.T) map[string]*table {
	t.Helper()
	all := map[string]*table{}
	query := func(sql string, each func([]any)) {
		t.Helper()
		rows, err := s.conn.Query(t.Context(), sql)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		defer rows.Close()
		for rows.Next() {
			values, err := rows.Values()
			if err != nil {
				t.Fatalf("%s: %v", sql, err)
			}
			each(values)
		}
		if err := rows.Err(); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	query(`SELECT CAST(table_name AS text), CAST(column_name AS text), CAST(udt_name AS text) FROM information_schema.columns
		WHERE table_schema = current_schema() AND table_name <> 'schema_versions'`, func(v []any) {
		name := v[0].(string)
		if all[name] == nil {
			all[name] = &table{columns: map[string]string{}}
		}
		all[name].columns[v[1].(string)] = v[2].(string)
	})
	for name, one := range all {
		columns := slices.Sorted(maps.Keys(one.columns))
		query("SELECT quote_nullable(CAST("+strings.Join(columns, " AS text)), quote_nullable(CAST(")+" AS text)) FROM "+name, func(v []any) {
			row := map[string]string{}
			for i, column := range columns {
				row[column] = v[i].(string) + "::" + one.columns[column]
			}
			one.rows = append(one.rows, row)
		})
	}
	return all
}

// copyRows copies the rows of tables into a database whose tables may lack columns,
// and returns what it copied.
func copyRows(t *testing.T, to database, from map[string]*table) map[string]*table {
	t.Helper()
	copied := to.tables(t)
	var failed error
	for pending := slices.Sorted(maps.Keys(copied)); len(pending) > 0; {
		var later []string
		for _, name := range pending {
			if from[name] == nil {
				t.Fatalf("the table %s is gone", name)
			}
			one := copied[name]
			one.rows = nil
			columns := slices.Sorted(maps.Keys(one.columns))
			var values []string
			for _, row := range from[name].rows {
				literals, cut := make([]string, len(columns)), map[string]string{}
				for i, column := range columns {
					literals[i], cut[column] = row[column], row[column]
				}
				values = append(values, "("+strings.Join(literals, ", ")+")")
				one.rows = append(one.rows, cut)
			}
			if len(values) == 0 {
				continue
			}
			// What other rows refer to goes first; the database knows the order.
			if err := to.exec("INSERT INTO " + name + " (" + strings.Join(columns, ", ") + ") VALUES " + strings.Join(values, ", ")); err != nil {
				failed = err
				later = append(later, name)
			}
		}
		if len(later) == len(pending) {
			t.Fatalf("%v cannot be filled: %v", later, failed)
		}
		pending = later
	}
	return copied
}

// moved are the columns that migrations change, with the reason.
var moved = map[string]string{
	"contacts.phone_number": "numbers became E.164; TestPhonesBecomeE164 has each spelling",
	"contacts.phone_key":    "the same",
}

// lost returns what of some tables is not in others: tables, columns, and rows
// in which another column than those that may differ is different.
func lost(before, after map[string]*table, but map[string]string) (missing []string) {
	for name, one := range before {
		there := after[name]
		if there == nil {
			missing = append(missing, name)
			continue
		}
		for column := range one.columns {
			if there.columns[column] == "" {
				missing = append(missing, name+"."+column)
			}
		}
		columns := slices.DeleteFunc(slices.Sorted(maps.Keys(one.columns)), func(column string) bool { return but[name+"."+column] != "" })
		count := map[string]int{}
		line := func(row map[string]string) string {
			var b strings.Builder
			for _, column := range columns {
				fmt.Fprintf(&b, "%s=%s ", column, row[column])
			}
			return b.String()
		}
		for _, row := range there.rows {
			count[line(row)]++
		}
		for _, row := range one.rows {
			if text := line(row); count[text] == 0 {
				missing = append(missing, name+": "+text)
			} else {
				count[text]--
			}
		}
	}
	slices.Sort(missing)
	return missing
}

// rest fills the tables in which a world has no rows.
func rest(t *testing.T, s *store.Store, w *world) {
	t.Helper()
	if err := s.KeepMasterKey(t.Context(), "fingerprint", ""); err != nil {
		t.Fatal(err)
	}
	other := parley.Contact{ID: ids.New(at(9)), Name: odd, CreatedAt: at(9), UpdatedAt: at(9), LastActivityAt: at(9)}
	pair := parley.ContactDuplicate{ID: ids.New(at(9)), Contact: w.conversation.Contact, Other: parley.ContactRef{ID: other.ID}, Email: odd, CreatedAt: at(9)}
	write(t, s, w.ws, func(tx *store.Tx) error {
		return errors.Join(
			tx.InsertContact(w.ws, &other),
			merging.InsertDuplicate(tx, w.ws, &pair),
			tx.Exec("INSERT INTO writers (writer_id, commits, seen_at) VALUES ($1, 7, 8)", ids.New(at(1))),
			tx.Exec("INSERT INTO backup_schedules (name, every, planned_at, done_at, took, bytes, failures) VALUES ('backup', 6, 7, 8, 9, 10, 11)"),
			tx.Exec(`INSERT INTO erasures (workspace_id, erasure_id, kind, subject_id, subjects, asked_by, step, working, counts, created_at, finished_at)
				VALUES ($1, $2, 'contact', $3, '{}', '', '', '', '{}', 9, 9)`, parley.ID(w.ws), ids.New(at(9)), other.ID),
			tx.Exec("INSERT INTO conversation_merges (workspace_id, conversation_id, into_id, member_id, merged_at, undo) VALUES ($1, $2, $3, '', 9, '{}')",
				parley.ID(w.ws), w.conversation.ID, ids.New(at(9))),
			runningErasure(tx, w, "log"), runningErasure(tx, w, "answers"),
			tx.Exec("INSERT INTO retention_rules (workspace_id, inbox_id, days, clock_at, looked_at) VALUES ($1, $2, 30, 9, 9)", parley.ID(w.ws), w.inbox.ID),
			// Only programs from before wrote this one.
			tx.Exec(`INSERT INTO search_positions (workspace_id, step, version, epoch, seq, stage) VALUES ($1, 2, 3, 'e', 1, '')`, parley.ID(w.ws)),
		)
	})
}

// runningErasure inserts one that a program before schema 24 carries out. It is in a step
// that reads the log or the stored answers, and a restore brought it.
func runningErasure(tx *store.Tx, w *world, step string) error {
	id := ids.New(at(9))
	return tx.Exec(`INSERT INTO erasures (workspace_id, erasure_id, kind, subject_id, subjects, asked_by, step, working, counts, created_at, finished_at)
		VALUES ($1, $2, 'conversation', $3, $4, '', $5, '{"repeated":true,"seq":1,"last":1,"route":"r","key":"k"}', '{}', 9, 0)`,
		parley.ID(w.ws), id, id, `{"contacts":[],"conversations":["`+id.String()+`"]}`, step)
}

// TestUpgrades makes a store of each schema, with rows in every table, migrates
// it and is interrupted at some of its statements, or at each of them in the long form.
// Each time the store is what it was. At last it is migrated, has every row, and
// the program reads everything.
func TestUpgrades(t *testing.T) {
	_, newest, err := store.MigrationStatus(t.Context(), storetest.SQLite(t))
	if err != nil {
		t.Fatal(err)
	}
	empty(t, func(t *testing.T, o store.Options) {
		if _, _, err := store.Migrate(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		worlds := []*world{newWorld(odd, true), newWorld("x", false)}
		s, err := store.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range worlds {
			w.insert(t, s)
		}
		rest(t, s, worlds[0])
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		raw := rawly(t, o)
		full := raw.tables(t)
		raw.close()
		for name, one := range full {
			if len(one.rows) == 0 {
				t.Errorf("the table %s is empty", name)
			}
		}
		grows := storetest.SQLite(t) // from version to version
		if o.Database != "" {
			grows = storetest.Postgres(t)
		}
		pace := 1
		switch {
		case testing.Short():
			pace = 7 // nothing runs side by side here, which is what that form looks for
		case o.Database != "" && !torture:
			pace = 3 // the statements are those of SQLite, on which every schema is upgraded
		}
		// The last one is the schema before the newest.
		for version := 1 + (newest-2)%pace; version < newest; version += pace {
			if err := store.MigrateTo(t.Context(), grows, version); err != nil {
				t.Fatal(err)
			}
			t.Run(fmt.Sprintf("from %d", version), func(t *testing.T) {
				upgrade{t: t, o: storetest.Copy(t, grows), version: version, newest: newest}.run(full, worlds)
			})
		}
	})
}

// An upgrade is that of a store from one version to the newest.
type upgrade struct {
	t               *testing.T
	o               store.Options
	version, newest int
}

func (u upgrade) run(full map[string]*table, worlds []*world) {
	u.t.Helper()
	raw := rawly(u.t, u.o)
	before := copyRows(u.t, raw, full)
	raw.close()
	interruptions, pace := 0, 1
	if !torture {
		pace = 97               // a few, other ones for each version
		u.interrupt(before, -1) // before the commit
	}
	for n := u.version % pace; u.interrupt(before, n); n += pace {
		interruptions++
	}
	from, to, err := store.Migrate(u.t.Context(), u.o)
	if from != u.version || to != u.newest || err != nil {
		u.t.Fatalf("Migrate gave %d, %d, %v", from, to, err)
	}
	raw = rawly(u.t, u.o)
	for _, line := range lost(before, raw.tables(u.t), moved) {
		u.t.Errorf("lost: %.400s", line)
	}
	raw.close()
	s := storetest.Open(u.t, u.o)
	for _, w := range worlds {
		view(u.t, s, func(v *store.View) error {
			for method, read := range reads(w) {
				if _, err := read.call(v, w.ws); err != nil && parley.KindOf(err) != parley.NotFound {
					u.t.Errorf("%s: %v", method, err)
				}
			}
			return nil
		})
	}
	if u.version >= erasure.FirstSchema {
		u.finishErasures(s, worlds[0].ws)
	}
	u.t.Logf("%d interruptions", interruptions)
}

// finishErasures lets the program carry out the erasures that the one before had begun.
// It deletes rows before whose odd texts no program writes.
func (u upgrade) finishErasures(s *store.Store, ws parley.WorkspaceID) {
	u.t.Helper()
	write(u.t, s, ws, func(tx *store.Tx) error {
		return errors.Join(store.Exec(tx, ws, "DELETE FROM events WHERE workspace_id = $1"), store.Exec(tx, ws, "DELETE FROM group_requests WHERE workspace_id = $1"))
	})
	d := desk.New(desk.Options{Store: s, Clock: func() time.Time { return at(99) }, IDs: ids, Log: storetest.Quiet()})
	kept := func(time.Time, time.Duration) time.Time { return time.Time{} }
	if err := erasure.New(d, numbers.New(numbers.Options{Desk: d}), kept).FinishRepeated(u.t.Context()); err != nil {
		u.t.Errorf("an erasure that the program before had begun does not go on: %v", err)
	}
}

// interrupt interrupts a migration at a statement and checks that the store is as
// before, also as a process leaves it that is killed there. It returns false if
// there is no such statement.
func (u upgrade) interrupt(before map[string]*table, n int) bool {
	u.t.Helper()
	killed := u.o
	interrupted, err := store.MigrateInterrupted(u.t.Context(), u.o, n, func() {
		killed.Dir = filepath.Join(u.t.TempDir(), "killed")
		if err := os.CopyFS(killed.Dir, os.DirFS(u.o.Dir)); err != nil {
			u.t.Fatal(err)
		}
		_ = os.Remove(filepath.Join(killed.Dir, store.FileName+"-shm")) // it is memory
	})
	if err != nil {
		u.t.Fatal(err)
	}
	if !interrupted {
		return false
	}
	left := []store.Options{u.o}
	if u.o.Database == "" {
		left = append(left, killed)
	}
	for _, o := range left {
		if version, _, err := store.MigrationStatus(u.t.Context(), o); version != u.version || err != nil {
			u.t.Errorf("interrupted at statement %d, the store has version %d, %v", n, version, err)
		}
		raw := rawly(u.t, o)
		after := raw.tables(u.t)
		raw.close()
		if len(after) != len(before) || len(lost(before, after, nil)) > 0 || len(lost(after, before, nil)) > 0 {
			u.t.Errorf("interrupted at statement %d, the store has changed", n)
		}
	}
	return true
}

// TestUpgradesAreCompared harms a store in ways that the comparison of
// TestUpgrades must find.
func TestUpgradesAreCompared(t *testing.T) {
	storetest.Both(t, func(t *testing.T, o store.Options) {
		s, err := store.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		newWorld(odd, true).insert(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		raw := rawly(t, o)
		defer raw.close()
		before := raw.tables(t)
		if missing := lost(before, raw.tables(t), nil); len(missing) > 0 {
			t.Fatalf("an unchanged store lost %q", missing)
		}
		for _, harm := range []string{
			"UPDATE contacts SET phone_number = '1'", "UPDATE messages SET content = content || ' '", "DELETE FROM number_spend", "DROP TABLE sandbox_groups",
			"ALTER TABLE writers DROP COLUMN seen_at",
		} {
			count := len(lost(before, raw.tables(t), nil))
			if err := raw.exec(harm); err != nil {
				t.Fatal(err)
			}
			if len(lost(before, raw.tables(t), nil)) <= count {
				t.Errorf("nobody notices: %s", harm)
			}
		}
	})
}
