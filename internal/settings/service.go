// Package settings has what a team prepares for its own work: labels and canned
// answers. It also returns what a dashboard loads first ([State]), which is
// mostly settings.
//
// It stands over the desk, in whose transactions it writes.
//
// It may import the vocabulary, the store, the JSON shapes of events, the desk and
// teams.
package settings

import "parley/internal/desk"

// A Service has the verbs of settings. Its methods may be called by many
// goroutines.
type Service struct{ desk *desk.Desk }

// New returns a Service over a desk.
func New(d *desk.Desk) *Service { return &Service{desk: d} }
