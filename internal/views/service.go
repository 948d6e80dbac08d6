// Package views has the saved views of a workspace and of its members: filters of the
// list of conversations under a name, and how many conversations match them.
//
// It stands over the desk, in whose transactions it writes. It stores the query of a
// view as a text; the surface that lists conversations knows what it means.
//
// It may import the vocabulary, the store, the JSON shapes of events and the desk.
package views

import "parley/internal/desk"

// A Service has the verbs of saved views. Its methods may be called by many goroutines.
type Service struct{ desk *desk.Desk }

// New returns a Service over a desk.
func New(d *desk.Desk) *Service { return &Service{desk: d} }
