package store

import (
	"parley"
)

// IdentityKeyColumns are the columns of an identity key.
const IdentityKeyColumns = "kid, algorithm, kind, public_key, jwks_url, issuer, audience, retire_at, revoked_at, created_at, last_used_at"

// InsertIdentityKey stores a new identity key. sealed is its encrypted secret,
// nil for a key without one.
func (tx *Tx) InsertIdentityKey(ws parley.WorkspaceID, k *parley.IdentityKey, sealed []byte) error {
	return tx.exec("INSERT INTO identity_keys (workspace_id, "+IdentityKeyColumns+`, sealed)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
		ws, k.KID, k.Algorithm, string(k.Kind), k.PublicPEM, k.JWKSURL, k.Issuer, k.Audience, k.RetireAt, k.RevokedAt,
		k.CreatedAt, k.LastUsedAt, sealed)
}
