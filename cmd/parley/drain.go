package main

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/spf13/pflag"
)

const (
	// shutdownTime is how long open requests may continue after the server
	// stops, unless --shutdown-timeout sets another time.
	shutdownTime = 15 * time.Second
	// idleTime is how long connections without a request stay open after the
	// listener is closed. net/http closes them without reading what has
	// arrived, and drops a request whose headers it reads during shutdown, so a
	// request that was under way would be lost.
	idleTime = 250 * time.Millisecond
)

// stopTimes are the durations of a shutdown.
type stopTimes struct {
	// wait is how long the server keeps serving, while /readyz tells load
	// balancers to stop sending, and each answer closes its connection.
	wait time.Duration
	// timeout is how long requests may continue after that; 0 means
	// shutdownTime.
	timeout time.Duration
}

func (s *stopTimes) add(flags *pflag.FlagSet) {
	flags.DurationVar(&s.wait, "drain-wait", 0, "how long to serve on when told to stop, with /readyz answering 503")
	flags.DurationVar(&s.timeout, "shutdown-timeout", shutdownTime, "how long open requests then have to end, 1s at least")
}

func (s *stopTimes) check() error {
	if s.wait < 0 {
		return errors.New("--drain-wait: must be 0s or more")
	}
	if s.timeout < time.Second {
		return errors.New("--shutdown-timeout: must be 1s or more")
	}
	return nil
}

// drain waits for the requests of a server that accepts no more connections,
// and cuts those that remain after the timeout.
func (s *stopTimes) drain(server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(s.timeout, shutdownTime))
	defer cancel()
	time.Sleep(idleTime)
	if err := server.Shutdown(ctx); err != nil {
		return errors.Join(err, server.Close())
	}
	return nil
}
