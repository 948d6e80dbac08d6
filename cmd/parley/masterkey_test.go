package main

import (
	"bytes"
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"parley"
	"parley/internal/access"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/vault"
)

// keyOfBytes is a master key in base64.
func keyOfBytes(fill byte) string {
	return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{fill}, 32))
}

func vaultOf(t *testing.T, text string) *vault.Vault {
	t.Helper()
	v, err := vault.FromBase64(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// identitySecrets counts the stored identity secrets, and those of them that a
// key opens.
func identitySecrets(t *testing.T, c *cli, key string) (all, open int) {
	t.Helper()
	s, err := store.Open(t.Context(), c.storeOptions(storetest.Quiet()))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	v := vaultOf(t, key)
	err = s.View(t.Context(), func(view *store.View) error {
		workspaces, err := view.Workspaces()
		if err != nil {
			return err
		}
		for _, w := range workspaces {
			type row struct {
				kid    string
				sealed []byte
			}
			rows, err := store.Many(view, w.ID, func(r store.Row, x *row) error { return r.Scan(&x.kid, &x.sealed) },
				"SELECT kid, sealed FROM identity_keys WHERE workspace_id = $1")
			if err != nil {
				return err
			}
			for _, r := range rows {
				all++
				if _, err := v.Open(r.sealed, w.ID.String(), r.kid); err == nil {
					open++
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, open
}

// found makes workspaces, each with a secret that identities are signed with,
// and returns the id of the last.
func (c *cli) found(t *testing.T, count int) (id string) {
	t.Helper()
	for range count {
		id = c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")["id"].(string)
	}
	return id
}

// TestMasterKeyRotates replaces the key of the data folder.
func TestMasterKeyRotates(t *testing.T) {
	c := &cli{data: t.TempDir(), logLevel: "error"}
	ws := c.found(t, 3)
	path := filepath.Join(c.data, masterKeyFile)
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return string(text)
	}
	former := read(path)
	n := serveAlone(t, c, "--log-level=error")
	if said := refused(t, c, "master-key", "rotate"); !strings.Contains(said, "is served by process") || read(path+nextKey) != "" {
		t.Errorf("beside a server it says %q", said)
	}
	n.stop()
	printed := c.command(t, "master-key", "rotate")
	next := read(path)
	if next == former || read(path+formerKey) != former || read(path+nextKey) != "" {
		t.Error("the files are not as they should be")
	}
	if printed["resealed"] != 3.0 || printed["secrets"] != 3.0 || printed["fingerprint"] != vaultOf(t, next).Fingerprint() {
		t.Errorf("it prints %v", printed)
	}
	if all, open := identitySecrets(t, c, former); all != 3 || open != 0 {
		t.Errorf("the key from before opens %d of %d secrets", open, all)
	}
	if all, open := identitySecrets(t, c, next); open != all {
		t.Errorf("the new key opens %d of %d secrets", open, all)
	}
	c.command(t, "identity", "sign", "--workspace", ws, "--id", "u_1")
	serveAlone(t, c, "--log-level=error").stop()
	stale := &cli{data: t.TempDir(), logLevel: "error"}
	if err := os.CopyFS(stale.data, os.DirFS(c.data)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(stale.data, masterKeyFile)); err != nil { // its copy has wider permissions
		t.Fatal(err)
	}
	put(t, filepath.Join(stale.data, masterKeyFile), []byte(former))
	if said := refused(t, stale, "serve", "--listen="+freeAddress(t)); !strings.Contains(said, "sealed under another master key") {
		t.Errorf("with the key from before, the server says %q", said)
	}
}

// TestMasterKeyOfNodes moves two nodes of a shared database to another key, as
// the operator's guide says, one restart after the other.
func TestMasterKeyOfNodes(t *testing.T) {
	each(t, func(t *testing.T, c *cli) {
		if c.database == "" {
			return // SQLite has one node
		}
		former, next := keyOfBytes(1), keyOfBytes(2)
		t.Setenv("PARLEY_MASTER_KEY", former)
		ws := c.found(t, 2)
		a, b := serveAlone(t, c, "--log-level=error"), serveAlone(t, c, "--log-level=error")
		restart := func(n *node, flags ...string) *node {
			n.stop()
			return serveAlone(t, c, append(flags, "--log-level=error")...)
		}
		a = restart(a, "--master-key="+former, "--master-key-other="+next)
		b = restart(b, "--master-key="+former, "--master-key-other="+next)
		a = restart(a, "--master-key="+next, "--master-key-other="+former)
		if said := refused(t, c, "serve", "--listen="+freeAddress(t)); !strings.Contains(said, "parley: a new master key takes over") {
			t.Errorf("a node without the new key says %q", said)
		}
		b = restart(b, "--master-key="+next, "--master-key-other="+former)
		printed := c.command(t, "master-key", "rotate", "--master-key="+next, "--master-key-other="+former)
		if printed["resealed"] != 2.0 || printed["secrets"] != 2.0 {
			t.Errorf("it prints %v", printed)
		}
		if all, open := identitySecrets(t, c, former); all != 2 || open != 0 {
			t.Errorf("the key from before opens %d of %d secrets", open, all)
		}
		t.Setenv("PARLEY_MASTER_KEY", next)
		a, b = restart(a), restart(b)
		c.command(t, "identity", "sign", "--workspace", ws, "--id", "u_1")
		if said := refused(t, c, "serve", "--listen="+freeAddress(t), "--master-key="+former); !strings.Contains(said, "sealed under another master key") {
			t.Errorf("with the key from before, a node says %q", said)
		}
		a.stop()
		b.stop()
	})
}

// TestMasterKeyRotationIsKilled kills the command in the middle. The server then
// serves with both keys, and the next run completes it.
func TestMasterKeyRotationIsKilled(t *testing.T) {
	each(t, func(t *testing.T, c *cli) {
		const workspaces = 600
		former, next := keyOfBytes(1), keyOfBytes(2)
		arguments, both := []string{"master-key", "rotate"}, []string{}
		if c.database != "" {
			t.Setenv("PARLEY_MASTER_KEY", former)
			both = []string{"--master-key=" + next, "--master-key-other=" + former}
		}
		ws := c.found(t, 1)
		c.foundMany(t, workspaces-1)
		path := filepath.Join(c.data, masterKeyFile)
		if c.database == "" {
			former = readKey(t, path)
		}
		c.killInside(t, vaultOf(t, former), append(arguments, both...))
		if c.database == "" {
			next = readKey(t, path+nextKey)
		}
		_, was := identitySecrets(t, c, former)
		_, is := identitySecrets(t, c, next)
		if was == 0 || is == 0 || was+is != workspaces {
			t.Fatalf("after the kill, %d secrets open with the former key and %d with the next", was, is)
		}
		t.Logf("killed when %d of %d secrets were resealed", is, workspaces)
		serveAlone(t, c, append(both, "--log-level=error")...).stop()
		c.command(t, append([]string{"identity", "sign", "--workspace", ws, "--id", "u_1"}, both...)...)
		if printed := c.command(t, append(arguments, both...)...); printed["resealed"] != float64(was) || printed["secrets"] != float64(workspaces) {
			t.Errorf("the next run prints %v, want %d", printed, was)
		}
		if _, open := identitySecrets(t, c, former); open != 0 {
			t.Errorf("the key from before still opens %d secrets", open)
		}
		if c.database == "" && (readKey(t, path) != next || readKey(t, path+formerKey) != former) {
			t.Error("the files are not as they should be")
		}
	})
}

// TestMasterKeyWithoutRecord rotates the key of a store that has no record of it,
// as stores from before have that were only migrated. A run that stops in the
// middle leaves both keys in use, and moves the files of neither.
func TestMasterKeyWithoutRecord(t *testing.T) {
	c := &cli{data: t.TempDir(), logLevel: "error"}
	first, last := c.found(t, 1), c.found(t, 1)
	sql := func(statement string) {
		t.Helper()
		conn, err := sqlite.OpenConn(filepath.Join(c.data, store.FileName), sqlite.OpenReadWrite)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		if err := sqlitex.ExecuteScript(conn, statement, nil); err != nil {
			t.Fatal(err)
		}
	}
	former := readKey(t, filepath.Join(c.data, masterKeyFile))
	const ofLast = " WHERE workspace_id = (SELECT max(workspace_id) FROM workspaces);"
	sql("DELETE FROM installation; UPDATE identity_keys SET kid = 'x' || kid" + ofLast)
	if said := refused(t, c, "master-key", "rotate"); !strings.Contains(said, "identity_keys.sealed of ") {
		t.Errorf("a secret of another record gives %q", said)
	}
	if _, open := identitySecrets(t, c, former); open != 0 {
		t.Errorf("the run stopped before the first secret: the key from before opens %d", open)
	}
	sql("UPDATE identity_keys SET kid = substr(kid, 2)" + ofLast)
	serveAlone(t, c, "--log-level=error").stop()
	for _, ws := range []string{first, last} {
		c.command(t, "identity", "sign", "--workspace", ws, "--id", "u_1")
	}
	if readKey(t, filepath.Join(c.data, masterKeyFile)) != former {
		t.Error("the key was replaced while secrets are sealed under it")
	}
	c.command(t, "master-key", "rotate")
	if all, open := identitySecrets(t, c, former); all != 2 || open != 0 {
		t.Errorf("the key from before opens %d of %d secrets", open, all)
	}
}

// killInside runs a command that reseals, and kills it when the secret of the
// first workspace no longer opens with a key. The secrets of the others follow
// one by one.
func (c *cli) killInside(t *testing.T, former *vault.Vault, arguments []string) {
	t.Helper()
	s := storetest.Open(t, c.storeOptions(storetest.Quiet()))
	resealed := func() (changed bool) {
		err := s.View(t.Context(), func(view *store.View) error {
			all, err := view.Workspaces()
			if err != nil {
				return err
			}
			ws := all[0].ID
			changed, err = store.One(view, ws, "secret", func(r store.Row, changed *bool) error {
				var kid string
				var sealed []byte
				err := r.Scan(&kid, &sealed)
				_, failed := former.Open(sealed, ws.String(), kid)
				*changed = failed != nil
				return err
			}, "SELECT kid, sealed FROM identity_keys WHERE workspace_id = $1")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return changed
	}
	if resealed() {
		t.Fatal("the first secret does not open with the key")
	}
	cmd := exec.Command(os.Args[0], c.arguments(arguments...)...)
	cmd.Env = append(os.Environ(), nodeMain+"=yes")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); !resealed(); {
		if time.Now().After(deadline) {
			t.Fatal("nothing is resealed")
		}
	}
	_ = cmd.Process.Kill() // it may be over, which the caller finds out
	_ = cmd.Wait()         // it was killed
}

func readKey(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// foundMany makes workspaces that have nothing but a secret.
func (c *cli) foundMany(t *testing.T, count int) {
	t.Helper()
	keyed := *c
	keyed.master = os.Getenv("PARLEY_MASTER_KEY")
	a, err := keyed.open(t.Context(), appOptions{log: storetest.Quiet(), clock: time.Now, existing: true})
	if err != nil {
		t.Fatal(err)
	}
	for range count {
		ws := parley.WorkspaceID(a.ids.New(time.Now()))
		made := access.NewIdentitySecret(a.ids, parley.SecretKey)
		made.Key.CreatedAt = time.Now()
		if err := made.Seal(a.secrets, ws, ""); err != nil {
			t.Fatal(err)
		}
		err := a.store.Write(t.Context(), ws, func(tx *store.Tx) error {
			if err := tx.InsertWorkspace(&parley.Workspace{ID: ws, Name: "Acme", Epoch: "e", CreatedAt: made.Key.CreatedAt}); err != nil {
				return err
			}
			return tx.InsertIdentityKey(ws, &made.Key, made.Sealed)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := a.close(); err != nil {
		t.Fatal(err)
	}
}

// TestWrongMasterKeys gives the keys of a rotation in ways that cannot be right.
func TestWrongMasterKeys(t *testing.T) {
	each(t, func(t *testing.T, c *cli) {
		t.Setenv("PARLEY_MASTER_KEY", keyOfBytes(1))
		c.found(t, 1)
		for says, args := range map[string][]string{
			"must both be given":              {"master-key", "rotate"},
			"sealed under another master key": {"master-key", "rotate", "--master-key=" + keyOfBytes(2), "--master-key-other=" + keyOfBytes(3)},
		} {
			status, stdout, stderr := c.run2(t, args...)
			if status == 0 || !strings.Contains(stderr, says) || stdout != "" {
				t.Errorf("parley %v: status %d, says %q, want %q", args, status, stderr, says)
			}
		}
		if _, open := identitySecrets(t, c, keyOfBytes(1)); open != 1 {
			t.Errorf("the key opens %d secrets", open)
		}
		if c.database == "" {
			return
		}
		t.Setenv("PARLEY_MASTER_KEY", "")
		if status, _, stderr := c.run2(t, "master-key", "rotate"); status != exitUsage || !strings.Contains(stderr, "--master-key: must be given with --database") {
			t.Errorf("without keys: status %d, says %q", status, stderr)
		}
	})
}
