// Command parley is the server, and the commands for administering it. All
// wiring is here: it is the only package that imports everything.
// docs/operating.md describes the commands.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // images without a database of zones must know those of people
)

// Exit statuses.
const (
	exitFailed = 1 // the command was understood and failed
	exitUsage  = 2 // the command was not understood
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// run executes one command line and returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot(stdout, stderr)
	root.SetArgs(args)
	err := unknownCommand(root, args)
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	if err == nil {
		return 0
	}
	var failed *failure
	if errors.As(err, &failed) {
		fmt.Fprintln(stderr, "parley:", failed.err)
		return exitFailed
	}
	fmt.Fprintf(stderr, "parley: %v\nSee 'parley --help'.\n", err)
	return exitUsage
}

// A failure is an error of a valid command, in contrast to errors of the flag
// parser.
type failure struct{ err error }

func (f *failure) Error() string { return f.err.Error() }

func (f *failure) Unwrap() error { return f.err }
