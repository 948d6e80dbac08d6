package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/internal/store"
)

// TestBackupOfLostFiles makes a backup of a store whose folder of files is elsewhere:
// the command fails, and says how to accept that.
func TestBackupOfLostFiles(t *testing.T) {
	each(t, func(t *testing.T, c *cli) {
		key := c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")["apiKey"].(string)
		serve(t, c).upload(key, strings.NewReader("hello"))
		folder, elsewhere := t.TempDir(), t.TempDir()
		if made := c.command(t, "backup", "--to", filepath.Join(folder, "a")); made["files"] != 1.0 || made["missingFiles"] != 0.0 {
			t.Errorf("the backup prints %v", made)
		}
		b := filepath.Join(folder, "b")
		for _, line := range [][]string{{"backup", "--to", b, "--attachments", elsewhere}, {"backup", "--verify", "--to", b}, {"restore", "--verify", "--from", b}} {
			status, stdout, errs := c.run2(t, line...)
			if status != exitFailed || !strings.Contains(errs, "--lost-files=1") || !strings.Contains(stdout, `"missingFiles":1`) {
				t.Errorf("parley %v: status %d, %s, prints %s", line, status, errs, stdout)
			}
			c.command(t, append(slices.Replace(line, slices.Index(line, b), slices.Index(line, b)+1, named(line, b)), "--lost-files=1")...)
		}
	})
}

// named returns a new name for a file that the command writes, and the same name for one
// that it reads.
func named(line []string, path string) string {
	if slices.Contains(line, "--verify") {
		return path
	}
	return path + "2"
}

// TestWriteNew writes two files with one name at once: the first to finish gets the
// name, and the other fails and leaves nothing.
func TestWriteNew(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "x.backup")
	err := writeNew(path, func(slow io.Writer) error {
		if _, err := io.WriteString(slow, "slow"); err != nil {
			return err
		}
		return writeNew(path, func(fast io.Writer) error {
			_, err := io.WriteString(fast, "fast")
			return err
		})
	})
	if err == nil || !strings.Contains(err.Error(), "already exists") {
		t.Errorf("the second one ends with %v", err)
	}
	if got := readFile(t, path); got != "fast" {
		t.Errorf("the file is %q", got)
	}
	broken := errors.New("the store is away")
	if err := writeNew(filepath.Join(folder, "y"), func(io.Writer) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || !slices.Equal(names(entries), []string{"x.backup"}) {
		t.Errorf("the folder has %v, %v", names(entries), err)
	}
}

// TestDecidedRestoreIsFinished runs every command on a data folder with a decided and
// unfinished restore: each finishes it first.
func TestDecidedRestoreIsFinished(t *testing.T) {
	made := onSQLite(t)
	made.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")
	for cmd, words := range commands(newRoot(nil, nil)) {
		line := strings.Join(words, " ")
		if slices.Contains(append([]string{"serve", "restore"}, storeless...), line) {
			continue
		}
		c := onSQLite(t)
		if err := os.CopyFS(c.data, os.DirFS(made.data)); err != nil {
			t.Fatal(err)
		}
		unfinished(t, c.data)
		if line == "migrate" {
			if status, _, errs := c.run2(t, "migrate", "--status"); status != exitFailed || !strings.Contains(errs, "is not finished") {
				t.Errorf("migrate --status: status %d, %s", status, errs)
			}
		}
		_, _, errs := c.run2(t, rightLine(t, cmd, words, "")...)
		if _, err := os.Stat(filepath.Join(c.data, store.FileName)); err != nil {
			t.Errorf("parley %s leaves the store unfinished: %s", line, errs)
		}
		if _, err := os.Stat(filepath.Join(c.data, "restore.json")); err == nil {
			t.Errorf("parley %s leaves the plan", line)
		}
	}
}

