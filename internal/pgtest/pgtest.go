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
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"
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
	left      []string // databases of tests that have ended
}

// keptVariable names the folder where what initdb writes is kept.
const keptVariable = "PARLEY_TEST_INITDB"

// Main runs the tests of a package and then stops the cluster. Goroutines that outlive the
// tests fail it.
func Main(m *testing.M) {
	code := m.Run()
	Stop()
	if code == 0 {
		if err := leaked(); err != nil {
			fmt.Fprintln(os.Stderr, "goroutines outlive the tests:", err)
			code = 1
		}
	}
	os.Exit(code)
}

// leaked returns which goroutines are still there after ten seconds; a busy machine takes some
// time to end those of closed connections. The messaging application's library leaves the reader
// of a line behind if a frame comes while the line is closed.
func leaked() (err error) {
	for range 20 { // each look takes half a second if it finds any
		if err = goleak.Find(goleak.IgnoreAnyFunction("go.mau.fi/whatsmeow/socket.(*FrameSocket).readPump")); err == nil {
			break
		}
	}
	return err
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
// this name, once per process. fill must close all its connections. If PARLEY_TEST_INITDB names a
// folder, what fill made for the first cluster is kept beside it, for those of all
// processes; so the name must say all that fill depends on.
func Filled(t testing.TB, name string, fill func(url string)) string {
	t.Helper()
	return database(t, template(t, name, fill))
}

func template(t testing.TB, name string, fill func(url string)) string {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if made, ok := shared.templates[name]; ok {
		return made
	}
	if shared.templates == nil {
		shared.templates = map[string]string{}
	}
	made := "parley_filled_" + name
	server := os.Getenv("PARLEY_TEST_DATABASE")
	kept := os.Getenv(keptVariable)
	switch {
	case server != "":
		made = "parley_test_" + randomName() // others may use the server too
	case shared.cluster == nil && shared.err == nil && kept != "":
		shared.cluster, shared.err = filledCluster(kept+"-"+name, func(c *Cluster) { create(t, c.URL("postgres"), made, fill) })
		missing(t, shared.err)
		shared.templates[name] = made
		return made
	default:
		server = startShared(t).URL("postgres")
	}
	create(t, server, made, fill)
	shared.templates[name] = made
	return made
}

func create(t testing.TB, server, name string, fill func(url string)) {
	t.Helper()
	admin(t, server, "CREATE DATABASE "+name+" TEMPLATE template0 STRATEGY WAL_LOG")
	fill(on(t, server, name))
}

// filledCluster starts a cluster from a kept folder. The first process fills it, and the
// others wait for that.
func filledCluster(kept string, fill func(*Cluster)) (*Cluster, error) {
	lock, err := os.OpenFile(kept+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = lock.Close() }() // and with it the lock ends
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return nil, err
	}
	if _, err := os.Stat(kept); err == nil {
		return newCluster(kept)
	}
	c, err := newCluster("")
	if err != nil {
		return nil, err
	}
	fill(c)
	if err := errors.Join(c.halt(), c.keep(kept), c.Start()); err != nil {
		c.Remove()
		return nil, err
	}
	return c, nil
}

// mostLeft is how many databases of ended tests a cluster of our own keeps: to drop
// one takes longer than to make it, and the cluster does not live long.
const mostLeft = 40

func database(t testing.TB, template string) string {
	t.Helper()
	server := serverOf(t)
	name := "parley_test_" + randomName()
	admin(t, server, "CREATE DATABASE "+name+" TEMPLATE "+template+" STRATEGY WAL_LOG")
	t.Cleanup(func() {
		if old := leave(name); old != "" {
			admin(t, server, "DROP DATABASE IF EXISTS "+old+" WITH (FORCE)")
		}
	})
	return on(t, server, name)
}

// leave tells that a database is not needed any more, and returns one to drop, or "".
func leave(name string) string {
	if os.Getenv("PARLEY_TEST_DATABASE") != "" {
		return name
	}
	shared.Lock()
	defer shared.Unlock()
	shared.left = append(shared.left, name)
	if len(shared.left) <= mostLeft {
		return ""
	}
	old := shared.left[0]
	shared.left = shared.left[1:]
	return old
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
	return startShared(t)
}

// startShared starts the shared cluster, if it does not run. The caller has the lock.
func startShared(t testing.TB) *Cluster {
	t.Helper()
	if shared.cluster == nil && shared.err == nil {
		shared.cluster, shared.err = newCluster("")
	}
	missing(t, shared.err)
	return shared.cluster
}

// NewCluster starts a separate cluster, for tests that stop or kill it. It is removed when the test ends.
func NewCluster(t testing.TB) *Cluster {
	t.Helper()
	c, err := newCluster("")
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

func randomName() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
