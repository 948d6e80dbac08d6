// Package search finds contacts, companies and messages by their words. It
// follows the event log to keep the index current, so that writers do not wait
// for it, and ranks the results.
//
// It stands over the desk and is a follower of the log. fulltext defines what
// words are; the index is in the store.
//
// It may import the vocabulary, the store, the desk, follow and fulltext.
package search

import (
	"parley/internal/desk"
	"parley/internal/follow"
)

// Options configure a Service.
type Options struct {
	Desk *desk.Desk
	// Wake receives after commits, so that the index is updated at once; it
	// also polls. It may be nil.
	Wake <-chan struct{}
}

// A Service searches and maintains the index. Its methods may be called by many
// goroutines.
type Service struct {
	desk  *desk.Desk
	index *follow.Runner
}

// New returns a Service.
func New(o Options) *Service {
	return &Service{desk: o.Desk, index: follow.New(o.Desk, follower(), o.Wake)}
}
