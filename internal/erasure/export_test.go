package erasure

import (
	"errors"
	"slices"
	"time"
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
