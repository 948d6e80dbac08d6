// Package search finds contacts, companies and messages by their words. It
// follows the event log to keep the index current, so that nobody who writes
// waits for it, and decides what fits best.
//
// It stands over the desk. What words are is said in fulltext; the index is in the
// store.
//
// It may import the vocabulary, the store, the desk and fulltext.
package search

import (
	"log/slog"

	"parley/internal/desk"
	"parley/internal/store"
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
	store *store.Store
	log   *slog.Logger
	wake  <-chan struct{}
}

// New returns a Service.
func New(o Options) *Service {
	base := o.Desk.Base()
	return &Service{desk: o.Desk, store: base.Store, log: base.Log, wake: o.Wake}
}
