// Package numbers operates numbers of the messaging application: it pairs them,
// holds the leases of those that it keeps connected, sends the messages in the
// outbox, stores incoming messages, creates groups, and observes budgets.
//
// It stands over the desk. A verb of the desk that queues a message inserts a
// row in deliveries; this package sends it. What the network reports is written
// in transactions that embed the desk's, by the desk's rules. No verb calls a
// network inside a transaction, because a closure may run more than once.
//
// It may import the vocabulary, the store, the JSON shapes of events, the desk,
// chatapp, and the vault.
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

// Options configure a Service.
type Options struct {
	Desk *desk.Desk
	// Connectors reach the networks, by driver.
	Connectors map[parley.Driver]chatapp.Connector
	// InviteGap returns how long to wait between two invites from one number;
	// nil: a random time like a person's.
	InviteGap func() time.Duration
}

// A Service has the verbs of numbers. Its methods may be called by many
// goroutines.
type Service struct {
	desk       *desk.Desk
	store      *store.Store
	vault      *vault.Vault
	clock      parley.Clock
	ids        *parley.IDs
	log        *slog.Logger
	files      desk.Files // nil: nothing can be uploaded
	connectors map[parley.Driver]chatapp.Connector
	inviteGap  func() time.Duration

	process     string        // the name of this process among those that share the store
	numbersWake chan struct{} // receives when there is something to do for a number
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
	s.groups = &groupMaker{service: s, hosts: numberLocks{locks: map[parley.ID]*numberLock{}}}
	s.outbox = &outbox{service: s, wake: make(chan struct{}, 1)}
	return s
}

// WithDesk returns a Service over another desk, such as one with another clock,
// that reaches the same networks. It holds no numbers.
func (s *Service) WithDesk(d *desk.Desk) *Service {
	return New(Options{Desk: d, Connectors: s.connectors, InviteGap: s.inviteGap})
}

// A tx is the transaction of a verb in this package.
type tx struct{ *desk.Tx }

// write is [desk.Write] with the transaction of this package.
func write[T any](ctx context.Context, s *Service, by desk.Caller, fn func(*tx) (T, error)) (T, error) {
	return desk.Write(ctx, s.desk, by, func(t *desk.Tx) (T, error) { return fn(&tx{t}) })
}

// commit is [desk.Commit] with the transaction of this package.
func commit[T any](ctx context.Context, s *Service, by desk.Caller, fn func(*tx) (T, error)) (T, error) {
	return desk.Commit(ctx, s.desk, by, func(t *desk.Tx) (T, error) { return fn(&tx{t}) })
}
