// Package search finds contacts, companies and messages by their words. It
// follows the event log to keep the index current, so that nobody who writes
// waits for it, and decides what fits best.
//
// It stands over the desk and is a follower of the log. What words are is said in
// fulltext; the index is in the store.
//
// It may import the vocabulary, the store, the desk, follow and fulltext.
package search

import (
	"parley/internal/desk"
	"parley/internal/follow"
)

// Options are what a Service works with.
type Options struct {
	Desk *desk.Desk
	// Wake tells that something was committed, so that the index is brought forward
	// at once; it also looks by itself. It may be nil.
	Wake <-chan struct{}
}

// A Service searches and keeps the index. Its methods may be called by many
// goroutines.
type Service struct {
	desk  *desk.Desk
	index *follow.Runner
}

// New returns a Service.
func New(o Options) *Service {
	return &Service{desk: o.Desk, index: follow.New(o.Desk, follower(), o.Wake)}
}
