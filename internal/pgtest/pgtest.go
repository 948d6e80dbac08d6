// Package pgtest provides PostgreSQL for tests: the server named by
// PARLEY_TEST_DATABASE, or else a temporary cluster, started from the installed
// binaries as an unprivileged user. Without either, tests are skipped with a
// reason, or fail with CI=true.
//
// It is only for tests and imports nothing of this module.
package pgtest

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// shared is the cluster of this test process. Starting one takes a second, so
// all tests of the process share it, with separate databases.
var shared struct {
	sync.Mutex
	cluster *Cluster
	err     error
	// templates are the databases that others are copied from, by their
	// contents.
	templates map[string]string
}

// Main runs the tests of a package and then stops the cluster.
func Main(m *testing.M) {
	code := m.Run()
	Stop()
	os.Exit(code)
}

// Stop stops the shared cluster, if it is running, and drops the templates.
func Stop() {
	shared.Lock()
	defer shared.Unlock()
	if server := os.Getenv("PARLEY_TEST_DATABASE"); server != "" {
		for _, name := range shared.templates {
			_ = run(server, "DROP DATABASE IF EXISTS "+name) // a leftover is only a test database
		}
	}
	shared.templates = nil
	if shared.cluster != nil {
		shared.cluster.Remove()
		shared.cluster = nil
	}
}

// URL returns the URL of a new, empty database, which is dropped when the test
// ends.
func URL(t testing.TB) string {
	t.Helper()
	return database(t, "template0")
}

// Copy returns the URL of a new copy of a database that must have no
// connections.
func Copy(t testing.TB, of string) string {
	t.Helper()
	u, err := url.Parse(of)
	if err != nil {
		t.Fatal(err)
	}
	return database(t, strings.TrimPrefix(u.Path, "/"))
}

// Filled returns the URL of a new copy of the database that fill created for
// this name, once per process. fill must close all its connections.
func Filled(t testing.TB, name string, fill func(url string)) string {
	t.Helper()
	return database(t, template(t, name, fill))
}

func template(t testing.TB, name string, fill func(url string)) string {
	t.Helper()
	server := serverOf(t)
	shared.Lock()
	defer shared.Unlock()
	if made, ok := shared.templates[name]; ok {
		return made
	}
	made := "parley_test_" + randomName()
	admin(t, server, "CREATE DATABASE "+made+" TEMPLATE template0 STRATEGY WAL_LOG")
	fill(on(t, server, made))
	if shared.templates == nil {
		shared.templates = map[string]string{}
	}
	shared.templates[name] = made
	return made
}

func database(t testing.TB, template string) string {
	t.Helper()
	server := serverOf(t)
	name := "parley_test_" + randomName()
	admin(t, server, "CREATE DATABASE "+name+" TEMPLATE "+template+" STRATEGY WAL_LOG")
	t.Cleanup(func() { admin(t, server, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)") })
	return on(t, server, name)
}

func serverOf(t testing.TB) string {
	t.Helper()
	if server := os.Getenv("PARLEY_TEST_DATABASE"); server != "" {
		return server
	}
	return sharedCluster(t).URL("postgres")
}

// on returns the URL of a database of a server.
func on(t testing.TB, server, database string) string {
	t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		t.Fatalf("PARLEY_TEST_DATABASE is no URL: %v", err)
	}
	u.Path = "/" + database
	return u.String()
}

func admin(t testing.TB, server, sql string) {
	t.Helper()
	if err := run(server, sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func run(server, sql string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, sql)
	return err
}

func sharedCluster(t testing.TB) *Cluster {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.cluster == nil && shared.err == nil {
		shared.cluster, shared.err = newCluster()
	}
	missing(t, shared.err)
	return shared.cluster
}

// NewCluster starts a separate cluster, for tests that stop or kill it. It is removed when the test ends.
func NewCluster(t testing.TB) *Cluster {
	t.Helper()
	c, err := newCluster()
	missing(t, err)
	t.Cleanup(c.Remove)
	return c
}

func missing(t testing.TB, err error) {
	t.Helper()
	switch {
	case err == nil:
	case errors.Is(err, exec.ErrNotFound) && os.Getenv("CI") != "true":
		t.Skip("SKIPPED: no PostgreSQL. Install it (Debian: apt-get install postgresql) or set PARLEY_TEST_DATABASE to the URL of a server.")
	default:
		t.Fatalf("start PostgreSQL: %v", err)
	}
}

// A Cluster is a PostgreSQL server that listens on a socket in its own folder.
type Cluster struct {
	dir    string
	bin    string
	user   *syscall.Credential
	server *exec.Cmd
	leash  io.WriteCloser
}

func newCluster() (*Cluster, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "pg")
	if err != nil {
		return nil, err
	}
	c := &Cluster{dir: dir, bin: bin}
	if c.user, err = unprivileged(); err != nil {
		return nil, err
	}
	if c.user != nil {
		if err := os.Chown(dir, int(c.user.Uid), int(c.user.Gid)); err != nil {
			return nil, err
		}
	}
	if err := c.initialize(filepath.Join(dir, "data"), os.Getenv("PARLEY_TEST_INITDB")); err != nil {
		return nil, err
	}
	return c, c.Start()
}

// initialize makes the folder of the data. What initdb writes for the first of
// many clusters is kept in another folder, if one is named: copying it takes a
// tenth of the time.
func (c *Cluster) initialize(data, kept string) error {
	if _, err := os.Stat(kept); err == nil {
		return copyFolder(kept, data)
	}
	initdb := c.command("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	if kept == "" {
		return nil
	}
	own := kept + "." + filepath.Base(c.dir)
	if err := copyFolder(data, own); err != nil {
		return err
	}
	if os.Rename(own, kept) != nil {
		return os.RemoveAll(own) // another process was first
	}
	return nil
}

// copyFolder copies a folder with the owners of its files.
func copyFolder(from, to string) error {
	if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
		return fmt.Errorf("cp: %w: %s", err, out)
	}
	return nil
}

