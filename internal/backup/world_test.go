package backup_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"parley"
	"parley/internal/backup"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/store/schema"
	"parley/internal/store/storetest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// torture asks for the long form of tests.
var torture = os.Getenv("PARLEY_TORTURE") != ""

// pace is how far tests go from one of many equal cases to the next. The short form,
// which looks for data races, sees in every tenth what it sees in all.
func pace() int {
	if testing.Short() {
		return 10
	}
	return 1
}

// tables are those of the latest schema. To find them, the store runs all migrations.
var tables = sync.OnceValues(func() ([]schema.Table, error) {
	latest, err := schema.Latest()
	if err != nil {
		return nil, err
	}
	return schema.Tables(latest)
})

// contents are those of tables that a backup of a store contains, whose schema must be
// the latest.
func contents(d *store.Dump) ([]schema.Table, error) {
	all, err := latestContents()
	if latest, failed := schema.Latest(); failed != nil || d.Version() != latest {
		err = errors.Join(err, failed, fmt.Errorf("the store has version %d", d.Version()))
	}
	return all, err
}

var latestContents = sync.OnceValues(func() ([]schema.Table, error) {
	latest, err := schema.Latest()
	if err != nil {
		return nil, err
	}
	return backup.Contents(latest)
})

// made is the moment at which the tests' backups are made.
var made = time.Date(2026, 12, 1, 3, 0, 0, 0, time.UTC)

// memory keeps files in memory.
type memory struct {
	mu    sync.Mutex
	files map[string][]byte
}

func newMemory() *memory { return &memory{files: map[string][]byte{}} }

func (m *memory) Put(_ context.Context, ws parley.WorkspaceID, id parley.ID, content io.Reader) error {
	b, err := io.ReadAll(content)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[ws.String()+id.String()] = b
	return err
}

type opened struct{ *bytes.Reader }

func (opened) Close() error { return nil }

func (m *memory) Open(_ context.Context, ws parley.WorkspaceID, id parley.ID) (io.ReadSeekCloser, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b, ok := m.files[ws.String()+id.String()]
	if !ok {
		return nil, parley.NotFoundf("the file is not there any more")
	}
	return opened{bytes.NewReader(b)}, nil
}

func (m *memory) Delete(_ context.Context, ws parley.WorkspaceID, id parley.ID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.files, ws.String()+id.String())
	return nil
}

// engines are the options of an empty store of each engine.
var engines = map[string]func(testing.TB) store.Options{"sqlite": storetest.SQLite, "postgres": storetest.Postgres}

// rowsOfEach is how many rows a generated store has in each table.
const rowsOfEach = 4

// A source is a store in which every table has rows, whatever tables there are,
// with values that are hard to carry over.
type source struct {
	options store.Options
	store   *store.Store
	files   *memory
	rows    map[string][][]any // by table
}

// newSource generates a store on an engine.
func newSource(t *testing.T, engine string, random *rand.Rand) *source {
	t.Helper()
	s := &source{options: engines[engine](t), files: newMemory(), rows: map[string][][]any{}}
	latest, err := schema.Latest()
	if err != nil {
		t.Fatal(err)
	}
	tables, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	references := readReferences(t)
	err = store.Fill(t.Context(), s.options, &store.Filling{
		Version: latest,
		Rows: func(load *store.Load) error {
			for i := range tables {
				s.generate(tables, i, references[tables[i].Name], random)
				if err := load.Rows(&tables[i], sequence(s.rows[tables[i].Name])); err != nil {
					return err
				}
			}
			return nil
		},
		Settle: func(*store.Tx) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	s.store = storetest.Open(t, s.options)
	return s
}

func sequence(rows [][]any) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}
}

// A reference says that a column has the value of a parent's column.
type reference struct{ table, column string }