// unfinished turns a data folder into one whose restore died between two moves.
func unfinished(t *testing.T, data string) {
	t.Helper()
	staging := filepath.Join(data, ".restore")
	err := errors.Join(os.Mkdir(staging, 0o700), os.Rename(filepath.Join(data, store.FileName), filepath.Join(staging, store.FileName)))
	if err == nil {
		plan := fmt.Sprintf(`{"aside":"before-restore-x","put":[%q],"remove":null}`, store.FileName)
		err = os.WriteFile(filepath.Join(data, "restore.json"), []byte(plan), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestServerRemovesUndecidedRestore starts a server after a restore that died before it
// was decided: its remains are deleted.
func TestServerRemovesUndecidedRestore(t *testing.T) {
	c := onSQLite(t)
	c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")
	left := filepath.Join(c.data, ".restore", "attachments")
	if err := os.MkdirAll(left, 0o700); err != nil {
		t.Fatal(err)
	}
	c.command(t, "workspace", "list")
	if _, err := os.Stat(left); err != nil {
		t.Errorf("a command removed what a running restore may write: %v", err)
	}
	serve(t, c)
	if _, err := os.Stat(filepath.Join(c.data, ".restore")); err == nil {
		t.Error("the staging folder is still there")
	}
}

// TestEveryRecipientOpens encrypts a backup for two recipients: each can open it.
func TestEveryRecipientOpens(t *testing.T) {
	c := onSQLite(t)
	c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")
	ann, toAnn := ageKey(t)
	bob, toBob := ageKey(t)
	eve, _ := ageKey(t)
	folder := t.TempDir()
	for name, line := range map[string][]string{"flags": {"--encrypt-to", toAnn, "--encrypt-to", toBob}, "commas": {"--encrypt-to", toAnn + "," + toBob}} {
		file := filepath.Join(folder, name)
		c.command(t, append([]string{"backup", "--to", file}, line...)...)
		for _, with := range [][]string{{ann}, {bob}, {eve, ann}, {ann, eve}} {
			args := []string{"backup", "--verify", "--to", file}
			for _, identity := range with {
				args = append(args, "--identity", identity)
			}
			c.command(t, args...)
		}
		if status, _, _ := c.run2(t, "backup", "--verify", "--to", file, "--identity", eve); status == 0 {
			t.Error("somebody else opens it, so the test sees nothing")
		}
	}
}

// TestIdentityIsNotRepeated passes the identity itself instead of its file: the output
// does not repeat it.
func TestIdentityIsNotRepeated(t *testing.T) {
	file, _ := ageKey(t)
	secret := strings.TrimSpace(readFile(t, file))
	c := onSQLite(t)
	check := func(args ...string) {
		t.Helper()
		status, stdout, errs := c.run2(t, args...)
		if status != exitUsage || !strings.Contains(errs, "not the identity itself") || strings.Contains(strings.ToUpper(stdout+errs), secret) {
			t.Errorf("parley %v: status %d, %s", args[:1], status, errs)
		}
	}
	check("backup", "--verify", "--to", "x", "--identity", secret)
	check("restore", "--from", "x", "--identity", strings.ToLower(secret))
	t.Setenv("PARLEY_IDENTITY", secret)
	check("restore", "--from", "x")
}

// TestRestoreWithoutMasterKey restores a plain backup whose master key is lost: what
// was not sealed is there, and the secrets are revoked.
func TestRestoreWithoutMasterKey(t *testing.T) {
	each(t, func(t *testing.T, source *cli) {
		made := source.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")
		file := filepath.Join(t.TempDir(), "a.backup")
		status, _, errs := source.run2(t, "backup", "--to", file)
		if status != 0 || !strings.Contains(errs, "which is not in it: keep a copy of that key") {
			t.Errorf("status %d, the backup says %q", status, errs)
		}
		c := onSQLite(t)
		if source.database == "" {
			c = onPostgres(t)
		}
		if status, _, errs := c.run2(t, "restore", "--from", file); status != exitFailed || !strings.Contains(errs, "--without-secrets") {
			t.Errorf("status %d, the restore says %q", status, errs)
		}
		c.command(t, "restore", "--from", file, "--without-secrets")
		if got := serve(t, c).signIn("ann@acme.example", made["ownerPassword"].(string)); got != 201 {
			t.Errorf("signing in is answered %d", got)
		}
		if status, _, errs := c.run2(t, "identity", "sign", "--workspace", made["id"].(string), "--id", "u1"); status == 0 {
			t.Errorf("an identity is signed by a secret that cannot be opened: %s", errs)
		}
	})
}
