// Package access decides who gets in: members with passwords and sessions,
// invitations, API keys and their use, and the throttle for guessing passwords.
// It also founds workspaces with the first of each.
//
// It stands over the desk, whose transaction its own embeds. It admits
// requests; whether a member may still make a change is checked again by the
// desk, in the transaction of the change.
//
// It may import the vocabulary, the store, the JSON shapes of events, the desk,
// the cache, the names of the algorithms of identities, and the vault.
package access

import (
	"context"
	"log/slog"

	"parley"
	"parley/internal/access/browser"
	"parley/internal/access/throttle"
	"parley/internal/audit/entry"
	"parley/internal/cache"
	"parley/internal/desk"
	"parley/internal/vault"
)

// A Service has the verbs of access. Its methods may be called by many
// goroutines.
type Service struct {
	desk  *desk.Desk
	vault *vault.Vault
	clock parley.Clock
	ids   *parley.IDs
	log   *slog.Logger

	keys      *cache.Cache[parley.Key]
	sessions  *cache.Cache[SignedIn]
	use       keyUse
	refusals  refusals
	passwords *vault.Passwords
	failures  *throttle.Throttle
	forgotten throttle.Requests
	exchanges throttle.Exchanges
	browsers  browser.Register
	tellers   []Teller
}

// A Teller is told of what is recorded about accounts, in its transaction.
type Teller func(*desk.Tx, *entry.Entry) error

// New returns a Service over a desk.
func New(d *desk.Desk, tellers ...Teller) *Service {
	base := d.Base()
	return &Service{
		desk: d, vault: base.Vault, clock: base.Clock, ids: base.IDs, log: base.Log,
		keys: cache.New[parley.Key](base.Clock), sessions: cache.New[SignedIn](base.Clock),
		passwords: vault.NewPasswords(hashesAtOnce, base.Vault.PasswordCost()),
		failures:  throttle.New(base.Clock),
		browsers:  browser.Register{Vault: base.Vault}, tellers: tellers,
	}
}

// A tx is the transaction of a verb in this package.
type tx struct{ *desk.Tx }

// write is [desk.Write] with the transaction of this package.
func write[T any](ctx context.Context, svc *Service, by desk.Caller, fn func(*tx) (T, error)) (T, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (T, error) {
		for _, tell := range svc.tellers {
			t.Audit.Tell = append(t.Audit.Tell, func(e *entry.Entry) error { return tell(t, e) })
		}
		return fn(&tx{t})
	})
}
