package pgtest

import (
	"context"
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
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// A Cluster is a PostgreSQL server that listens on a socket in its own folder.
type Cluster struct {
	dir    string
	bin    string
	user   *syscall.Credential
	server *exec.Cmd
	leash  io.WriteCloser
}

// newCluster starts a cluster. Its data begin as a copy of a folder, or as what initdb
// writes if there is none.
func newCluster(of string) (*Cluster, error) {
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
	if err := c.initialize(of); err != nil {
		return nil, err
	}
	return c, c.Start()
}

func (c *Cluster) data() string { return filepath.Join(c.dir, "data") }

// initialize makes the folder of the data. What initdb writes for the first of
// many clusters is kept in another folder, if one is named: copying it takes a
// tenth of the time.
func (c *Cluster) initialize(of string) error {
	kept, data := os.Getenv(keptVariable), c.data()
	for _, folder := range []string{of, kept} {
		if _, err := os.Stat(folder); err == nil {
			return copyFolder(folder, data)
		}
	}
	initdb := c.command("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	if kept == "" {
		return nil
	}
	return c.keep(kept)
}

// keep copies the data of a cluster that does not run to a folder, unless it is there.
func (c *Cluster) keep(folder string) error {
	own := folder + "." + filepath.Base(c.dir)
	if err := copyFolder(c.data(), own); err != nil {
		return err
	}
	if os.Rename(own, folder) != nil {
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
	cmd := exec.Command("/bin/sh", "-c", leash, "sh", filepath.Join(c.bin, "postgres"), "-D", c.data(),
		"-k", c.dir, "-c", "listen_addresses=", "-c", "max_connections=500", "-c", "log_min_messages=fatal",
		"-c", "dynamic_shared_memory_type=mmap") // in its folder: what a kill leaves behind goes with that
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

// halt stops the server in order, so that its data can be copied.
func (c *Cluster) halt() error {
	out, err := c.command("pg_ctl", "-D", c.data(), "-m", "fast", "-w", "stop").CombinedOutput()
	if err != nil {
		return fmt.Errorf("pg_ctl stop: %w: %s", err, out)
	}
	c.Kill() // what supervised it
	return nil
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
	ForgetMemory(c.data())
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
		if at, err := os.Readlink(link); err != nil || at != c.data() { // it ended, or is another user's
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
