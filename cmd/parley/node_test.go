package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley"
	"parley/internal/publicapi"
	"parley/internal/store/storetest"
)

// Environment of the test binary that makes it a node.
const (
	nodeListen   = "PARLEY_TEST_NODE_LISTEN"
	nodeData     = "PARLEY_TEST_NODE_DATA"
	nodeDatabase = "PARLEY_TEST_NODE_DATABASE"
	nodeSim      = "PARLEY_TEST_NODE_SIM"  // address of the fake network
	nodeDeaf     = "PARLEY_TEST_NODE_DEAF" // nothing wakes the streams but the clock
	nodeMain     = "PARLEY_TEST_NODE_MAIN" // be the command whose arguments the process has
)

// runNode serves in a process of its own, which can be killed.
func runNode(listen string) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	c := &cli{data: os.Getenv(nodeData), database: os.Getenv(nodeDatabase), logLevel: "error"}
	p, err := c.newProgram(ctx, programOptions{
		log: storetest.Quiet(), clock: time.Now, sunset: publicapi.StoresSunset(), retention: parley.EventRetention,
		pollOnly: os.Getenv(nodeDeaf) != "", simulation: os.Getenv(nodeSim),
	})
	if err == nil {
		var listener net.Listener
		if listener, err = net.Listen("tcp", listen); err == nil {
			err = p.serve(ctx, listener, nil)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "node:", err)
		return 1
	}
	return 0
}

// A node is the program in a process of its own.
type node struct {
	t       testing.TB
	address string
	args    []string
	env     []string
	cmd     *exec.Cmd
	program string // "": this one
}

// newNode starts a node over a store on a free port, with more settings of its
// environment.
func newNode(t testing.TB, c *cli, pollOnly bool, more ...string) *node {
	t.Helper()
	n := &node{t: t, address: freeAddress(t)}
	n.env = append(os.Environ(), nodeListen+"="+n.address, nodeData+"="+c.data, nodeDatabase+"="+c.database)
	n.env = append(n.env, more...)
	if pollOnly {
		n.env = append(n.env, nodeDeaf+"=yes")
	}
	n.start()
	t.Cleanup(n.kill)
	return n
}

// serveProcess runs "parley serve" over a store, on a free port, like an
// operator who develops against a fake network.
func serveProcess(t testing.TB, c *cli, simulation string) *node {
	t.Helper()
	n := &node{t: t, address: freeAddress(t)}
	n.args = c.arguments("serve", "--listen="+n.address, "--chatapp-sim="+simulation, "--log-level=error")
	n.env = append(os.Environ(), nodeMain+"=yes", "PARLEY_DEV=1")
	n.start()
	t.Cleanup(n.kill)
	return n
}

// serveAlone runs "parley serve" over a store, on a free port, with more flags.
func serveAlone(t testing.TB, c *cli, flags ...string) *node {
	t.Helper()
	return serveNode(t, c, freeAddress(t), flags...)
}

// serveNode is serveAlone at an address.
func serveNode(t testing.TB, c *cli, address string, flags ...string) *node {
	t.Helper()
	n := &node{t: t, address: address}
	n.args = c.arguments(append([]string{"serve", "--listen=" + n.address}, flags...)...)
	n.env = append(os.Environ(), nodeMain+"=yes")
	n.start()
	t.Cleanup(n.kill)
	return n
}

// refused runs a command over a store, which must fail, and returns its output.
func refused(t testing.TB, c *cli, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], c.arguments(args...)...)
	cmd.Env = append(os.Environ(), nodeMain+"=yes")
	said, err := cmd.CombinedOutput()
	var ended *exec.ExitError
	if !errors.As(err, &ended) || ended.ExitCode() != exitFailed {
		t.Fatalf("parley %v ended with %v, want status %d: %s", args, err, exitFailed, said)
	}
	return string(said)
}

// arguments are those of a command for this store.
func (c *cli) arguments(args ...string) []string {
	args = append(args, "--data="+c.data)
	if c.database != "" {
		args = append(args, "--database="+c.database)
	}
	return args
}

// freeAddress returns an unused address, for a process that listens there
// later, and maybe again after its end. Until then nobody else takes it: the
// system gives ports of 127.0.0.1 to others, but not those of a random address
// of the loopback network. Other systems than Linux have 127.0.0.1 alone.
func freeAddress(t testing.TB) string {
	t.Helper()
	address, err := unused(netip.AddrFrom4([4]byte{127, byte(1 + rand.IntN(254)), byte(rand.IntN(256)), byte(1 + rand.IntN(254))}))
	if err != nil {
		return freePort(t)
	}
	return address
}

// freePort returns an unused address whose host is 127.0.0.1.
func freePort(t testing.TB) string {
	t.Helper()
	address, err := unused(netip.AddrFrom4([4]byte{127, 0, 0, 1}))
	if err != nil {
		t.Fatal(err)
	}
	return address
}

func unused(host netip.Addr) (string, error) {
	listener, err := net.Listen("tcp", netip.AddrPortFrom(host, 0).String())
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// start starts the process and waits until it is ready.
func (n *node) start() {
	n.t.Helper()
	n.begin(os.Stderr)
	n.until("/readyz", http.StatusOK, "")
}

// begin starts the process. Its log goes to a file.
func (n *node) begin(log *os.File) {
	n.t.Helper()
	n.cmd = exec.Command(cmp.Or(n.program, os.Args[0]), n.args...)
	n.cmd.Env = n.env
	n.cmd.Stderr = log
	if err := n.cmd.Start(); err != nil {
		n.t.Fatal(err)
	}
}

// until requests a page until it is answered with a status, and with a text in
// its body. The other process sends no signal.
func (n *node) until(path string, status int, text string) {
	n.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		got, body := 0, ""
		res, err := http.Get("http://" + n.address + path)
		if err == nil {
			var all []byte
			all, err = io.ReadAll(res.Body)
			got, body = res.StatusCode, string(all)
			_ = res.Body.Close()
		}
		if got == status && strings.Contains(body, text) {
			return
		}
		if time.Now().After(deadline) {
			n.t.Fatalf("%s is still answered with %d, %v, want %d: %s", path, got, err, status, body)
		}
	}
}

// stop ends the process like an operator.
func (n *node) stop() {
	n.t.Helper()
	if err := n.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		n.t.Fatal(err)
	}
	if err := n.cmd.Wait(); err != nil {
		n.t.Errorf("the process did not end well: %v", err)
	}
}

// kill ends the process without a warning.
func (n *node) kill() {
	_ = n.cmd.Process.Kill() // it may be over
	_ = n.cmd.Wait()         // it was killed
}
