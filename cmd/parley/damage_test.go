package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"parley/internal/store"
	"parley/internal/store/datafolder"
	"parley/internal/store/storetest"
)

// pageSize is that of the embedded database.
const pageSize = 4096

// A folder is the data folder of a used store that is closed.
type folder struct {
	t    *testing.T
	cli  *cli
	path string // of the database
	key  string // of the API
}

func newFolder(t *testing.T) *folder {
	t.Helper()
	c := &cli{data: t.TempDir(), logLevel: "error"}
	made := c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")
	f := &folder{t: t, cli: c, path: filepath.Join(c.data, store.FileName), key: made["apiKey"].(string)}
	f.must(os.MkdirAll(filepath.Join(c.data, attachmentsFolder, made["id"].(string), "00"), 0o700))
	return f
}

func (f *folder) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f *folder) remove(name string) {
	f.t.Helper()
	f.must(os.Remove(filepath.Join(f.cli.data, name)))
}

// overwrite writes into the database.
func (f *folder) overwrite(at int64, with []byte) {
	f.t.Helper()
	file, err := os.OpenFile(f.path, os.O_RDWR, 0)
	f.must(err)
	_, err = file.WriteAt(with, at)
	f.must(err)
	f.must(file.Close())
}

// replace replaces the database.
func (f *folder) replace(script string) {
	f.t.Helper()
	f.remove(store.FileName)
	f.ask(script, nil)
}

// ask runs a script on the database.
func (f *folder) ask(script string, each func(*sqlite.Stmt) error) {
	f.t.Helper()
	conn, err := sqlite.OpenConn(f.path, sqlite.OpenReadWrite|sqlite.OpenCreate)
	f.must(err)
	f.must(sqlitex.ExecuteScript(conn, script, &sqlitex.ExecOptions{ResultFunc: each}))
	f.must(conn.Close())
}

// contents returns the files of the folder, except the lock and the logs.
func (f *folder) contents() map[string]string {
	f.t.Helper()
	all := map[string]string{}
	f.must(filepath.WalkDir(f.cli.data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, datafolder.LockName) || strings.HasSuffix(path, "-shm") || strings.HasSuffix(path, "-wal") {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	}))
	return all
}

// TestRefusedStores starts the program on stores that are damaged, missing, of
// another program, or encrypted under another key. It must report that and
// change nothing. An intact store and an empty folder are the controls.
func TestRefusedStores(t *testing.T) {
	const missing, damaged, foreign = "no store is in ", "is damaged, or no database of SQLite", "belongs to another program"
	for name, test := range map[string]struct {
		harm func(f *folder)
		says string
	}{
		"missing":             {func(f *folder) { f.remove(store.FileName) }, missing},
		"empty":               {func(f *folder) { f.must(os.Truncate(f.path, 0)) }, missing},
		"without tables":      {func(f *folder) { f.replace("CREATE TABLE a (b); DROP TABLE a;") }, missing},
		"another program's":   {func(f *folder) { f.replace("CREATE TABLE notes (text);") }, foreign},
		"text":                {func(f *folder) { f.must(os.WriteFile(f.path, []byte(strings.Repeat("hello ", 5000)), 0o600)) }, damaged},
		"noise in its head":   {func(f *folder) { f.overwrite(0, bytes.Repeat([]byte{7, 77}, 50)) }, damaged},
		"cut in half":         {func(f *folder) { f.must(os.Truncate(f.path, pageSize*20)) }, damaged},
		"without its key":     {func(f *folder) { f.remove(masterKeyFile) }, "there is no master key "},
		"with another key":    {func(f *folder) { f.cli.master = strings.Repeat("A", 43) + "=" }, "another master key"},
		"only files are left": {func(f *folder) { f.remove(store.FileName); f.remove(masterKeyFile) }, missing},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFolder(t)
			test.harm(f)
			flags := []string{}
			if f.cli.master != "" {
				flags = append(flags, "--master-key="+f.cli.master)
			}
			before := f.contents()
			commands := [][]string{
				{"serve", "--listen=" + freeAddress(t)},
				{"workspace", "create", "--name=Acme", "--owner-email=ann@acme.example"},
			}
			if !strings.Contains(test.says, "master key") { // without secrets, nothing is to be opened
				commands = append(commands, []string{"migrate"})
			}
			for _, args := range commands {
				if said := refused(t, f.cli, append(args, flags...)...); !strings.Contains(said, test.says) || strings.Contains(said, "Password") {
					t.Errorf("parley %s says %q, want %q in it", args[0], said, test.says)
				}
			}
			after := f.contents()
			for path, text := range before {
				if after[path] != text {
					t.Errorf("%s was changed", path)
				}
			}
			if len(after) != len(before) {
				t.Errorf("there are %d files, and there were %d", len(after), len(before))
			}
		})
	}
	serveAlone(t, newFolder(t).cli, "--log-level=error").stop()
	serveAlone(t, &cli{data: filepath.Join(t.TempDir(), "new"), logLevel: "error"}, "--log-level=error").stop()
}

