package apitest

import (
	"parley/internal/dashboard"
	"parley/internal/timer"
	"parley/internal/visitors"
)

// A Work has the services for how members share and order their work. The dashboard
// uses them, too.
type Work struct{ dashboard.Work }

func (w *World) openWork() {
	w.Work = Work{dashboard.Work{Visitors: visitors.New(w.Desk, w.Customers)}}
}

// kinds are the timers of these services.
func (*Work) kinds() []timer.Kind { return nil }
