package whatsapp

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"go.mau.fi/whatsmeow/store"
	"go.mau.fi/whatsmeow/store/sqlstore"
	"go.mau.fi/whatsmeow/types"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"parley/internal/chatapp"
)

// upgradeLock is the PostgreSQL advisory lock under which one process at a time
// changes the library's tables. The number is arbitrary.
const upgradeLock = 0x7761_6d65_6f77

// The library's connections to PostgreSQL. Each of its statements takes one,
// and a server with many numbers must leave some for other uses.
const (
	postgresConns     = 16
	postgresIdleConns = 2
	postgresIdleTime  = 5 * time.Minute
)

// sqliteConns is the number of connections to the library's file. One at a time
// writes while the others read. Without a limit there would be one for each
// message in progress.
const sqliteConns = 4

// openStore opens the library's store. On SQLite it is a separate file, because
// the library writes often and SQLite has a single writer. On PostgreSQL its
// tables, all named whatsmeow_, are beside ours.
func openStore(ctx context.Context, o Options, log *slog.Logger) (*sqlstore.Container, *sql.DB, error) {
	var db *sql.DB
	var dialect string
	var err error
	switch {
	case (o.SQLite == "") == (o.Postgres == ""):
		return nil, nil, errors.New("the store of WhatsApp is either a file of SQLite or a database of PostgreSQL")
	case o.SQLite != "":
		dialect = "sqlite"
		db, err = openSQLite(o.SQLite)
	default:
		dialect = "pgx"
		db, err = openPostgres(o.Postgres)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("open the store of WhatsApp: %w", err)
	}
	container := sqlstore.NewWithDB(db, dialect, logger{log})
	if err := upgrade(ctx, db, container, dialect == "pgx"); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("bring the store of WhatsApp up to date: %w", err), container.Close())
	}
	return container, db, nil
}

// openSQLite opens the file. Only its owner may read it, because it contains
// keys.
func openSQLite(path string) (*sql.DB, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	// A copied file may have wider permissions; SQLite's companion files
	// inherit its mode.
	if err := errors.Join(file.Chmod(0o600), file.Close()); err != nil {
		return nil, err
	}
	return openSQLiteFile(path)
}

// openSQLiteFile opens an existing file by SQLite alone: if this process has a
// connection to the file, closing another descriptor of it would release the locks
// of that connection.
func openSQLiteFile(path string) (*sql.DB, error) {
	settings := url.Values{
		"_pragma": {"foreign_keys(1)", "busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)"},
		"_txlock": {"immediate"},
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+settings.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(sqliteConns)
	db.SetMaxIdleConns(sqliteConns)
	return db, nil
}

// Compact rewrites the library's file without deleted data. A server may use it
// meanwhile.
func Compact(ctx context.Context, path string) (err error) {
	db, err := openSQLite(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.ExecContext(ctx, "VACUUM"); err != nil {
		return fmt.Errorf("compact %s: %w", path, err)
	}
	if _, err := db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		return fmt.Errorf("checkpoint %s: %w", path, err)
	}
	return nil
}

// openPostgres opens the database. The URL is that of the server's own store,
// so it may contain pool settings that do not apply here.
func openPostgres(url string) (*sql.DB, error) { return openPostgresIn(url, "") }

// openPostgresIn opens the database with a schema as its search path; "" leaves that
// to the URL.
func openPostgresIn(url, schema string) (*sql.DB, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		// The error may contain the URL, and with it the password.
		return nil, errors.New("the database URL cannot be read: it must look like postgres://user:password@host:5432/name")
	}
	if schema != "" {
		config.ConnConfig.RuntimeParams["search_path"] = schema
	}
	db := stdlib.OpenDB(*config.ConnConfig)
	db.SetMaxOpenConns(postgresConns)
	db.SetMaxIdleConns(postgresIdleConns)
	db.SetConnMaxIdleTime(postgresIdleTime)
	return db, nil
}

func upgrade(ctx context.Context, db *sql.DB, container *sqlstore.Container, postgres bool) error {
	if !postgres {
		return container.Upgrade(ctx)
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", int64(upgradeLock)); err != nil {
		return err
	}
	defer func() {
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", int64(upgradeLock))
	}()
	// The library looks for its version table in all schemas of the database,
	// and would use that of another schema.
	if _, err := conn.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS whatsmeow_version (version integer, compat integer)"); err != nil {
		return err
	}
	return container.Upgrade(ctx)
}

