package whatsapp

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"go.mau.fi/whatsmeow/store/sqlstore"
)

// ErrOtherLibrary means that another version of the library stored the keys, so this
// program cannot use them.
var ErrOtherLibrary = errors.New("the keys of the numbers were stored by another version of the messaging library")

// A KeyStore is where a driver stores the keys of its numbers.
type KeyStore struct {
	SQLite   string // path of the file
	Postgres string // URL of the database
	// Schema is the schema of the database that holds the tables; "" for that of the
	// URL. ImportKeys creates it.
	Schema string
}

// parentTables are tables that others refer to, in the order in which they are filled.
var parentTables = []string{"whatsmeow_device", "whatsmeow_app_state_version"}

// A keyTable is a table of the library, in a copy of the keys.
type keyTable struct {
	Name    string      `json:"name"`
	Columns []keyColumn `json:"columns"`
}

type keyColumn struct {
	Name string `json:"name"`
	Type string `json:"type"` // in lower case
}

// A keyLine is a line of a copy of the keys: the version of the library's tables
// first, then each table with its rows.
type keyLine struct {
	Version int       `json:"version,omitempty"`
	Table   *keyTable `json:"table,omitempty"`
	Row     []any     `json:"row,omitempty"`
}

// ExportKeys writes the keys of all numbers as they are at one moment, or nothing if
// there never was a number. Whoever has the keys can act as these numbers.
func ExportKeys(ctx context.Context, from KeyStore, out io.Writer) (err error) {
	if from.SQLite != "" {
		if _, err := os.Stat(from.SQLite); errors.Is(err, fs.ErrNotExist) {
			return nil // opening it would create it
		}
	}
	db, err := from.open(openSQLiteFile)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tables, version, err := keyTables(ctx)
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it only reads
	stored, err := from.version(ctx, tx)
	if err != nil || stored == 0 {
		return err
	}
	if stored != version {
		return fmt.Errorf("%w: %d, and this program's is %d; start its server once", ErrOtherLibrary, stored, version)
	}
	buffered := bufio.NewWriter(out)
	lines := json.NewEncoder(buffered)
	if err := lines.Encode(keyLine{Version: version}); err != nil {
		return err
	}
	for i := range tables {
		if err := tables[i].export(ctx, tx, lines); err != nil {
			return fmt.Errorf("table %s: %w", tables[i].Name, err)
		}
	}
	return buffered.Flush()
}

func (t *keyTable) names() string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	return strings.Join(names, ", ")
}

func (t *keyTable) selectAll() string { return "SELECT " + t.names() + " FROM " + t.Name }

func (t *keyTable) export(ctx context.Context, tx *sql.Tx, lines *json.Encoder) error {
	if err := lines.Encode(keyLine{Table: t}); err != nil {
		return err
	}
	rows, err := tx.QueryContext(ctx, t.selectAll())
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // Err tells
	values, dest := make([]any, len(t.Columns)), make([]any, len(t.Columns))
	for i, c := range t.Columns {
		dest[i] = scanned{c, &values[i]}
	}
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		if err := lines.Encode(keyLine{Row: values}); err != nil {
			return err
		}
	}
	return rows.Err()
}

// A scanned is the destination of a column, for values of either engine.
type scanned struct {
	column keyColumn
	value  *any
}

// Scan converts what an engine returns into a text, a number, a boolean or bytes.
func (s scanned) Scan(source any) error {
	switch s.column.Type {
	case "bytea":
		return scan[[]byte](s.value, source)
	case "boolean":
		return scan[bool](s.value, source)
	case "integer", "bigint":
		return scan[int64](s.value, source)
	default:
		return scan[string](s.value, source)
	}
}

func scan[T any](value *any, source any) error {
	*value = nil
	var v sql.Null[T]
	if err := v.Scan(source); err != nil || !v.Valid {
		return err
	}
	*value = v.V
	return nil
}

