package desk

import (
	"context"
	"crypto/rand"
	"encoding/base64"

	"parley"
	"parley/internal/store"
)

// IdentityKeys returns the keys by which the identities of customers are
// signed, oldest first.
func (d *Desk) IdentityKeys(ctx context.Context, ws parley.WorkspaceID) ([]parley.IdentityKey, error) {
	return view(ctx, d, func(v *store.View) ([]parley.IdentityKey, error) { return v.IdentityKeys(ws) })
}

// CreateIdentityKey adds such a key and returns the secret, which is shown this
// once. The older ones stay valid, so that a company changes over without a
// moment in which nobody can sign in. One more than parley.MaxIdentityKeys is a
// Conflict.
func (d *Desk) CreateIdentityKey(ctx context.Context, by Caller) (parley.IdentityKey, string, error) {
	made, err := d.newIdentityKey(by.Workspace)
	if err != nil {
		return parley.IdentityKey{}, "", err
	}
	key, err := write(ctx, d, by, func(t *tx) (parley.IdentityKey, error) {
		keys, err := t.IdentityKeys(t.ws)
		if err != nil {
			return parley.IdentityKey{}, err
		}
		if len(keys) >= parley.MaxIdentityKeys {
			return parley.IdentityKey{}, parley.Errorf(parley.Conflict,
				"the workspace has %d identity keys already; delete one first", parley.MaxIdentityKeys)
		}
		return t.insertIdentityKey(made)
	})
	return key, made.secret, err
}

// DeleteIdentityKey ends an identity key: what it signed is not accepted any
// more. Deleting the last one is a Conflict, for without any nobody could sign
// in.
func (d *Desk) DeleteIdentityKey(ctx context.Context, by Caller, kid string) (parley.IdentityKey, error) {
	return write(ctx, d, by, func(t *tx) (parley.IdentityKey, error) {
		key, err := t.IdentityKey(t.ws, kid)
		if err != nil {
			return key, err
		}
		keys, err := t.IdentityKeys(t.ws)
		if err != nil {
			return key, err
		}
		if len(keys) == 1 {
			return key, parley.Errorf(parley.Conflict, "the last identity key must stay; make another one first")
		}
		if err := t.DeleteIdentityKey(t.ws, kid); err != nil {
			return key, err
		}
		return key, t.UpdateAccess(t.ws)
	})
}

// A newIdentityKey is a key that is not stored yet.
type newIdentityKey struct {
	key    parley.IdentityKey
	secret string // for HS256: 32 random bytes as base64url
	sealed []byte
}

func (d *Desk) newIdentityKey(ws parley.WorkspaceID) (newIdentityKey, error) {
	raw := make([]byte, 32)
	if _, err := rand.Read(raw); err != nil {
		return newIdentityKey{}, err
	}
	made := newIdentityKey{
		key:    parley.IdentityKey{KID: "idk_" + d.ids.NewText(20), Algorithm: "HS256"},
		secret: base64.RawURLEncoding.EncodeToString(raw),
	}
	var err error
	made.sealed, err = d.vault.Seal(raw, ws.String(), made.key.KID)
	return made, err
}

func (t *tx) insertIdentityKey(made newIdentityKey) (parley.IdentityKey, error) {
	key := made.key
	key.CreatedAt = t.now
	return key, t.InsertIdentityKey(t.ws, &key, made.sealed)
}
