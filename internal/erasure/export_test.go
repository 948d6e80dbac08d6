package erasure

import (
	"context"
	"errors"
	"slices"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

// Steps returns the names of the steps of an erasure.
func Steps() []string {
	var names []string
	for _, s := range steps() {
		names = append(names, s.name)
	}
	return names
}

// Without returns a Service that does nothing in a step.
func (svc *Service) Without(name string) *Service {
	poorer := *svc
	poorer.steps = slices.Clone(svc.steps)
	for i := range poorer.steps {
		if poorer.steps[i].name == name {
			poorer.steps[i].run = func(*tx, *Erasure) (progress, error) { return done, nil }
		}
	}
	return &poorer
}

// Holding returns a Service that waits before a step.
func (svc *Service) Holding(name string) *Service {
	holding := *svc
	holding.steps = slices.Clone(svc.steps)
	for i := range holding.steps {
		if holding.steps[i].name == name {
			holding.steps[i].run = func(*tx, *Erasure) (progress, error) { return wait, nil }
		}
	}
	return &holding
}

// Dying returns a Service with small transactions whose steps fail after some runs, as
// if the process died.
func (svc *Service) Dying(batch, after int) *Service {
	dying := *svc
	dying.batch, dying.steps = batch, slices.Clone(svc.steps)
	runs := 0
	for i := range dying.steps {
		run := dying.steps[i].run
		dying.steps[i].run = func(t *tx, e *Erasure) (progress, error) {
			if runs++; runs > after {
				return more, errors.New("the process died")
			}
			return run(t, e)
		}
	}
	return &dying
}

// Tick returns the time of a rule after it has read the clock.
func Tick(clock, looked, now time.Time) time.Time {
	r := Rule{ClockAt: clock, LookedAt: looked}
	r.tick(now)
	return r.ClockAt
}

// InPages returns a Service whose runs read few and small pages of the log.
func (svc *Service) InPages(batch, pages int) *Service {
	slow := *svc
	slow.batch, slow.pages = batch, pages
	return &slow
}

// ReadTraces runs the pass over the log and the answers that an erasure waits for.
func (svc *Service) ReadTraces(ctx context.Context, by desk.Caller, id parley.ID) error {
	finish, err := svc.traces(ctx, by.Workspace, desk.Timer{Kind: tracesTimer, Name: id.String()})
	if err != nil {
		return err
	}
	_, err = desk.Write(ctx, svc.desk, by, finish)
	return err
}

// Waits reports whether an erasure waits for a pass.
func (svc *Service) Waits(ctx context.Context, ws parley.WorkspaceID, id parley.ID) (bool, error) {
	_, err := desk.View(svc.desk, func(v *store.View) (desk.Timer, error) {
		return desk.SelectTimer(v, ws, tracesTimer, id.String())
	}).Now(ctx)
	return err == nil, unlessGone(err)
}

// Start returns the event after which the pass of an erasure begins.
func (svc *Service) Start(ctx context.Context, ws parley.WorkspaceID, id parley.ID) (int64, error) {
	p, err := desk.View(svc.desk, func(v *store.View) (*pass, error) {
		return svc.newPass(v, ws, desk.Timer{Kind: tracesTimer, Name: id.String()})
	}).Now(ctx)
	if err != nil {
		return 0, err
	}
	return p.start(ctx, p.last())
}

// MadeAt returns the time of an id.
func MadeAt(id parley.ID) time.Time { return madeAt(id) }

// TracesTimer is the kind of timers that read the log and the answers.
const TracesTimer = tracesTimer

// ViewsOfPreview returns how many views of the store a preview opens for groups.
func (svc *Service) ViewsOfPreview(ctx context.Context, ws parley.WorkspaceID, contact parley.ID) (views int, err error) {
	p, err := svc.previewOwn(ws, contact).Now(ctx)
	if err != nil {
		return 0, err
	}
	err = p.countInGroups(ws, func(fn func(*store.View) error) error {
		views++
		return svc.views(ctx)(fn)
	})
	return views, err
}
