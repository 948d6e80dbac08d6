//go:build nodemo

package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"

	"parley"
	"parley/internal/access"
)

// This build has no fake network.
type fakeNetwork struct{}

func (*fakeNetwork) Close() error { return nil }

// checkDemo refuses what this build does not have, before anything is opened.
// The other functions in this file are therefore never called with it.
func checkDemo(demo bool, simulation string) error {
	switch {
	case demo:
		return errors.New("--demo: is not in this build of Parley, which was made with the tag nodemo")
	case simulation != "":
		return errors.New("--chatapp-sim: is not in this build of Parley, which was made with the tag nodemo")
	}
	return nil
}

var errNoDemo = errors.New("the demo is not in this build")

func openFake(string, parley.Clock, *slog.Logger) (*http.Client, *fakeNetwork) { return nil, nil }

func toyModel(bool) http.RoundTripper { return nil }

func warnOfDemo(io.Writer, string, *slog.Logger) {}

func foundDemo(context.Context, io.Writer, *app) (access.Founding, error) {
	return access.Founding{}, errNoDemo
}

// A mailServer is that of a demo, which this build has not.
type mailServer struct{}

func (*mailServer) Close() error { return nil }

func openMailbox(*app, *programOptions) (*mailServer, byPrefix, error) { return nil, nil, nil }

func demoPages(*app, programOptions) (byPrefix, func(context.Context), error) { return nil, nil, nil }
