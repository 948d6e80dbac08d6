package erasure

import (
	"errors"
	"slices"
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

// Dying returns a Service with small transactions whose steps fail after some runs,
// as those of a process that dies.
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
