// Package knowledge has what a workspace knows for its customers: articles with
// their texts, versions and pictures, categories, the help centers of products,
// the counts of readers, and the questions that no article answers.
//
// It stands over the desk, in whose transactions it writes. Authors change the
// working text of an article; the public reads the version that was published
// last. Every change is an event, without the bodies of texts, so that readers
// of the log know what to load.
//
// It may import the vocabulary, the store, the JSON shapes of events, the desk,
// and media. The packages below it render and search texts; it only keeps them.
package knowledge

import (
	"parley/internal/desk"
	"parley/internal/store"
)

// A Service has the verbs of knowledge. Its methods may be called by many
// goroutines.
type Service struct {
	desk  *desk.Desk
	store *store.Store
	base  desk.Base
}

// New returns a Service over a desk.
func New(d *desk.Desk) *Service {
	base := d.Base()
	return &Service{desk: d, store: base.Store, base: base}
}
