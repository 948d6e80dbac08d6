package main

import (
	"context"

	"parley/internal/dashboard"
	"parley/internal/timer"
)

// A work has the services for how members share and order their work. The dashboard
// uses them, too.
type work struct{ dashboard.Work }

func newWork(*app, programOptions) work { return work{} }

// kinds are the timers of these services.
func (work) kinds() []timer.Kind { return nil }

// tasks are what runs in the background, such as followers of the log.
func (work) tasks() []func(context.Context) { return nil }
