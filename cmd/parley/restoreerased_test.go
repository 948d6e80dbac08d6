package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/erasure"
	"parley/internal/publicapi"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// A backedUp is a store with a person, and a folder with a backup of it.
type backedUp struct {
	*cli
	t       *testing.T
	folder  string
	ws      parley.WorkspaceID
	contact parley.ID
}

func newBackedUp(t *testing.T, c *cli) *backedUp {
	t.Helper()
	made := c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")
	b := &backedUp{cli: c, t: t, folder: t.TempDir()}
	b.ws, _ = parley.ParseWorkspaceID(made["id"].(string))
	b.in(func(a *app) {
		saved, err := a.desk.SaveContact(t.Context(), desk.Caller{Workspace: b.ws}, desk.ContactFields{Name: parley.Some("Ann")})
		if err != nil {
			t.Fatal(err)
		}
		b.contact = saved.Record.ID
	})
	for _, name := range []string{"parley-20261101T030000Z.backup", "parley-20261102T030000Z.backup"} {
		c.command(t, "backup", "--to", filepath.Join(b.folder, name))
	}
	return b
}

// in runs a function with the opened store, as a command does.
func (b *backedUp) in(do func(*app)) {
	b.t.Helper()
	opened := *b.cli
	opened.master = os.Getenv("PARLEY_MASTER_KEY")
	a, err := opened.open(b.t.Context(), appOptions{log: storetest.Quiet(), clock: time.Now, existing: true})
	if err != nil {
		b.t.Fatal(err)
	}
	do(a)
	if err := a.close(); err != nil {
		b.t.Fatal(err)
	}
}

// served reports whether the person is in the store when a server is about to listen.
func (b *backedUp) served() bool {
	b.t.Helper()
	opened := *b.cli
	opened.master = os.Getenv("PARLEY_MASTER_KEY")
	p, err := opened.newProgram(b.t.Context(), programOptions{
		log: storetest.Quiet(), clock: time.Now, sunset: publicapi.StoresSunset(), retention: parley.EventRetention, simulation: simulated,
	})
	if err != nil {
		b.t.Fatal(err)
	}
	err = p.app.store.View(b.t.Context(), func(v *store.View) error {
		_, err := v.Contact(b.ws, b.contact)
		return err
	})
	if err := p.app.close(); err != nil {
		b.t.Fatal(err)
	}
	return err == nil
}

// burned returns a machine that has nothing but the master key, and the backups.
func (b *backedUp) burned() *backedUp {
	b.t.Helper()
	other := *b
	other.cli = onSQLite(b.t)
	key, err := os.ReadFile(filepath.Join(b.data, masterKeyFile))
	if err == nil {
		err = os.WriteFile(filepath.Join(other.data, masterKeyFile), key, 0o600)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	return &other
}

// keep writes the list of erasures beside the backups, as a server does.
func (b *backedUp) keep() string {
	b.t.Helper()
	path := ""
	b.in(func(a *app) {
		var lists []erasure.List
		err := a.store.View(b.t.Context(), func(v *store.View) (err error) {
			lists, err = erasure.ListsOf(v)
			return err
		})
		if err != nil || len(lists) != 1 {
			b.t.Fatalf("%v, %v", lists, err)
		}
		content, err := lists[0].Pack()
		path = filepath.Join(b.folder, strings.ReplaceAll(erasure.ListNames, "*", b.ws.String()))
		if err != nil || os.WriteFile(path, content, 0o600) != nil {
			b.t.Fatal(err)
		}
	})
	return path
}

// TestRestoreRepeatsErasures restores a backup that is older than an erasure: over the
// store that knows of it, and into an empty one with the list beside the backup. The
// person is gone before a server serves anybody. Without either, the person is back.
func TestRestoreRepeatsErasures(t *testing.T) {
	for name, engine := range map[string]func(*testing.T) *cli{"sqlite": onSQLite, "postgres": onPostgres} {
		t.Run(name, func(t *testing.T) { repeatsErasures(t, engine(t)) })
	}
}

func repeatsErasures(t *testing.T, c *cli) {
	t.Helper()
	b := newBackedUp(t, c)
	c.command(t, "contact", "erase", "--workspace", b.ws.String(), "--id", b.contact.String(), "--yes")
	if n := c.command(t, "restore", "--from", b.folder, "--replace")["erasures"]; n != 1.0 {
		t.Errorf("over a store that knows of an erasure, %v are repeated", n)
	}
	if b.served() {
		t.Error("the person is back")
	}
	list := b.keep()

	burned := b.burned()
	if out := burned.command(t, "restore", "--from", b.folder); out["erasures"] != 1.0 || burned.served() {
		t.Errorf("with the list beside the backup: %v", out)
	}
	elsewhere := filepath.Join(t.TempDir(), "list.json")
	if err := os.Rename(list, elsewhere); err != nil {
		t.Fatal(err)
	}
	burned = b.burned()
	if out := burned.command(t, "restore", "--from", b.folder); out["erasures"] != 0.0 || !burned.served() {
		t.Errorf("without a list: %v", out)
	}
	burned = b.burned()
	if out := burned.command(t, "restore", "--from", b.folder, "--erasures", elsewhere); out["erasures"] != 1.0 || burned.served() {
		t.Errorf("with the list elsewhere: %v", out)
	}
}

// TestRestoreWithoutErasures refuses to restore where it cannot learn who was erased:
// from a damaged list, a place without one, or a damaged store, unless it is told to.
func TestRestoreWithoutErasures(t *testing.T) {
	c := onSQLite(t)
	b := newBackedUp(t, c)
	c.command(t, "contact", "erase", "--workspace", b.ws.String(), "--id", b.contact.String(), "--yes")
	list := b.keep()
	content, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(content), b.contact.String(), strings.Repeat("0", 36), 1)
	if err := os.WriteFile(list, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	refused := func(says string, args ...string) {
		t.Helper()
		status, stdout, stderr := c.run2(t, append([]string{"restore", "--from", b.folder, "--replace"}, args...)...)
		if status != exitFailed || stdout != "" || !strings.Contains(stderr, says) {
			t.Errorf("status %d, prints %q, says %q, want %q", status, stdout, stderr, says)
		}
	}
	refused("is damaged")
	refused("no list of erasures", "--erasures", t.TempDir())
	refused("no such file", "--erasures", list+".old")
	if err := os.Remove(list); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.data, store.FileName), []byte("no database at all, and longer than a header of one is"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused("does not tell who was erased")
	if out := c.command(t, "restore", "--from", b.folder, "--replace", "--erasures", "none"); out["erasures"] != 0.0 {
		t.Errorf("told that nobody was erased: %v", out)
	}
}