// TestEmptyDatabase starts the program with the key of a store on an empty
// database.
func TestEmptyDatabase(t *testing.T) {
	c := &cli{data: t.TempDir(), database: storetest.Postgres(t).Database, logLevel: "error"}
	key := filepath.Join(c.data, masterKeyFile)
	if err := os.WriteFile(key, []byte(strings.Repeat("A", 43)+"=\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the first time must not fill it
		if said := refused(t, c, "serve", "--listen="+freeAddress(t)); !strings.Contains(said, "the database has no tables of a store") {
			t.Errorf("serve says %q", said)
		}
	}
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	serveAlone(t, c, "--log-level=error").stop()
}

// TestDamageIsReported serves a store whose messages begin with empty pages: the server finds
// that although nothing reads those pages. A request that does is told to come back.
func TestDamageIsReported(t *testing.T) {
	f := newFolder(t)
	var roots []int64
	f.ask("SELECT rootpage FROM sqlite_master WHERE tbl_name = 'messages'", func(stmt *sqlite.Stmt) error {
		roots = append(roots, stmt.ColumnInt64(0))
		return nil
	})
	for _, root := range roots {
		f.overwrite((root-1)*pageSize, make([]byte, pageSize))
	}
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	f.must(err)
	metrics := &node{t: t, address: freeAddress(t)}
	n := &node{t: t, address: freeAddress(t), env: append(os.Environ(), nodeMain+"=yes")}
	n.args = f.cli.arguments("serve", "--listen="+n.address, "--metrics-listen="+metrics.address)
	n.begin(log)
	t.Cleanup(n.kill)
	n.until("/readyz", http.StatusServiceUnavailable, "the store is damaged")
	n.until("/healthz", http.StatusOK, "")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+n.address+"/v1/public/messages/0193480f-2c4a-7d1e-8f00-3a5b9c2d1e0a", nil)
	f.must(err)
	req.Header.Set("Authorization", "Bearer "+f.key)
	res, err := http.DefaultClient.Do(req)
	f.must(err)
	_ = res.Body.Close() // the status is enough
	if res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" {
		t.Errorf("what reads an empty page is answered %d %v", res.StatusCode, res.Header)
	}
	metrics.until("/metrics", http.StatusOK, "parley_store_damaged 1")
	metrics.until("/metrics", http.StatusOK, "parley_store_ready 0")
	n.stop()
	said := readFile(t, log.Name())
	for _, part := range []string{"store: the database is damaged", f.path, "restore the newest good backup"} {
		if strings.Count(said, part) == 0 {
			t.Errorf("the log does not say %q:\n%s", part, said)
		}
	}
}

// TestMovedStore moves the file of a store away while it is served, replaces it
// and puts it back. No write that would be lost is acknowledged.
func TestMovedStore(t *testing.T) {
	f := newFolder(t)
	n := serveAlone(t, f.cli, "--log-level=error")
	posted := 0
	post := func() int {
		t.Helper()
		posted++
		body := fmt.Sprintf(`{"id":"%d","name":"Company %d"}`, posted, posted)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+n.address+"/v1/public/companies", strings.NewReader(body))
		f.must(err)
		req.Header.Set("Authorization", "Bearer "+f.key)
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		f.must(err)
		defer func() { _ = res.Body.Close() }()
		if text, _ := io.ReadAll(res.Body); res.StatusCode >= 400 && res.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("a post is answered with %d: %s", res.StatusCode, text)
		}
		return res.StatusCode
	}
	if status := post(); status != http.StatusCreated {
		t.Fatalf("a post is answered with %d", status)
	}
	away := filepath.Join(t.TempDir(), "away")
	refuses := func() {
		t.Helper()
		if status := post(); status != http.StatusServiceUnavailable {
			t.Errorf("a post is answered with %d", status)
		}
		n.until("/readyz", http.StatusServiceUnavailable, "moved or replaced")
	}
	for _, name := range []string{f.path, f.path + "-wal"} {
		f.must(os.Rename(name, away))
		refuses()
		text, err := os.ReadFile(away)
		f.must(err)
		f.must(os.WriteFile(name, text, 0o600))
		refuses()
		f.must(os.Rename(away, name))
		if status := post(); status != http.StatusCreated {
			t.Errorf("a post is answered with %d when %s is back", status, filepath.Base(name))
		}
		n.until("/readyz", http.StatusOK, "")
	}
}