// readReferences returns the foreign keys of the schema, by table and column.
func readReferences(t *testing.T) map[string]map[string]reference {
	t.Helper()
	o := storetest.MigratedSQLite(t)
	conn, err := sqlite.OpenConn(o.Dir+"/"+store.FileName, sqlite.OpenReadOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	found := map[string]map[string]reference{}
	const sql = `SELECT t.name, f."from", f."table", f."to" FROM pragma_table_list t, pragma_foreign_key_list(t.name) f WHERE t.type = 'table'`
	err = sqlitex.ExecuteTransient(conn, sql, &sqlitex.ExecOptions{ResultFunc: func(r *sqlite.Stmt) error {
		table := r.ColumnText(0)
		if found[table] == nil {
			found[table] = map[string]reference{}
		}
		found[table][r.ColumnText(1)] = reference{r.ColumnText(2), r.ColumnText(3)}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// fingerprints are those of the master keys that a generated store records: a key,
// and one that takes over from it.
var fingerprints = []string{"0123456789abcdef", "fedcba9876543210"}

// generate makes the rows of a table. Row n refers to row n of other tables.
func (s *source) generate(tables []schema.Table, at int, references map[string]reference, random *rand.Rand) {
	t := &tables[at]
	for n := range rowsOfEach {
		row := make([]any, len(t.Columns))
		for i, c := range t.Columns {
			parent, refers := references[c.Name]
			switch {
			case c.Name == "workspace_id":
				row[i] = parley.ID{15: byte(n + 1)}
			case refers && parent.table != t.Name:
				of := slices.IndexFunc(tables, func(p schema.Table) bool { return p.Name == parent.table })
				row[i] = s.rows[parent.table][n][tables[of].Column(parent.column)]
			case c.Null && n == 1:
			default:
				row[i] = randomValue(c, random, n)
			}
		}
		if t.Name == "installation" && n < 2 {
			row[t.Column("name")], row[t.Column("value")] = []string{"master key", "next master key"}[n], fingerprints[n]
		}
		s.rows[t.Name] = append(s.rows[t.Name], row)
	}
	if id := map[string]string{"attachments": "attachment_id", "article_pictures": "picture_id"}[t.Name]; id != "" {
		s.makeFiles(t, id, random)
	}
}

// makeFiles stores the files of the rows of a table that are stored, by the column of
// the file's id.
func (s *source) makeFiles(t *schema.Table, column string, random *rand.Rand) {
	ws, id, size, stored := t.Column("workspace_id"), t.Column(column), t.Column("size"), t.Column("stored")
	for n, row := range s.rows[t.Name] {
		content := make([]byte, n*random.IntN(5000))
		for i := range content {
			content[i] = byte(random.Uint32())
		}
		row[size], row[stored] = int64(len(content)), n != 2
		if n != 2 {
			_ = s.files.Put(context.Background(), parley.WorkspaceID(row[ws].(parley.ID)), row[id].(parley.ID), bytes.NewReader(content))
		}
	}
}

// hardTexts are texts that a careless format changes.
var hardTexts = []string{
	"", " leading and trailing ", "quotes \" ' ` and \\ backslashes \\n", "line\nfeeds\r\nand\ttabs\v\x01\x1f\x7f", "grüße 北京 مرحبا 🎈 e\u0301",
	"\u2028\u2029\ufeff\ufffd", "null", "{\"json\":[1,2]}", "$1 ? %s <b>&amp;</b>", strings.Repeat("long ", 3000), "\\x00\\u0000",
}

func randomValue(c schema.Column, random *rand.Rand, n int) any {
	switch c.Type {
	case schema.UUIDColumn:
		var id parley.ID
		for i := range id {
			id[i] = byte(random.Uint32())
		}
		return id
	case schema.IntegerColumn:
		return []int64{0, math.MaxInt64 - 1, math.MinInt64, int64(random.Uint64()), 1_790_000_000_000}[random.IntN(5)]
	case schema.BooleanColumn:
		return random.IntN(2) == 0
	case schema.BytesColumn:
		b := make([]byte, random.IntN(200))
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		return b
	default:
		// The number keeps unique columns unique.
		return fmt.Sprintf("%s %d %d", hardTexts[random.IntN(len(hardTexts))], n, random.Uint64())
	}
}

// dump reads all tables of a store that a backup holds, and sorts their rows.
func dump(t *testing.T, s *store.Store) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := s.Dump(t.Context(), func(d *store.Dump) error {
		tables, err := contents(d)
		if err != nil {
			return err
		}
		for i := range tables {
			err := d.Rows(&tables[i], func(values []any) error {
				found[tables[i].Name] = append(found[tables[i].Name], fmt.Sprintf("%q", values))
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, rows := range found {
		slices.Sort(rows)
	}
	return found
}

// create makes a backup of a source.
func (s *source) create(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := backup.Create(t.Context(), &out, s.backup(), nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func (s *source) backup() backup.Source {
	return backup.Source{Store: s.store, Files: s.files, Program: "test", Engine: "sqlite", Now: made, Log: storetest.Quiet()}
}

// target returns where tests restore to.
func target(o store.Options, files backup.Files) backup.Target {
	return backup.Target{
		Dir: o.Dir, Database: o.Database, Files: files, CheckKey: func(string, bool) (bool, error) { return false, nil }, IDs: parley.NewIDs(nil), Now: made, Log: storetest.Quiet(),
	}
}

func opening(b []byte) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