// ImportKeys creates a new key store from what ExportKeys wrote. It returns
// ErrOtherLibrary if that has the keys of another version of the library.
func ImportKeys(ctx context.Context, into KeyStore, in io.Reader) (err error) {
	tables, version, err := keyTables(ctx)
	if err != nil {
		return err
	}
	lines := json.NewDecoder(in)
	lines.UseNumber()
	var first keyLine
	if err := lines.Decode(&first); err != nil {
		return fmt.Errorf("read the keys of the numbers: %w", err)
	}
	if first.Version != version {
		return fmt.Errorf("%w: %d, and this program's is %d", ErrOtherLibrary, first.Version, version)
	}
	db, err := into.create(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after the commit
	if err := importRows(ctx, tx, lines, tables); err != nil {
		return fmt.Errorf("the keys of the numbers: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	if into.SQLite != "" {
		_, err = db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	}
	return err
}

// importRows inserts the rows. The names in the copy are compared with those of
// this program's tables before they become SQL.
func importRows(ctx context.Context, tx *sql.Tx, lines *json.Decoder, tables []keyTable) error {
	var current *keyTable
	var insert string
	for {
		var line keyLine
		if err := lines.Decode(&line); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if line.Table != nil {
			known := slices.IndexFunc(tables, func(t keyTable) bool {
				return t.Name == line.Table.Name && slices.Equal(t.Columns, line.Table.Columns)
			})
			if known < 0 {
				return fmt.Errorf("there is no table %q of this form", line.Table.Name)
			}
			current = &tables[known]
			insert = current.insert()
			continue
		}
		if current == nil || len(line.Row) != len(current.Columns) {
			return errors.New("a row does not fit its table")
		}
		for i, c := range current.Columns {
			if err := c.parse(&line.Row[i]); err != nil {
				return fmt.Errorf("%s of %s: %w", c.Name, current.Name, err)
			}
		}
		if _, err := tx.ExecContext(ctx, insert, line.Row...); err != nil {
			return fmt.Errorf("table %s: %w", current.Name, err)
		}
	}
}

func (t *keyTable) insert() string {
	places := make([]string, len(t.Columns))
	for i := range places {
		places[i] = fmt.Sprintf("$%d", i+1)
	}
	return "INSERT INTO " + t.Name + " (" + t.names() + ") VALUES (" + strings.Join(places, ", ") + ")"
}

// parse converts a value from JSON into the one for an engine.
func (c keyColumn) parse(value *any) error {
	switch v := (*value).(type) {
	case json.Number:
		n, err := v.Int64()
		*value = n
		return err
	case string:
		if c.Type != "bytea" {
			return nil
		}
		b, err := base64.StdEncoding.DecodeString(v)
		*value = b
		return err
	}
	return nil
}

// keyTables returns the tables of the library, each after those that it refers to,
// and their version. It reads them from a database in memory that the library sets
// up.
func keyTables(ctx context.Context) (tables []keyTable, version int, err error) {
	db, err := sql.Open("sqlite", "file::memory:?_pragma=foreign_keys(1)")
	if err != nil {
		return nil, 0, err
	}
	db.SetMaxOpenConns(1) // another connection would have a memory of its own
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := upgrade(ctx, db, sqlstore.NewWithDB(db, "sqlite", nil), false); err != nil {
		return nil, 0, err
	}
	if err := db.QueryRowContext(ctx, "SELECT version FROM whatsmeow_version").Scan(&version); err != nil {
		return nil, 0, err
	}
	rows, err := db.QueryContext(ctx, `SELECT t.name, c.name, lower(c.type) FROM pragma_table_list t, pragma_table_info(t.name) c
		WHERE t.name LIKE 'whatsmeow\_%' ESCAPE '\' AND t.name <> 'whatsmeow_version' AND t.type = 'table' ORDER BY t.name, c.cid`)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = rows.Close() }() // Err tells
	for rows.Next() {
		var table string
		var c keyColumn
		if err := rows.Scan(&table, &c.Name, &c.Type); err != nil {
			return nil, 0, err
		}
		if len(tables) == 0 || tables[len(tables)-1].Name != table {
			tables = append(tables, keyTable{Name: table})
		}
		last := &tables[len(tables)-1]
		last.Columns = append(last.Columns, c)
	}
	rank := func(t keyTable) int {
		if place := slices.Index(parentTables, t.Name); place >= 0 {
			return place
		}
		return len(parentTables)
	}
	slices.SortStableFunc(tables, func(a, b keyTable) int { return rank(a) - rank(b) })
	return tables, version, rows.Err()
}

// version returns the version of the tables, or 0 if there are none.
func (k KeyStore) version(ctx context.Context, tx *sql.Tx) (version int, err error) {
	present := "SELECT count(*) FROM sqlite_master WHERE name = 'whatsmeow_version'"
	if k.SQLite == "" {
		present = "SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = 'whatsmeow_version'"
	}
	tables := 0
	if err := tx.QueryRowContext(ctx, present).Scan(&tables); err != nil || tables == 0 {
		return 0, err
	}
	err = tx.QueryRowContext(ctx, "SELECT version FROM whatsmeow_version").Scan(&version)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil // the tables were never created
	}
	return version, err
}

// create creates a store without numbers.
func (k KeyStore) create(ctx context.Context) (*sql.DB, error) {
	dialect := "sqlite"
	if k.SQLite == "" {
		dialect = "pgx"
		if err := k.createSchema(ctx); err != nil {
			return nil, err
		}
	}
	db, err := k.open(openSQLite)
	if err != nil {
		return nil, err
	}
	if err := upgrade(ctx, db, sqlstore.NewWithDB(db, dialect, nil), dialect == "pgx"); err != nil {
		return nil, errors.Join(fmt.Errorf("create the tables of the messaging library: %w", err), db.Close())
	}
	return db, nil
}

func (k KeyStore) open(openFile func(path string) (*sql.DB, error)) (*sql.DB, error) {
	if k.SQLite != "" {
		return openFile(k.SQLite)
	}
	return openPostgresIn(k.Postgres, k.Schema)
}

// createSchema creates the schema, and deletes the one that an interrupted restore may
// have left.
func (k KeyStore) createSchema(ctx context.Context) (err error) {
	db, err := openPostgres(k.Postgres)
	if err != nil {
		return err
	}
	name := pgx.Identifier{k.Schema}.Sanitize()
	_, err = db.ExecContext(ctx, "DROP SCHEMA IF EXISTS "+name+" CASCADE")
	if err == nil {
		_, err = db.ExecContext(ctx, "CREATE SCHEMA "+name)
	}
	return errors.Join(err, db.Close())
}
