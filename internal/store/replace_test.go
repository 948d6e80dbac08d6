package store_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"parley"
	"parley/internal/store"
	"parley/internal/store/schema"
	"parley/internal/store/storetest"
)

// fillEmpty creates a store without rows.
func fillEmpty(t *testing.T, o store.Options, f *store.Filling) error {
	t.Helper()
	latest, err := schema.Latest()
	if err != nil {
		t.Fatal(err)
	}
	f.Version = latest
	if f.Rows == nil {
		f.Rows = func(*store.Load) error { return nil }
	}
	if f.Settle == nil {
		f.Settle = func(*store.Tx) error { return nil }
	}
	return store.Fill(t.Context(), o, f)
}

// A rawDatabase is a connection of another program.
type rawDatabase struct {
	t    *testing.T
	conn *pgx.Conn
}

func rawOf(t *testing.T, o store.Options) rawDatabase {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), o.Database)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return rawDatabase{t, conn}
}

func (r rawDatabase) exec(sql string) {
	r.t.Helper()
	if _, err := r.conn.Exec(r.t.Context(), sql); err != nil {
		r.t.Fatal(err)
	}
}

func (r rawDatabase) text(sql string) (text string) {
	r.t.Helper()
	if err := r.conn.QueryRow(r.t.Context(), sql).Scan(&text); err != nil {
		r.t.Fatal(err)
	}
	return text
}

// everything describes the tables of a database, and how many rows some have.
func (r rawDatabase) everything() string {
	return r.text(`SELECT coalesce(string_agg(n.nspname || '.' || c.relname || ' ' ||
		(xpath('/row/n/text()', query_to_xml(format('SELECT count(*) AS n FROM %I.%I', n.nspname, c.relname), false, true, '')))[1]::text, ', ' ORDER BY 1), '')
		FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')`)
}

// TestFillLeavesTablesOfOthers fills databases whose tables have the names of a
// store's, but were created by another program: they do not change, even with Replace.
func TestFillLeavesTablesOfOthers(t *testing.T) {
	const foreign = "CREATE TABLE %s (x int); INSERT INTO %[1]s VALUES (1);"
	for name, c := range map[string]struct {
		there    func(t *testing.T, o store.Options, r rawDatabase)
		want     string // in the error
		replaces bool   // only with Replace
	}{
		"a shop and a bot": {there: func(_ *testing.T, _ store.Options, r rawDatabase) {
			r.exec(fmt.Sprintf(foreign, "products") + fmt.Sprintf(foreign, "whatsmeow_device") + "CREATE VIEW shown AS SELECT * FROM products")
		}, want: "the table products in the database belongs to another program"},
		"workspaces of another program": {there: func(_ *testing.T, _ store.Options, r rawDatabase) {
			r.exec(fmt.Sprintf(foreign, "workspaces"))
		}, want: "the table workspaces in the database belongs to another program"},
		"versions of another program": {there: func(_ *testing.T, _ store.Options, r rawDatabase) {
			r.exec("CREATE TABLE schema_versions (version bigint, name text); INSERT INTO schema_versions VALUES (1, 'x');" + fmt.Sprintf(foreign, "contacts"))
		}, want: "the table contacts in the database belongs to another program"},
		"versions alone, of another program": {there: func(_ *testing.T, _ store.Options, r rawDatabase) {
			r.exec("CREATE TABLE schema_versions (version bigint, name text); INSERT INTO schema_versions VALUES (1, 'x')")
		}, want: "schema_versions"},
		"versions that a failed migration left, and a shop": {there: func(t *testing.T, o store.Options, r rawDatabase) {
			migrated(t, o)
			r.exec("DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE schema_versions (version bigint PRIMARY KEY, applied_at bigint, hash text, compatible boolean);" +
				fmt.Sprintf(foreign, "products"))
		}, want: "the table products in the database belongs to another program"},
		"a fork": {there: func(t *testing.T, o store.Options, r rawDatabase) {
			migrated(t, o)
			r.exec("UPDATE schema_versions SET hash = 'x' WHERE version = 3")
		}, want: "another history than this program"},
		"a store of a newer program": {there: func(t *testing.T, o store.Options, r rawDatabase) {
			if _, _, err := store.MigrateWith(t.Context(), o, newerStep("1")); err != nil {
				t.Fatal(err)
			}
		}, want: "use a newer program"},
		"a table that the store does not have yet": {there: func(t *testing.T, o store.Options, r rawDatabase) {
			if err := store.MigrateTo(t.Context(), o, 20); err != nil {
				t.Fatal(err)
			}
			r.exec(fmt.Sprintf(foreign, "backup_schedules"))
		}, want: "backup_schedules"},
		"a store": {there: func(t *testing.T, o store.Options, r rawDatabase) {
			migrated(t, o)
			found(t, storetest.Open(t, o))
		}, want: "the database already has a store of 1 workspaces; --replace moves it aside", replaces: true},
	} {
		t.Run(name, func(t *testing.T) {
			o := storetest.Postgres(t)
			r := rawOf(t, o)
			c.there(t, o, r)
			before := r.everything()
			for _, replace := range []bool{false, true} {
				err := fillEmpty(t, o, &store.Filling{Replace: replace})
				if replace && c.replaces {
					if err != nil {
						t.Error(err)
					}
					break
				}
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("the error is %v, want %q", err, c.want)
				}
				if got := r.everything(); got != before {
					t.Errorf("there is %s, want %s", got, before)
				}
			}
		})
	}
}

