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
	// shutdownTime is how long open requests have when the server stops, unless
	// --shutdown-timeout says otherwise.
	shutdownTime = 15 * time.Second
	// idleTime is how long connections without a request are kept when nothing is
	// accepted any more. net/http closes them without a look at what has arrived,
	// and drops a request whose head it reads once it shuts down, so a request that
	// was on its way would be lost.
	idleTime = 250 * time.Millisecond
)

// stopTimes are how long a server takes to stop.
type stopTimes struct {
	// wait is how long it serves on, while /readyz tells balancers to go elsewhere
	// and each answer ends its connection.
	wait time.Duration
	// timeout is how long requests have from then on; 0 for shutdownTime.
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

// drain waits for the requests of a server that accepts no connections any more,
// and cuts those that are left when the time is up.
func (s *stopTimes) drain(server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(s.timeout, shutdownTime))
	defer cancel()
	time.Sleep(idleTime)
	if err := server.Shutdown(ctx); err != nil {
		return errors.Join(err, server.Close())
	}
	return nil
}
