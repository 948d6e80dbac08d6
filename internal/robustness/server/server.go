// Package server builds the program and runs it as an operator would: commands and
// "serve", in processes of their own, which tests kill, stop and start again.
//
// It is only for tests.
package server

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"parley/internal/robustness/wallclock"
)

// patience is how long a server may take to start. It is far more than it needs,
// because machines that run tests are busy.
const patience = time.Minute

// built is what this process has built.
var built struct {
	sync.Mutex
	folder   string
	programs map[string]string
}

// Program returns the file of the program, which the first call builds.
func Program(t testing.TB) string {
	t.Helper()
	return Build(t, "parley")
}

// Build builds a variant of the program with more flags of "go build", once for
// each name.
func Build(t testing.TB, name string, flags ...string) string {
	t.Helper()
	built.Lock()
	defer built.Unlock()
	if file := built.programs[name]; file != "" {
		return file
	}
	if built.folder == "" {
		folder, err := os.MkdirTemp("", "robustness") //nolint:usetesting // it outlives the test that is the first to build
		if err != nil {
			t.Fatal(err)
		}
		built.folder, built.programs = folder, map[string]string{}
	}
	file := filepath.Join(built.folder, name)
	build := exec.Command("go", append(append([]string{"build", "-o", file}, flags...), "parley/cmd/parley")...)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v: %s", err, out)
	}
	built.programs[name] = file
	return file
}

// Variant builds the program with another text in one of its files, named from the root of
// the module. There is no switch in the program; the text must be there once.
func Variant(t testing.TB, name, file, text, instead string) string {
	t.Helper()
	folder := t.TempDir()
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(strings.TrimSpace(string(root)), filepath.FromSlash(file))
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(before), text) != 1 {
		t.Fatalf("%s does not say %q once", file, text)
	}
	patched, overlay := filepath.Join(folder, filepath.Base(file)), filepath.Join(folder, "overlay.json")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{file: patched}})
	err = errors.Join(err, os.WriteFile(patched, []byte(strings.Replace(string(before), text, instead, 1)), 0o600))
	if err = errors.Join(err, os.WriteFile(overlay, replace, 0o600)); err != nil {
		t.Fatal(err)
	}
	return Build(t, name, "-overlay="+overlay)
}

// Clean deletes what this process has built. A TestMain calls it after its tests.
func Clean() {
	built.Lock()
	defer built.Unlock()
	_ = os.RemoveAll(built.folder) // it is a temporary folder
	built.folder, built.programs = "", nil
}

// A Server is the program over one store.
type Server struct {
	T        testing.TB
	File     string   // of the program
	Data     string   // folder
	Database string   // URL; "" is the embedded store
	Flags    []string // more flags of serve
	Env      []string // more than this process has
	// Limits is a script of the shell that runs before the server, such as
	// "ulimit -n 80".
	Limits string
	// Clock is the wall clock of serve; nil is that of the machine. With one, Limits are
	// not for the server.
	Clock *wallclock.Clock

	address string
	log     string
	cmd     *exec.Cmd
}

// New returns a server over an empty data folder, which stops when the test ends.
// It does not run yet.
func New(t testing.TB, data, database string) *Server {
	t.Helper()
	s := &Server{T: t, File: Program(t), Data: data, Database: database, log: filepath.Join(t.TempDir(), "log")}
	s.address = freeAddress(t)
	t.Cleanup(func() {
		s.Kill()
		if t.Failed() {
			t.Logf("the server's log ends with\n%s", s.Log())
		}
	})
	return s
}

// Address returns an unused address.
func Address(t testing.TB) string {
	t.Helper()
	return freeAddress(t)
}

