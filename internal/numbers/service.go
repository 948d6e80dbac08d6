// Package numbers is what Parley does with numbers of the messaging application:
// it pairs them, holds the lease of those that it keeps connected, sends what
// waits in the outbox, keeps what comes in, makes groups, and keeps to budgets.
//
// It stands over the desk. A verb of the desk that queues a message writes a row
// in deliveries; what becomes of that row is decided here. What the network tells
// is written in transactions that embed the desk's, by the desk's rules. No verb
// talks to a network inside a transaction, because a closure may run more than
// once.
//
// It may import the vocabulary, the store, the JSON shapes of events, the desk,
// the seam to the messaging application, and the vault.
package numbers

import (
	"context"
	"log/slog"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/vault"
)

// Options are what a Service works with.
type Options struct {
	Desk *desk.Desk
	// Connectors reach the networks, by driver.
	Connectors map[parley.Driver]chatapp.Connector
	// InviteGap is how long to wait between two invites that one number sends
	// to people; nil for a time at random that looks like a person's.
	InviteGap func() time.Duration
}

// A Service carries out the verbs of numbers. Its methods may be called by many
// goroutines.
type Service struct {
	desk       *desk.Desk
	store      *store.Store
	vault      *vault.Vault
	clock      parley.Clock
	ids        *parley.IDs
	log        *slog.Logger
	files      desk.Files // nil where none are kept
	connectors map[parley.Driver]chatapp.Connector
	inviteGap  func() time.Duration

	process     string        // names this process among those that share the store
	numbersWake chan struct{} // tells that there is something to do for a number
	pairingNews chan PairingNews
	held        holding
	groups      *groupMaker
	outbox      *outbox
	pairing     pairings
}

// New returns a Service.
func New(o Options) *Service {
	if o.InviteGap == nil {
		o.InviteGap = inviteGap
	}
	base := o.Desk.Base()
	s := &Service{
		desk: o.Desk, store: base.Store, vault: base.Vault, clock: base.Clock, ids: base.IDs, log: base.Log, files: base.Files,
		connectors: o.Connectors, inviteGap: o.InviteGap,
		process:     base.IDs.NewText(20),
		numbersWake: make(chan struct{}, 1),
		pairingNews: make(chan PairingNews, pairingNewsKept),
	}
	s.groups = &groupMaker{service: s, hosts: turns{locks: map[parley.ID]*turn{}}}
	s.outbox = &outbox{service: s, wake: make(chan struct{}, 1)}
	return s
}

// WithDesk returns a Service over another desk, such as one with another clock,
// that reaches the same networks. It holds no numbers of its own accord.
func (s *Service) WithDesk(d *desk.Desk) *Service {
	return New(Options{Desk: d, Connectors: s.connectors, InviteGap: s.inviteGap})
}

// A tx is the transaction of one verb of this package.
type tx struct{ *desk.Tx }

// write is desk.Write with the transaction of this package.
func write[T any](ctx context.Context, s *Service, by desk.Caller, fn func(*tx) (T, error)) (T, error) {
	return desk.Write(ctx, s.desk, by, func(t *desk.Tx) (T, error) { return fn(&tx{t}) })
}

// commit is desk.Commit with the transaction of this package.
func commit[T any](ctx context.Context, s *Service, by desk.Caller, fn func(*tx) (T, error)) (T, error) {
	return desk.Commit(ctx, s.desk, by, func(t *desk.Tx) (T, error) { return fn(&tx{t}) })
}