// binaries returns the folder of the server's programs: from the PATH, or else
// the latest version that Debian installed.
func binaries() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", fmt.Errorf("initdb: %w", exec.ErrNotFound)
	}
	version := func(path string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path)))) // 0 sorts last
		return n
	}
	slices.SortFunc(found, func(a, b string) int { return version(b) - version(a) })
	return filepath.Dir(found[0]), nil
}

// unprivileged returns another user if the process is root, because PostgreSQL
// refuses to run as root.
func unprivileged() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.ParseUint(u.Uid, 10, 32)
		gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
		if err := errors.Join(uidErr, gidErr); err != nil {
			return nil, err
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
	}
	return nil, errors.New("there is no user postgres or nobody to run PostgreSQL as")
}

func (c *Cluster) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(c.bin, name), args...)
	cmd.Dir = c.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.user, Setpgid: true}
	return cmd
}

// Start starts the server with its default durability and waits until it answers. A shell supervises the
// server through a pipe: when this process ends, for whatever reason, the pipe
// closes and the shell stops the server. It takes 500 connections: the tests of
// the program run many nodes side by side, and kill some whose connections the
// server has yet to notice as gone.
func (c *Cluster) Start() error {
	const leash = `"$@" & pid=$!; trap 'kill -QUIT $pid' TERM; (read line; kill -QUIT $pid) <&3 & wait $pid`
	cmd := exec.Command("/bin/sh", "-c", leash, "sh", filepath.Join(c.bin, "postgres"), "-D", filepath.Join(c.dir, "data"),
		"-k", c.dir, "-c", "listen_addresses=", "-c", "max_connections=500", "-c", "log_min_messages=fatal")
	cmd.Dir = c.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.user, Setpgid: true}
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	cmd.ExtraFiles = []*os.File{read}
	if err := cmd.Start(); err != nil {
		return errors.Join(err, read.Close(), write.Close())
	}
	_ = read.Close() // the child has its own
	c.server, c.leash = cmd, write
	return c.wait()
}

func (c *Cluster) wait() error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, c.URL("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the server does not answer: %w", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// URL returns the URL of a database of the cluster.
func (c *Cluster) URL(database string) string {
	return "postgres://postgres@/" + database + "?host=" + url.QueryEscape(c.dir)
}

// Kill kills all processes of the server at once, like a crash of the machine.
func (c *Cluster) Kill() {
	if c.server == nil {
		return
	}
	_ = c.server.Process.Kill() // the supervisor, which is waited for below
	for {
		running := c.processes()
		if len(running) == 0 {
			break
		}
		for _, pid := range running {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended just now
		}
		time.Sleep(time.Millisecond) // there is nothing to wait on: they are not our children
	}
	_ = c.server.Wait() // it was killed
	_ = c.leash.Close()
	c.server = nil
	// The lock file of a killed server would prevent a restart while its pid is
	// a zombie or belongs to another process.
	_ = os.Remove(filepath.Join(c.dir, "data", "postmaster.pid"))
	_ = os.Remove(filepath.Join(c.dir, ".s.PGSQL.5432.lock"))
}

// Freeze stops all processes of the server: it neither answers nor closes
// connections.
func (c *Cluster) Freeze() { c.signal(syscall.SIGSTOP) }

// Thaw resumes a frozen server.
func (c *Cluster) Thaw() { c.signal(syscall.SIGCONT) }

func (c *Cluster) signal(s syscall.Signal) {
	for _, pid := range family(c.server.Process.Pid) {
		_ = syscall.Kill(pid, s) // it may have ended just now
	}
}

// family returns a process and all its descendants.
func family(pid int) []int {
	all := []int{pid}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		return all
	}
	for field := range strings.FieldsSeq(string(text)) {
		if child, err := strconv.Atoi(field); err == nil {
			all = append(all, family(child)...)
		}
	}
	return all
}

// processes returns the processes of the server, by the folder that they work in.
// The family of a process is not enough: while it is read, the server starts
// others, and one that outlives the rest would write beside the next server.
func (c *Cluster) processes() []int {
	links, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		panic(err) // the pattern is correct
	}
	var all []int
	for _, link := range links {
		if at, err := os.Readlink(link); err != nil || at != filepath.Join(c.dir, "data") { // it ended, or is another user's
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(link))); err == nil {
			all = append(all, pid)
		}
	}
	return all
}

// Remove stops the cluster and deletes it.
func (c *Cluster) Remove() {
	c.Kill()
	_ = os.RemoveAll(c.dir)
}

func randomName() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