// TestFillBesideOthers fills databases that other programs use too: the store that it
// replaces is moved aside, with the keys of its numbers, and their tables stay.
func TestFillBesideOthers(t *testing.T) {
	o := storetest.Postgres(t)
	r := rawOf(t, o)
	r.exec(`CREATE TABLE shop (x int); INSERT INTO shop VALUES (1); CREATE TABLE whatsmeow_device (x int); INSERT INTO whatsmeow_device VALUES (1);
		CREATE TABLE schema_versions (version bigint NOT NULL PRIMARY KEY, applied_at bigint NOT NULL, hash text NOT NULL, compatible boolean NOT NULL)`)
	var first, second store.Filling
	if err := fillEmpty(t, o, &first); err != nil || first.Aside != "" {
		t.Errorf("into a database without a store: %v, %q", err, first.Aside)
	}
	if err := fillEmpty(t, o, &second); err != nil || second.Aside == "" {
		t.Fatalf("into a store without workspaces: %v, %q", err, second.Aside)
	}
	for _, table := range []string{"public.shop", second.Aside + ".whatsmeow_device"} {
		if got := r.text("SELECT count(*)::text FROM " + table); got != "1" {
			t.Errorf("%s has %s rows", table, got)
		}
	}
	storetest.Open(t, o)
	if left := r.text("SELECT count(*)::text FROM information_schema.tables WHERE table_schema = '" + second.Aside + "' AND table_name = 'shop'"); left != "0" {
		t.Error("the table of another program is aside")
	}
}

// TestFillSeesServers fills a database while a server with an unusual connection name
// uses it, and while only other programs do: the first is refused until the server ends.
func TestFillSeesServers(t *testing.T) {
	o := storetest.Postgres(t)
	migrated(t, o)
	idle := o
	idle.Database += "&pool_min_conns=2"
	other := o
	rawOf(t, o).exec("CREATE SCHEMA other")
	other.Database += "&search_path=other"
	migrated(t, other)
	// Neither an open store without a server nor a server on another schema matters.
	storetest.Open(t, o)
	endOther := listening(t, other)
	defer endOther()
	if err := fillEmpty(t, idle, &store.Filling{}); err != nil {
		t.Errorf("without a server: %v", err)
	}
	named := o
	named.Database += "&application_name=x"
	end := listening(t, named)
	if err := fillEmpty(t, idle, &store.Filling{Replace: true}); parley.KindOf(err) != parley.Conflict || !strings.Contains(err.Error(), "a server uses the database") {
		t.Errorf("with a server: %v", err)
	}
	end()
	rawOf(t, o).exec("DO $$ BEGIN WHILE EXISTS (SELECT 1 FROM pg_stat_activity WHERE application_name = 'x' AND datname = current_database()) LOOP PERFORM pg_sleep(0.01); PERFORM pg_stat_clear_snapshot(); END LOOP; END $$")
	again := store.Filling{Replace: true}
	rawOf(t, o).exec("DO $$ DECLARE s text; BEGIN FOR s IN SELECT nspname FROM pg_namespace WHERE nspname LIKE 'parley_before%' LOOP EXECUTE 'DROP SCHEMA ' || s || ' CASCADE'; END LOOP; END $$")
	if err := fillEmpty(t, o, &again); err != nil {
		t.Errorf("after the server: %v", err)
	}
}

// listening listens to other nodes, as a server does, and returns once it can hear
// them. The returned function ends that.
func listening(t *testing.T, o store.Options) (end func()) {
	t.Helper()
	s, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	heard, ended := make(chan string, 1), make(chan struct{})
	go func() {
		defer close(ended)
		_ = s.Listen(ctx, func(text string) { // ends with the context
			select {
			case heard <- text:
			default:
			}
		})
	}()
	for hears := false; !hears; {
		if err := s.Tell(ctx, "x"); err != nil {
			t.Fatal(err)
		}
		select {
		case <-heard:
			hears = true
		default:
		}
	}
	return func() {
		cancel()
		<-ended
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestKeysLeftAreDeleted starts a server after a restore that died with the keys of
// numbers in a schema of their own, and during one that is still running.
func TestKeysLeftAreDeleted(t *testing.T) {
	o := storetest.Postgres(t)
	migrated(t, o)
	r := rawOf(t, o)
	left := func() string {
		return r.text("SELECT count(*)::text FROM information_schema.tables WHERE table_schema = '" + store.KeysSchema + "'")
	}
	leave := "CREATE SCHEMA " + store.KeysSchema + "; CREATE TABLE " + store.KeysSchema + ".whatsmeow_device (x int)"
	r.exec(leave)
	migrated(t, o)
	if got := left(); got != "0" {
		t.Errorf("%s tables with keys are left", got)
	}
	err := fillEmpty(t, o, &store.Filling{Rows: func(*store.Load) error {
		r.exec(leave)
		other := o
		other.Database += "&search_path=other"
		r.exec("CREATE SCHEMA other")
		migrated(t, other)
		if got := left(); got != "1" {
			t.Errorf("%s tables of a restore that runs are left", got)
		}
		return nil
	}, Adopt: true})
	if err != nil {
		t.Error(err)
	}
	if got := r.text("SELECT coalesce(to_regclass('public.whatsmeow_device')::text, 'nowhere')"); got != "whatsmeow_device" {
		t.Errorf("the keys of the restore are %s", got)
	}
}