// device returns the stored device of a number, or nil.
func (d *Driver) device(ctx context.Context, host chatapp.Host) (*store.Device, error) {
	name, err := d.devices.Device(ctx, host)
	if err != nil || name == "" {
		return nil, err
	}
	jid, err := types.ParseJID(name)
	if err != nil {
		return nil, fmt.Errorf("the device of number %s: %w", host.NumberID, err)
	}
	device, err := d.container.GetDevice(ctx, jid)
	if err != nil {
		return nil, fmt.Errorf("read the device of number %s: %w", host.NumberID, err)
	}
	return device, nil
}

// ofAddress deletes rows about a person that the library identifies by an address, such
// as 4915112345678@s.whatsapp.net; ofDevices, those that it identifies by a user with a
// device, such as 4915112345678:0.
func ofAddress() []string {
	return []string{
		"DELETE FROM whatsmeow_contacts WHERE our_jid = $1 AND their_jid = $2",
		"DELETE FROM whatsmeow_chat_settings WHERE our_jid = $1 AND chat_jid = $2",
		"DELETE FROM whatsmeow_message_secrets WHERE our_jid = $1 AND chat_jid = $2",
		"DELETE FROM whatsmeow_message_secrets WHERE our_jid = $1 AND sender_jid = $2",
		"DELETE FROM whatsmeow_privacy_tokens WHERE our_jid = $1 AND their_jid = $2",
		"DELETE FROM whatsmeow_retry_buffer WHERE our_jid = $1 AND chat_jid = $2",
	}
}

func ofDevices() []string {
	return []string{
		"DELETE FROM whatsmeow_identity_keys WHERE our_jid = $1 AND their_id LIKE $2",
		"DELETE FROM whatsmeow_sessions WHERE our_jid = $1 AND their_id LIKE $2",
		"DELETE FROM whatsmeow_sender_keys WHERE our_jid = $1 AND sender_id LIKE $2",
	}
}

// Forget deletes what the library stores about a person for a number: names, settings
// of chats, messages that the person may ask for again, and keys by the phone. Keys by
// the id that hides a phone stay: they name nobody, and without them the person's next
// message could not be read.
func (d *Driver) Forget(ctx context.Context, host chatapp.Host, who chatapp.Person) error {
	device, err := d.devices.Device(ctx, host)
	if err != nil || device == "" {
		return err
	}
	var failures []error
	for _, phone := range who.Phones {
		d.people.forget(phone)
		failures = append(failures, d.forgetPhone(ctx, device, string(phone)))
	}
	for _, jid := range who.JIDs {
		if user, err := types.ParseJID(jid); err == nil && user.Server == types.HiddenUserServer {
			failures = append(failures, d.execute(ctx, ofAddress(), device, user.String()))
		}
	}
	if err := errors.Join(failures...); err != nil {
		return fmt.Errorf("forget a person for number %s: %w", host.NumberID, err)
	}
	return nil
}

// forgetPhone deletes a person under both names that the network has for one: the
// phone, and an id that hides it.
func (d *Driver) forgetPhone(ctx context.Context, device, phone string) error {
	user := types.NewJID(phone, types.DefaultUserServer)
	var hidden string
	err := d.db.QueryRowContext(ctx, "SELECT lid FROM whatsmeow_lid_map WHERE pn = $1", phone).Scan(&hidden)
	if err == nil {
		err = d.execute(ctx, ofAddress(), device, types.NewJID(hidden, types.HiddenUserServer).String())
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if err := errors.Join(d.execute(ctx, ofAddress(), device, user.String()), d.execute(ctx, ofDevices(), device, user.SignalAddressUser()+":%")); err != nil {
		return err
	}
	// Both names belong to the same person for all numbers of the server; another
	// number that knows the person needs them.
	_, err = d.db.ExecContext(ctx, `DELETE FROM whatsmeow_lid_map WHERE pn = $1
		AND NOT EXISTS (SELECT 1 FROM whatsmeow_contacts WHERE their_jid = $2)`, phone, user.String())
	return err
}

// execute runs statements about a person whom a number knows.
func (d *Driver) execute(ctx context.Context, statements []string, device, name string) error {
	for _, statement := range statements {
		if _, err := d.db.ExecContext(ctx, statement, device, name); err != nil {
			return err
		}
	}
	return nil
}

// forget deletes the device of a number and its keys.
func (d *Driver) forget(ctx context.Context, host chatapp.Host) error {
	name, err := d.devices.Device(ctx, host)
	if err != nil || name == "" {
		return err
	}
	jid, err := types.ParseJID(name)
	if err != nil {
		return fmt.Errorf("the device of number %s: %w", host.NumberID, err)
	}
	if err := d.container.DeleteDevice(ctx, &store.Device{ID: &jid}); err != nil {
		return fmt.Errorf("delete the keys of number %s: %w", host.NumberID, err)
	}
	return d.devices.SetDevice(ctx, host, "")
}
