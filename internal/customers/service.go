// Package customers is the customer's side of the product: sessions of the chat
// widget, the signed identities of customers, their conversations, what they
// see of the event log, the settings of widgets, and typing.
//
// It stands over the desk, whose transaction its own embeds. What a customer
// does is done on behalf of a session, by the desk's rules.
//
// It may import the vocabulary, the store, the JSON shapes of events, the desk,
// access, the cache, the calendar, identity, outward, and the vault.
package customers

import (
	"context"
	"log/slog"

	"parley"
	"parley/internal/cache"
	"parley/internal/desk"
	"parley/internal/identity"
	"parley/internal/outward"
	"parley/internal/store"
	"parley/internal/vault"
)

// Options configure a Service.
type Options struct {
	Desk *desk.Desk
	// FetchKeys fetches the sets of public keys that companies name; nil: from
	// public addresses only.
	FetchKeys identity.Fetch
}

// A Service has the verbs of customers. Its methods may be called by many
// goroutines.
type Service struct {
	desk  *desk.Desk
	store *store.Store
	vault *vault.Vault
	clock parley.Clock
	ids   *parley.IDs
	log   *slog.Logger

	fetchKeys    identity.Fetch
	identitySets *identity.Sets
	rejections   rejections
	customers    *cache.Cache[parley.CustomerSession]
	origins      listing
	widgets      *cache.Cache[shownWidget] // by inbox
	typing       typingTargets
	viewed       viewed
}

// New returns a Service.
func New(o Options) *Service {
	if o.FetchKeys == nil {
		o.FetchKeys = identity.NewFetch(outward.NewDialer(outward.Options{}))
	}
	base := o.Desk.Base()
	return &Service{
		desk: o.Desk, store: base.Store, vault: base.Vault, clock: base.Clock, ids: base.IDs, log: base.Log,
		fetchKeys: o.FetchKeys, identitySets: identity.NewSets(o.FetchKeys, base.Clock, base.Log),
		customers: cache.New[parley.CustomerSession](base.Clock), widgets: cache.New[shownWidget](base.Clock), origins: listing{now: base.Clock},
	}
}

// WithDesk returns a Service over another desk, such as one with another clock.
func (svc *Service) WithDesk(d *desk.Desk) *Service {
	return New(Options{Desk: d, FetchKeys: svc.fetchKeys})
}

// A tx is the transaction of a verb in this package.
type tx struct{ *desk.Tx }

// write is [desk.Write] with the transaction of this package.
func write[T any](ctx context.Context, svc *Service, by desk.Caller, fn func(*tx) (T, error)) (T, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (T, error) { return fn(&tx{t}) })
}
