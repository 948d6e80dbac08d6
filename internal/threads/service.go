// Package threads has how conversations stand to each other: which ones are linked, and
// which were merged into which.
//
// A link joins two conversations that concern each other, such as an order and its
// complaint, whoever their contacts are. It goes both ways. Whoever sees a conversation
// sees those of its links whose other conversation they may see, too.
//
// It stands over the desk, in whose transactions it writes. It may import the
// vocabulary, the store, the JSON shapes of events, the desk and later.
package threads

import "parley/internal/desk"

// A Service has the verbs of threads. Its methods may be called by many goroutines.
type Service struct{ desk *desk.Desk }

// New returns a Service over a desk.
func New(d *desk.Desk) *Service { return &Service{desk: d} }
