package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"parley/internal/pgtest"
)

// TestMoveToAnotherEngine moves an embedded store to PostgreSQL and back, as
// docs/operating.md describes it, while a server runs on the source.
func TestMoveToAnotherEngine(t *testing.T) {
	first := &cli{data: filepath.Join(t.TempDir(), "first"), logLevel: "error"}
	founded := first.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")
	serve(t, first)
	file := filepath.Join(t.TempDir(), "one.backup")
	made := first.command(t, "backup", "--to", file)
	if checked := first.command(t, "backup", "--verify", "--to", file); checked["bytes"] != made["bytes"] || checked["messages"] != made["messages"] {
		t.Errorf("--verify prints %v, the backup printed %v", checked, made)
	}
	second := &cli{data: filepath.Join(t.TempDir(), "second"), database: pgtest.URL(t), logLevel: "error"}
	status, _, errs := second.run2(t, "restore", "--from", file)
	if status != exitFailed || !strings.Contains(errs, "put it into") {
		t.Errorf("without the master key: status %d, %s", status, errs)
	}
	copyKey(t, first.data, second.data)
	second.command(t, "restore", "--from", file)
	back := filepath.Join(t.TempDir(), "two.backup")
	second.command(t, "backup", "--to", back)
	third := &cli{data: filepath.Join(t.TempDir(), "third"), logLevel: "error"}
	copyKey(t, first.data, third.data)
	third.command(t, "restore", "--from", back)
	for name, c := range map[string]*cli{"postgres": second, "sqlite": third} {
		t.Run(name, func(t *testing.T) {
			if got := serve(t, c).signIn("ann@acme.example", founded["ownerPassword"].(string)); got != 201 {
				t.Errorf("signing in is answered %d", got)
			}
		})
	}
}

func copyKey(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(from, masterKeyFile))
	if err == nil {
		err = os.MkdirAll(to, 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(to, masterKeyFile), content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestEncryptedBackupMovesNumbers moves a store with a paired number to the other
// engine by an encrypted backup, without any other file. Once somebody reconnects the
// number, it works without pairing.
func TestEncryptedBackupMovesNumbers(t *testing.T) {
	for from, source := range map[string]func(*testing.T) *cli{"sqlite": onSQLite, "postgres": onPostgres} {
		t.Run("from "+from, func(t *testing.T) {
			x := newSimulatedNetwork(t)
			o := pairedOffice(t, x, source(t), hostPhone)
			identity, recipient := ageKey(t)
			file := filepath.Join(t.TempDir(), "all.backup")
			if made := o.cli.command(t, "backup", "--to", file, "--encrypt-to", recipient); made["masterKey"] != true || made["numberKeys"] != true {
				t.Errorf("the backup prints %v", made)
			}
			o.process.stop()
			to := map[string]func(*testing.T) *cli{"sqlite": onPostgres, "postgres": onSQLite}[from](t)
			if done := to.command(t, "restore", "--from", file, "--identity", identity); done["disconnectedNumbers"] != 1.0 || done["numberKeys"] != true {
				t.Errorf("the restore prints %v", done)
			}
			o.cli, o.process = to, serveProcess(t, to, x.address)
			if got := o.listed(); got.Enabled || got.Status != "disconnected" || !strings.Contains(got.Reason, "reconnect the number") {
				t.Errorf("the restored number is %+v", got)
			}
			signed := o.want(201, "POST", "/v1/dashboard/session", o.login, nil)
			o.cookie, _, _ = strings.Cut(signed.header.Get("Set-Cookie"), ";")
			o.want(200, "POST", "/v1/dashboard/numbers/"+o.number+"/reconnect", "", nil)
			o.untilStatus("connected")
		})
	}
}

// TestRestoreSaysWhere restores without --json: the output names the new store, the
// time of the backup, and the place of the earlier store.
func TestRestoreSaysWhere(t *testing.T) {
	c := onSQLite(t)
	c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")
	file := filepath.Join(t.TempDir(), "a.backup")
	made := c.command(t, "backup", "--to", file)
	var out, errs bytes.Buffer
	if status := run(t.Context(), c.arguments("restore", "--from", file, "--replace"), &out, &errs); status != 0 {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	madeAt, err := time.Parse(time.RFC3339, made["madeAt"].(string))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"The store of " + madeAt.Format(time.RFC3339) + " is now in the folder " + c.data + ".",
		"The earlier store is in " + filepath.Join(c.data, "before-restore-"),
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it prints %s, want %q", out.String(), want)
		}
	}
	for address, want := range map[string]string{
		"postgres://parley:secret@db.example:5432/support?sslmode=require": "the database db.example:5432/support",
		"postgres://parley:secret@/support?host=/run/postgresql":           "the database /run/postgresql/support",
	} {
		c.database = address
		if got := (&restoration{cli: c}).storePlace(); got != want {
			t.Errorf("a database is called %q, want %q", got, want)
		}
	}
}

// ageKey returns a file with an identity, and its recipient.
func ageKey(t *testing.T) (file, recipient string) {
	t.Helper()
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "identity")
	if err := os.WriteFile(file, []byte(identity.String()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file, identity.Recipient().String()
}

// TestBackupRefuses gives the commands unusable input: the error says what it must be,
// and no file is created or changed.
func TestBackupRefuses(t *testing.T) {
	c := &cli{data: filepath.Join(t.TempDir(), "data"), logLevel: "error"}
	c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")
	folder := t.TempDir()
	there := filepath.Join(folder, "there")
	if err := os.WriteFile(there, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, line := range map[string][]string{
		"already exists":                         {"backup", "--to", there},
		"no such file or directory":              {"backup", "--to", filepath.Join(folder, "missing", "x")},
		"this is not a backup of Parley":         {"restore", "--from", there, "--replace"},
		"--encrypt-to: must be an age recipient": {"backup", "--to", filepath.Join(folder, "x"), "--encrypt-to", "x"},
		"--identity: must be a file":             {"restore", "--from", there, "--identity", there},
	} {
		if status, _, errs := c.run2(t, line...); status == 0 || !strings.Contains(errs, want) {
			t.Errorf("parley %v: status %d, %s, want %q", line, status, errs, want)
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil || !slices.Equal([]string{"there"}, names(entries)) {
		t.Errorf("the folder has %v, %v", names(entries), err)
	}
}

func names(entries []os.DirEntry) (all []string) {
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}
