package store

import (
	"time"

	"parley"
)

const identityKeyColumns = "kid, algorithm, kind, public_key, jwks_url, issuer, audience, retire_at, revoked_at, created_at, last_used_at"

func scanIdentityKey(r row, k *parley.IdentityKey) error {
	return r.scan(identityKeyFields(k)...)
}

func identityKeyFields(k *parley.IdentityKey) []any {
	return []any{
		&k.KID, &k.Algorithm, (*string)(&k.Kind), &k.PublicPEM, &k.JWKSURL, &k.Issuer, &k.Audience, &k.RetireAt, &k.RevokedAt,
		&k.CreatedAt, &k.LastUsedAt,
	}
}

// InsertIdentityKey stores a new identity key. sealed is its encrypted secret,
// nil for a key without one.
func (tx *Tx) InsertIdentityKey(ws parley.WorkspaceID, k *parley.IdentityKey, sealed []byte) error {
	return tx.exec("INSERT INTO identity_keys (workspace_id, "+identityKeyColumns+`, sealed)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
		ws, k.KID, k.Algorithm, string(k.Kind), k.PublicPEM, k.JWKSURL, k.Issuer, k.Audience, k.RetireAt, k.RevokedAt,
		k.CreatedAt, k.LastUsedAt, sealed)
}

// UpdateIdentityKeyRetire stores when an identity key stops verifying.
func (tx *Tx) UpdateIdentityKeyRetire(ws parley.WorkspaceID, kid string, at time.Time) error {
	return tx.exec("UPDATE identity_keys SET retire_at = $3 WHERE workspace_id = $1 AND kid = $2", ws, kid, at)
}

// UpdateIdentityKeyRevoked stores when an identity key was revoked, and deletes
// its secret.
func (tx *Tx) UpdateIdentityKeyRevoked(ws parley.WorkspaceID, kid string, at time.Time) error {
	return tx.exec("UPDATE identity_keys SET revoked_at = $3, sealed = $4 WHERE workspace_id = $1 AND kid = $2", ws, kid, at, []byte(nil))
}

// UpdateIdentityKeyUsed stores when an identity key was last used, unless a use
// later than before is already stored, for example by another node.
func (tx *Tx) UpdateIdentityKeyUsed(ws parley.WorkspaceID, kid string, at, before time.Time) error {
	return tx.exec("UPDATE identity_keys SET last_used_at = $3 WHERE workspace_id = $1 AND kid = $2 AND last_used_at <= $4",
		ws, kid, at, before)
}

// DeleteIdentityKey deletes an identity key.
func (tx *Tx) DeleteIdentityKey(ws parley.WorkspaceID, kid string) error {
	return tx.exec("DELETE FROM identity_keys WHERE workspace_id = $1 AND kid = $2", ws, kid)
}

// IdentityKey returns an identity key.
func (v *View) IdentityKey(ws parley.WorkspaceID, kid string) (parley.IdentityKey, error) {
	return one(v, "identity key", scanIdentityKey,
		"SELECT "+identityKeyColumns+" FROM identity_keys WHERE workspace_id = $1 AND kid = $2", ws, kid)
}

// IdentityKeys returns the identity keys, oldest first.
func (v *View) IdentityKeys(ws parley.WorkspaceID) ([]parley.IdentityKey, error) {
	return many(v, scanIdentityKey,
		"SELECT "+identityKeyColumns+" FROM identity_keys WHERE workspace_id = $1 ORDER BY created_at, kid", ws)
}

// A SealedIdentityKey is an identity key with its encrypted secret, which is
// empty for a key without one.
type SealedIdentityKey struct {
	parley.IdentityKey
	Sealed []byte
}

// VerifyingIdentityKeys returns the identity keys that are neither revoked nor
// retired, oldest first.
func (v *View) VerifyingIdentityKeys(ws parley.WorkspaceID, now time.Time) ([]SealedIdentityKey, error) {
	scan := func(r row, k *SealedIdentityKey) error {
		return r.scan(append(identityKeyFields(&k.IdentityKey), &k.Sealed)...)
	}
	return many(v, scan, "SELECT "+identityKeyColumns+`, sealed FROM identity_keys
		WHERE workspace_id = $1 AND revoked_at = 0 AND (retire_at = 0 OR retire_at > $2) ORDER BY created_at, kid`, ws, now)
}

const rejectedIdentityColumns = "rejection_id, rejected_at, inbox_id, kid, reason, subject, origin"

func scanRejectedIdentity(r row, i *parley.RejectedIdentity) error {
	return r.scan(&i.ID, &i.At, &i.InboxID, &i.KID, &i.Reason, &i.Subject, &i.Origin)
}

// InsertRejectedIdentity stores an identity that was rejected.
func (tx *Tx) InsertRejectedIdentity(ws parley.WorkspaceID, i *parley.RejectedIdentity) error {
	return tx.exec("INSERT INTO identity_rejections (workspace_id, "+rejectedIdentityColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
		ws, i.ID, i.At, i.InboxID, i.KID, i.Reason, i.Subject, i.Origin)
}

// DeleteOldRejectedIdentities keeps the newest rejected identities, keep of
// them, and deletes the rest.
func (tx *Tx) DeleteOldRejectedIdentities(ws parley.WorkspaceID, keep int) error {
	return tx.exec(`DELETE FROM identity_rejections WHERE workspace_id = $1 AND rejection_id <= (SELECT rejection_id
		FROM identity_rejections WHERE workspace_id = $1 ORDER BY rejection_id DESC LIMIT 1 OFFSET $2)`, ws, keep)
}

// RejectedIdentities returns the rejected identities, newest first.
func (v *View) RejectedIdentities(ws parley.WorkspaceID) ([]parley.RejectedIdentity, error) {
	return many(v, scanRejectedIdentity,
		"SELECT "+rejectedIdentityColumns+" FROM identity_rejections WHERE workspace_id = $1 ORDER BY rejection_id DESC", ws)
}
