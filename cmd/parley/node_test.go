package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"parley"
	"parley/internal/publicapi"
	"parley/internal/store/storetest"
)

// What tells the test's own program to be a node.
const (
	nodeListen   = "PARLEY_TEST_NODE_LISTEN"
	nodeData     = "PARLEY_TEST_NODE_DATA"
	nodeDatabase = "PARLEY_TEST_NODE_DATABASE"
	nodeDeaf     = "PARLEY_TEST_NODE_DEAF" // nothing wakes the streams but the clock
)

// runNode serves in a process of its own, which can be killed.
func runNode(listen string) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	c := &cli{data: os.Getenv(nodeData), database: os.Getenv(nodeDatabase), logLevel: "error"}
	p, err := c.newProgram(ctx, programOptions{
		log: storetest.Quiet(), clock: time.Now, sunset: publicapi.StoresSunset(), retention: parley.EventRetention,
		deaf: os.Getenv(nodeDeaf) != "",
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
	env     []string
	cmd     *exec.Cmd
}

// newNode starts a node over a store on a free port.
func newNode(t testing.TB, c *cli, deaf bool) *node {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &node{t: t, address: listener.Addr().String()}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	n.env = append(os.Environ(), nodeListen+"="+n.address, nodeData+"="+c.data, nodeDatabase+"="+c.database)
	if deaf {
		n.env = append(n.env, nodeDeaf+"=yes")
	}
	n.start()
	t.Cleanup(n.kill)
	return n
}

// start starts the process and waits until it answers.
func (n *node) start() {
	n.t.Helper()
	n.cmd = exec.Command(os.Args[0])
	n.cmd.Env = n.env
	n.cmd.Stderr = os.Stderr
	if err := n.cmd.Start(); err != nil {
		n.t.Fatal(err)
	}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		res, err := http.Get("http://" + n.address + "/readyz")
		if err == nil {
			_ = res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return
			}
		}
		if time.Now().After(deadline) {
			n.t.Fatalf("the node did not become ready: %v", err)
		}
	}
}

// kill ends the process without a warning.
func (n *node) kill() {
	_ = n.cmd.Process.Kill() // it may be over
	_ = n.cmd.Wait()         // it was killed
}
