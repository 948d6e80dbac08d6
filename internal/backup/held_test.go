package backup_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"parley"
	"parley/internal/backup"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestRowsAreHeld looks, when the first bytes of a backup come out, whether the
// database still keeps the moment of its rows. It does not if the rows were held,
// however slow the way out is.
func TestRowsAreHeld(t *testing.T) {
	for engine := range engines {
		t.Run(engine, func(t *testing.T) {
			o := engines[engine](t)
			l := newLoaded(t, o)
			random := rand.New(rand.NewPCG(29, 30))
			text := make([]byte, 4500)
			for range 120 {
				for i := range text {
					text[i] = byte(random.Uint32())
				}
				message := desk.NewMessage{Content: fmt.Sprintf("%x", text), Direction: parley.Incoming}
				if _, err := l.desk.PostMessage(t.Context(), l.by(), l.talk, message); err != nil {
					t.Fatal(err)
				}
			}
			for _, hold := range []bool{true, false} {
				l.fill(t, 1) // the log of SQLite must not be empty
				kept, looked := false, false
				var out bytes.Buffer
				from := backup.Source{Store: l.store, Files: newMemory(), Program: "test", Engine: engine, Now: made, Log: storetest.Quiet(), Hold: hold}
				_, err := backup.Create(t.Context(), writing(func(b []byte) (int, error) {
					if !looked {
						kept, looked = keepsMoment(t, o), true
					}
					return out.Write(b)
				}), from, nil)
				if err != nil {
					t.Fatal(err)
				}
				if kept == hold {
					t.Errorf("held is %t, and the database keeps the moment: %t", hold, kept)
				}
				l.check(t, out.Bytes(), 120)
			}
		})
	}
}

type writing func([]byte) (int, error)

func (w writing) Write(b []byte) (int, error) { return w(b) }

// keepsMoment reports whether a transaction is open that reads a store.
func keepsMoment(t *testing.T, o store.Options) bool {
	t.Helper()
	open := 0
	if o.Database == "" {
		conn, err := sqlite.OpenConn(filepath.Join(o.Dir, store.FileName), sqlite.OpenReadWrite)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		conn.SetBusyTimeout(0)
		err = sqlitex.ExecuteTransient(conn, "PRAGMA wal_checkpoint(TRUNCATE)", &sqlitex.ExecOptions{ResultFunc: func(r *sqlite.Stmt) error {
			open = r.ColumnInt(0)
			return nil
		}})
		if err != nil && !strings.Contains(err.Error(), "locked") {
			t.Fatal(err)
		}
		return open != 0
	}
	conn, err := pgx.Connect(t.Context(), o.Database)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	const sql = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xmin IS NOT NULL"
	if err := conn.QueryRow(t.Context(), sql).Scan(&open); err != nil {
		t.Fatal(err)
	}
	return open > 0
}
