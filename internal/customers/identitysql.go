package customers

import (
	"time"

	"parley"
	"parley/internal/store"
)

func scanIdentityKey(r store.Row, k *parley.IdentityKey) error {
	return r.Scan(identityKeyFields(k)...)
}

func identityKeyFields(k *parley.IdentityKey) []any {
	return []any{
		&k.KID, &k.Algorithm, (*string)(&k.Kind), &k.PublicPEM, &k.JWKSURL, &k.Issuer, &k.Audience, &k.RetireAt, &k.RevokedAt,
		&k.CreatedAt, &k.LastUsedAt,
	}
}

// UpdateIdentityKeyRetire stores when an identity key stops verifying.
func UpdateIdentityKeyRetire(tx store.Writer, ws parley.WorkspaceID, kid string, at time.Time) error {
	return store.Exec(tx, ws, "UPDATE identity_keys SET retire_at = $3 WHERE workspace_id = $1 AND kid = $2", kid, at)
}

// UpdateIdentityKeyRevoked stores when an identity key was revoked, and deletes
// its secret.
func UpdateIdentityKeyRevoked(tx store.Writer, ws parley.WorkspaceID, kid string, at time.Time) error {
	return store.Exec(tx, ws, "UPDATE identity_keys SET revoked_at = $3, sealed = $4 WHERE workspace_id = $1 AND kid = $2", kid, at, []byte(nil))
}

// UpdateIdentityKeyUsed stores when an identity key was last used, unless a use
// later than before is already stored, for example by another node.
func UpdateIdentityKeyUsed(tx store.Writer, ws parley.WorkspaceID, kid string, at, before time.Time) error {
	return store.Exec(tx, ws, "UPDATE identity_keys SET last_used_at = $3 WHERE workspace_id = $1 AND kid = $2 AND last_used_at <= $4",
		kid, at, before)
}

// DeleteIdentityKey deletes an identity key.
func DeleteIdentityKey(tx store.Writer, ws parley.WorkspaceID, kid string) error {
	return store.Exec(tx, ws, "DELETE FROM identity_keys WHERE workspace_id = $1 AND kid = $2", kid)
}

// SelectIdentityKey returns an identity key.
func SelectIdentityKey(v store.Reader, ws parley.WorkspaceID, kid string) (parley.IdentityKey, error) {
	return store.One(v, ws, "identity key", scanIdentityKey,
		"SELECT "+store.IdentityKeyColumns+" FROM identity_keys WHERE workspace_id = $1 AND kid = $2", kid)
}

// SelectIdentityKeys returns the identity keys, oldest first.
func SelectIdentityKeys(v store.Reader, ws parley.WorkspaceID) ([]parley.IdentityKey, error) {
	return store.Many(v, ws, scanIdentityKey,
		"SELECT "+store.IdentityKeyColumns+" FROM identity_keys WHERE workspace_id = $1 ORDER BY created_at, kid")
}

// A SealedIdentityKey is an identity key with its encrypted secret, which is
// empty for a key without one.
type SealedIdentityKey struct {
	parley.IdentityKey
	Sealed []byte
}

// SelectVerifyingIdentityKeys returns the identity keys that are neither revoked nor
// retired, oldest first.
func SelectVerifyingIdentityKeys(v store.Reader, ws parley.WorkspaceID, now time.Time) ([]SealedIdentityKey, error) {
	scan := func(r store.Row, k *SealedIdentityKey) error {
		return r.Scan(append(identityKeyFields(&k.IdentityKey), &k.Sealed)...)
	}
	return store.Many(v, ws, scan, "SELECT "+store.IdentityKeyColumns+`, sealed FROM identity_keys
		WHERE workspace_id = $1 AND revoked_at = 0 AND (retire_at = 0 OR retire_at > $2) ORDER BY created_at, kid`, now)
}

const rejectedIdentityColumns = "rejection_id, rejected_at, inbox_id, kid, reason, subject, origin"

func scanRejectedIdentity(r store.Row, i *parley.RejectedIdentity) error {
	return r.Scan(&i.ID, &i.At, &i.InboxID, &i.KID, &i.Reason, &i.Subject, &i.Origin)
}

// InsertRejectedIdentity stores an identity that was rejected.
func InsertRejectedIdentity(tx store.Writer, ws parley.WorkspaceID, i *parley.RejectedIdentity) error {
	return store.Exec(tx, ws, "INSERT INTO identity_rejections (workspace_id, "+rejectedIdentityColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
		i.ID, i.At, i.InboxID, i.KID, i.Reason, i.Subject, i.Origin)
}

// DeleteOldRejectedIdentities keeps the newest rejected identities, keep of
// them, and deletes the rest.
func DeleteOldRejectedIdentities(tx store.Writer, ws parley.WorkspaceID, keep int) error {
	return store.Exec(tx, ws, `DELETE FROM identity_rejections WHERE workspace_id = $1 AND rejection_id <= (SELECT rejection_id
		FROM identity_rejections WHERE workspace_id = $1 ORDER BY rejection_id DESC LIMIT 1 OFFSET $2)`, keep)
}

// SelectRejectedIdentities returns the rejected identities, newest first.
func SelectRejectedIdentities(v store.Reader, ws parley.WorkspaceID) ([]parley.RejectedIdentity, error) {
	return store.Many(v, ws, scanRejectedIdentity,
		"SELECT "+rejectedIdentityColumns+" FROM identity_rejections WHERE workspace_id = $1 ORDER BY rejection_id DESC")
}

// SelectIdentitySource returns the source that vouches for a signed subject, or
// NotFound if the subject was never signed.
func SelectIdentitySource(v store.Reader, ws parley.WorkspaceID, subject string) (parley.IdentitySource, error) {
	return store.One(v, ws, "signed subject", func(r store.Row, s *parley.IdentitySource) error {
		return r.Scan(&s.Subject, &s.Source, &s.Previous)
	}, "SELECT subject, source, previous FROM identity_sources WHERE workspace_id = $1 AND subject = $2", subject)
}

// UpsertIdentitySource stores the source that vouches for a signed subject.
func UpsertIdentitySource(tx store.Writer, ws parley.WorkspaceID, s parley.IdentitySource) error {
	return store.Exec(tx, ws, `INSERT INTO identity_sources (workspace_id, subject, source, previous) VALUES ($1, $2, $3, $4)
		ON CONFLICT (workspace_id, subject) DO UPDATE SET source = excluded.source, previous = excluded.previous`,
		s.Subject, s.Source, s.Previous)
}

// SelectMergedContactByIdentifier returns the contact that the last owner of an
// identifier was merged into. The identifier must not be empty.
func SelectMergedContactByIdentifier(v store.Reader, ws parley.WorkspaceID, identifier string) (parley.Contact, error) {
	return store.One(v, ws, "contact", store.ScanContact, "SELECT "+store.ContactColumns+store.ContactTables+` WHERE k.workspace_id = $1
		AND k.contact_id = (SELECT into_id FROM merged_contacts WHERE workspace_id = $1 AND identifier = $2 AND identifier <> ''
			ORDER BY merged_at DESC, contact_id DESC LIMIT 1)`, identifier)
}
