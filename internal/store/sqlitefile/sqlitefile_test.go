package sqlitefile_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"parley"
	"parley/internal/store/sqlitefile"
)

// made makes a database by a script and returns its path.
func made(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.db")
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		t.Fatal(err)
	}
	if err := sqlitex.ExecuteScript(conn, script, nil); err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

const versions = "CREATE TABLE schema_versions (version bigint); INSERT INTO schema_versions VALUES (3), (4);"

func TestPeek(t *testing.T) {
	none, text := filepath.Join(t.TempDir(), "none"), filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte(strings.Repeat("This is no database. ", 999)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path    string
		version int
		refused string
	}{
		{none, 0, ""},
		{made(t, versions), 4, ""},
		{made(t, "CREATE TABLE shops (name text)"), 0, "belongs to another program"},
		{text, 0, "is damaged, or no database of SQLite"},
	} {
		version, err := sqlitefile.Peek(c.path)
		if version != c.version || (err == nil) != (c.refused == "") || err != nil && !strings.Contains(err.Error(), c.refused) {
			t.Errorf("the version is %d, %v; want %d, %q", version, err, c.version, c.refused)
		}
	}
	if _, err := os.Stat(none); err == nil {
		t.Error("a look made the file")
	}
}

// TestFile moves a file away and back, and has a statement meet damage.
func TestFile(t *testing.T) {
	var log bytes.Buffer
	path := made(t, versions)
	f, err := sqlitefile.New(path, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	check := func(when string, sound bool, logged string) {
		t.Helper()
		if err := f.Sound(); (err == nil) != sound || err != nil && parley.KindOf(err) != parley.Unavailable {
			t.Errorf("%s: %v", when, err)
		}
		if strings.Count(log.String(), "\n") != strings.Count(logged, "\n") || !strings.Contains(log.String(), strings.TrimSpace(logged)) {
			t.Errorf("%s, the log is\n%s", when, &log)
		}
		log.Reset()
	}
	check("at first", true, "")
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	check("moved", false, "moved, replaced or deleted\n")
	check("still moved", false, "")
	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}
	check("back", true, "back in its place\n")
	if err := f.Inspect(t.Context()); err != nil {
		t.Error(err)
	}
	f.Note(os.ErrClosed)
	check("after another error", true, "")
	if err := os.WriteFile(path, []byte(strings.Repeat("x", 9999)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Inspect(t.Context()); !sqlitefile.IsDamage(err) {
		t.Errorf("the inspection says %v", err)
	}
	f.Note(sqlitefile.Advise(path, f.Inspect(t.Context())))
	check("damaged", false, "the database is damaged\n")
}
