// Package macros has the macros of a workspace and of its members: several actions on a
// conversation under one name, done in one transaction.
//
// It stands over the desk, by whose rules a macro writes and changes.
//
// It may import the vocabulary, the store, the JSON shapes of events and the desk.
package macros

import "parley/internal/desk"

// A Service has the verbs of macros. Its methods may be called by many goroutines.
type Service struct{ desk *desk.Desk }

// New returns a Service over a desk.
func New(d *desk.Desk) *Service { return &Service{desk: d} }
