package store_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestSQLiteVersion asks the library: its version must be the one that `parley
// version` prints, and not one that can corrupt the file.
func TestSQLiteVersion(t *testing.T) {
	o := storetest.MigratedSQLite(t)
	var got string
	view(t, storetest.Open(t, o), func(v *store.View) (err error) {
		got, err = v.Text("SELECT sqlite_version()")
		return err
	})
	var major, minor, patch int
	if _, err := fmt.Sscanf(got, "%d.%d.%d", &major, &minor, &patch); err != nil {
		t.Fatalf("SQLite calls itself %q: %v", got, err)
	}
	if major*1_000_000+minor*1_000+patch < 3_051_003 {
		t.Errorf("SQLite is %s, want 3.51.3 or newer", got)
	}
	if got != store.SQLiteVersion {
		t.Errorf("SQLite is %s, and the program says %s", got, store.SQLiteVersion)
	}
}

// TestPreparedOnce runs reads that have a limit: SQLite must have planned their
// statements once.
func TestPreparedOnce(t *testing.T) {
	o := storetest.MigratedSQLite(t)
	s := storetest.Open(t, o)
	w := newWorld("x", true)
	w.insert(t, s)
	asked := func(read func(*store.View) error) int {
		t.Helper()
		n, err := s.Prepared(t.Context(), read)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	first := parley.Position{}
	for name, read := range map[string]func(*store.View) error{
		"conversations": func(v *store.View) error {
			_, err := v.Conversations(parley.WholeWorkspace(w.ws), store.ConversationFilter{}, first, 50)
			return err
		},
		"conversations with a label": func(v *store.View) error {
			_, err := v.Conversations(parley.WholeWorkspace(w.ws), store.ConversationFilter{Labels: []string{"x"}, Status: parley.Open}, first, 50)
			return err
		},
		"messages": func(v *store.View) error {
			_, err := v.Messages(parley.WholeWorkspace(w.ws), w.conversation.ID, first, 50)
			return err
		},
		"events": func(v *store.View) error { _, err := v.Events(w.ws, 0, 50); return err },
	} {
		if n := asked(read); n != 0 {
			t.Errorf("%s: SQLite was asked to plan %d steps of a statement that it knows", name, n)
		}
	}
	// Without the engine's form of it, such a statement is planned each time.
	bare := func(v *store.View) error {
		return v.Run("SELECT message_id FROM messages WHERE workspace_id = ?1 ORDER BY message_id LIMIT ?2", w.ws, 50)
	}
	if asked(bare) == 0 {
		t.Error("a limit that is a parameter alone is planned once: this test proves nothing")
	}
}

// TestPlannerIsInstructed starts programs on a store whose statistics were changed:
// each start corrects them, and a start with right statistics writes nothing.
func TestPlannerIsInstructed(t *testing.T) {
	o := storetest.MigratedSQLite(t)
	statistics := func() (all string) {
		t.Helper()
		s := storetest.Open(t, o)
		view(t, s, func(v *store.View) (err error) {
			all, err = v.Text("SELECT group_concat(tbl || ' ' || idx || ' ' || stat, char(10)) FROM (SELECT * FROM sqlite_stat1 ORDER BY tbl, idx)")
			return err
		})
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return all
	}
	first := statistics()
	for _, want := range []string{
		"messages messages 1000000 1000000 10 1 noskipscan", "conversations conversations_contact 1000000 1000000 10 noskipscan",
		"members members_login 1000000 10 noskipscan",
	} {
		if !strings.Contains(first, want) {
			t.Errorf("no row %q in\n%s", want, first)
		}
	}
	for _, change := range []string{"ANALYZE", "DELETE FROM sqlite_stat1", "DROP TABLE sqlite_stat1"} {
		s := storetest.Open(t, o)
		w := newWorld("x"+change, true)
		w.insert(t, s)
		write(t, s, w.ws, func(tx *store.Tx) error { return tx.Exec(change) })
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if _, _, err := store.Migrate(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		if again := statistics(); again != first {
			t.Errorf("after %s and a start:\n%s\nwant\n%s", change, again, first)
		}
	}
	path := filepath.Join(o.Dir, store.FileName)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := store.Migrate(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("a start with right statistics wrote (%v)", err)
	}
}
