package main

import (
	"context"

	"parley/internal/dashboard"
	"parley/internal/timer"
	"parley/internal/visitors"
)

// A work has the services for how members share and order their work. The dashboard
// uses them, too.
type work struct{ dashboard.Work }

func newWork(a *app, _ programOptions) work {
	return work{dashboard.Work{Visitors: visitors.New(a.desk, a.customers)}}
}

// kinds are the timers of these services.
func (work) kinds() []timer.Kind { return nil }

// tasks are what runs in the background, such as followers of the log.
func (work) tasks() []func(context.Context) { return nil }