// freeAddress returns an unused address. The system gives ports of 127.0.0.1 to
// others, but not those of a random address of the loopback network.
func freeAddress(t testing.TB) string {
	t.Helper()
	host := netip.AddrFrom4([4]byte{127, byte(1 + rand.IntN(254)), byte(rand.IntN(256)), byte(1 + rand.IntN(254))})
	listener, err := net.Listen("tcp", netip.AddrPortFrom(host, 0).String())
	if err != nil { // not on Linux
		listener, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err == nil {
		err = listener.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return listener.Addr().String()
}

// PID returns the number of the process that runs.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// URL returns the base URL.
func (s *Server) URL() string { return "http://" + s.address }

// Log returns the end of the log.
func (s *Server) Log() string {
	text := s.WholeLog()
	return text[max(0, len(text)-4000):]
}

// WholeLog returns the log of all starts.
func (s *Server) WholeLog() string {
	text, _ := os.ReadFile(s.log) // none before the first start
	return string(text)
}

// Command runs a command over the store and returns what it prints.
func (s *Server) Command(args ...string) ([]byte, error) {
	cmd := exec.Command(s.File, s.arguments(args...)...)
	cmd.Env = append(os.Environ(), s.Env...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("parley %s: %w: %s", args[0], err, &errs)
	}
	return out, err
}

func (s *Server) arguments(args ...string) []string {
	args = append(args, "--data="+s.Data)
	if s.Database != "" {
		args = append(args, "--database="+s.Database)
	}
	return args
}

// Found creates a workspace and returns its id, and its key, which has every scope.
func (s *Server) Found() (workspace, key string) {
	s.T.Helper()
	workspace, key, _ = s.FoundOwned()
	return workspace, key
}

// Owner is the e-mail address of the owner of a workspace.
const Owner = "ann@acme.example"

// FoundOwned is Found, and returns the password of the owner too.
func (s *Server) FoundOwned() (workspace, key, password string) {
	s.T.Helper()
	out, err := s.Command("workspace", "create", "--json", "--name=Acme", "--owner-email="+Owner)
	if err != nil {
		s.T.Fatal(err)
	}
	var made struct{ ID, APIKey, OwnerPassword string }
	if err := json.Unmarshal(out, &made); err != nil || made.APIKey == "" {
		s.T.Fatalf("workspace create prints %s, %v", out, err)
	}
	return made.ID, made.APIKey, made.OwnerPassword
}

// Begin starts the server and does not wait.
func (s *Server) Begin() {
	s.T.Helper()
	args := s.arguments(append([]string{"serve", "--listen=" + s.address, "--log-level=warn"}, s.Flags...)...)
	start := (*exec.Cmd).Start
	s.cmd = exec.Command("sh", append([]string{"-c", cmp.Or(s.Limits, ":") + ` && exec "$@"`, "sh", s.File}, args...)...)
	if s.Clock != nil {
		s.cmd, start = exec.Command(s.File, args...), s.Clock.Start
	}
	s.cmd.Env = append(os.Environ(), s.Env...)
	s.cmd.SysProcAttr = diesWithParent(&syscall.SysProcAttr{})
	log, err := os.OpenFile(s.log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		s.T.Fatal(err)
	}
	defer func() { _ = log.Close() }() // the process has its own
	s.cmd.Stderr = log
	if err := start(s.cmd); err != nil {
		s.T.Fatal(err)
	}
}

// Start starts the server, waits until it is ready, and returns how long that took.
func (s *Server) Start() time.Duration {
	s.T.Helper()
	begun := time.Now()
	s.Begin()
	s.Until("the server is not ready", func() error {
		s.T.Helper()
		if !s.Runs() {
			s.T.Fatalf("the server has ended; its log ends with\n%s", s.Log())
		}
		return s.Ready()
	})
	return time.Since(begun)
}

// Until polls a condition, because processes send no signal. If it does not come to hold,
// the test fails and says what is failing.
func (s *Server) Until(failing string, holds func() error) {
	s.T.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		err := holds()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			s.T.Fatalf("%s: %v; its log ends with\n%s", failing, err, s.Log())
		}
	}
}

// Ready returns an error unless the server is ready.
func (s *Server) Ready() error {
	ask := http.Client{Timeout: 10 * time.Second}
	res, err := ask.Get(s.URL() + "/readyz")
	if err != nil {
		return err
	}
	text, err := io.ReadAll(res.Body)
	_ = res.Body.Close() // it was read
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("/readyz answers %d: %s", res.StatusCode, text)
	}
	return err
}

// Kill kills the process, as "kill -9" does.
func (s *Server) Kill() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Kill() // it may be over
	_ = s.cmd.Wait()         // it was killed
	s.cmd = nil
}

// Stop ends the process by SIGTERM and requires that it ends well.
func (s *Server) Stop() {
	s.T.Helper()
	err := s.cmd.Process.Signal(syscall.SIGTERM)
	if err = errors.Join(err, s.cmd.Wait()); err != nil {
		s.T.Errorf("the server did not stop well: %v; its log ends with\n%s", err, s.Log())
	}
	s.cmd = nil
}

// Runs reports whether the process still runs.
func (s *Server) Runs() bool {
	return s.cmd != nil && s.cmd.Process.Signal(syscall.Signal(0)) == nil && !s.zombie()
}

// zombie reports whether the process has ended and was not waited for.
func (s *Server) zombie() bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	return err == nil && strings.Contains(string(text), ") Z ")
}

// Verify backs the store up and verifies the backup: all rows are read, and every file is
// compared with its sum.
func (s *Server) Verify(t testing.TB) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "verified.backup")
	for _, args := range [][]string{{"backup", "--to", file}, {"backup", "--verify", "--to", file}} {
		if _, err := s.Command(args...); err != nil {
			t.Error(err)
		}
	}
	_ = os.Remove(file) // the next one has the same name
}
