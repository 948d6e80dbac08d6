package desk

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"sync"
	"time"

	"parley"
	"parley/internal/store"
)

// NewKey is what a key is made of.
type NewKey struct {
	Name      string
	Scopes    []parley.Scope
	ExpiresAt time.Time // zero: never
}

// CreateKey makes a key and returns the secret that is shown this once.
func (d *Desk) CreateKey(ctx context.Context, by Caller, in NewKey) (parley.Key, parley.Secret, error) {
	if err := d.checkKey(in); err != nil {
		return parley.Key{}, "", err
	}
	secret, err := parley.NewSecret(rand.Reader)
	if err != nil {
		return parley.Key{}, "", err
	}
	key, err := write(ctx, d, by, func(t *tx) (parley.Key, error) {
		if _, err := t.Workspace(t.ws); err != nil {
			return parley.Key{}, err
		}
		return t.insertKey(in, secret)
	})
	return key, secret, err
}

func (d *Desk) checkKey(in NewKey) error {
	if err := checkName("name", in.Name); err != nil {
		return err
	}
	if len(in.Scopes) == 0 {
		return parley.InvalidField("scopes", "name at least one scope")
	}
	for _, scope := range in.Scopes {
		if !slices.Contains(parley.Scopes, scope) {
			names := make([]string, len(parley.Scopes))
			for i, s := range parley.Scopes {
				names[i] = string(s)
			}
			return parley.InvalidField("scopes", "be of "+strings.Join(names, ", "))
		}
	}
	if !in.ExpiresAt.IsZero() && !in.ExpiresAt.After(d.clock.Now()) {
		return parley.InvalidField("expiresAt", "be in the future")
	}
	return nil
}

func (t *tx) insertKey(in NewKey, secret parley.Secret) (parley.Key, error) {
	k := parley.Key{
		ID: t.ids.New(t.now), Workspace: t.ws, Name: in.Name, Scopes: in.Scopes, ExpiresAt: in.ExpiresAt, CreatedAt: t.now,
	}
	k.Prefix, k.LastFour = secret.Display()
	return k, t.InsertKey(t.ws, &k, secret.Hash())
}

// Keys returns the keys of a workspace, oldest first.
func (d *Desk) Keys(ctx context.Context, ws parley.WorkspaceID) ([]parley.Key, error) {
	return view(ctx, d, func(v *store.View) ([]parley.Key, error) { return v.Keys(ws) })
}

// RevokeKey ends a key on every node within a second. Revoking it again
// changes nothing.
func (d *Desk) RevokeKey(ctx context.Context, by Caller, id parley.ID) (parley.Key, error) {
	return write(ctx, d, by, func(t *tx) (parley.Key, error) {
		k, err := t.Key(t.ws, id)
		if err != nil || !k.RevokedAt.IsZero() {
			return k, err
		}
		k.RevokedAt = t.now
		return k, t.UpdateKeyRevoked(t.ws, id, k.RevokedAt)
	})
}

// Authenticate returns the key of a secret. A secret that is malformed or
// unknown, and a key that is expired or revoked, is Unauthenticated.
func (d *Desk) Authenticate(ctx context.Context, secret parley.Secret) (parley.Key, error) {
	refused := parley.Errorf(parley.Unauthenticated, "the API key is not valid")
	if !secret.WellFormed() {
		return parley.Key{}, refused
	}
	hash := secret.Hash()
	key, known := d.keys.get(hash)
	if !known {
		var err error
		key, err = view(ctx, d, func(v *store.View) (parley.Key, error) { return v.KeyByHash(hash) })
		if err != nil {
			if parley.KindOf(err) == parley.NotFound {
				err = refused
			}
			return parley.Key{}, err
		}
		d.keys.put(hash, key)
	}
	if !key.Valid(d.clock.Now()) {
		return parley.Key{}, refused
	}
	return key, nil
}

const (
	// keyCacheTime is how long a key is used without another look into the
	// store. With it, a revoked key stops within a second everywhere.
	keyCacheTime = 500 * time.Millisecond
	// keyCacheSize bounds the memory; a full cache starts anew.
	keyCacheSize = 10000
)

// A keyCache remembers keys for a moment.
type keyCache struct {
	mu   sync.RWMutex
	keys map[[32]byte]cachedKey
}

type cachedKey struct {
	key  parley.Key
	read time.Time // of the system's clock, which does not jump within a process
}

func (c *keyCache) get(hash [32]byte) (parley.Key, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	cached, ok := c.keys[hash]
	return cached.key, ok && time.Since(cached.read) < keyCacheTime
}

func (c *keyCache) put(hash [32]byte, key parley.Key) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.keys == nil || len(c.keys) >= keyCacheSize {
		c.keys = map[[32]byte]cachedKey{}
	}
	c.keys[hash] = cachedKey{key: key, read: time.Now()}
}
