// Command parley is Parley: the server, and the commands by which an operator
// looks after it. All wiring is here; it is the only package that imports
// everything. See docs/operating.md for what each command does.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
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

// run carries out one command line and returns the exit status.
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

// A failure is an error of a command that was understood, in contrast to the
// errors of the flag parser.
type failure struct{ err error }

func (f *failure) Error() string { return f.err.Error() }

func (f *failure) Unwrap() error { return f.err }
