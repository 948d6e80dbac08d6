package store

import (
	"strings"
	"time"

	"parley"
)

const keyColumns = "workspace_id, key_id, name, scopes, prefix, last_four, expires_at, revoked_at, created_at"

func scanKey(r row, k *parley.Key) error {
	var scopes string
	err := r.scan(&k.Workspace, &k.ID, &k.Name, &scopes, &k.Prefix, &k.LastFour, &k.ExpiresAt, &k.RevokedAt, &k.CreatedAt)
	for scope := range strings.FieldsSeq(scopes) {
		k.Scopes = append(k.Scopes, parley.Scope(scope))
	}
	return err
}

// InsertKey stores a new key with the hash of its secret.
func (tx *Tx) InsertKey(ws parley.WorkspaceID, k *parley.Key, hash [32]byte) error {
	scopes := make([]string, len(k.Scopes))
	for i, scope := range k.Scopes {
		scopes[i] = string(scope)
	}
	return tx.exec("INSERT INTO api_keys ("+keyColumns+", secret_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
		ws, k.ID, k.Name, strings.Join(scopes, " "), k.Prefix, k.LastFour, k.ExpiresAt, k.RevokedAt, k.CreatedAt, hash[:])
}

// UpdateKeyRevoked stores when the key was revoked.
func (tx *Tx) UpdateKeyRevoked(ws parley.WorkspaceID, id parley.ID, at time.Time) error {
	return tx.exec("UPDATE api_keys SET revoked_at = $3 WHERE workspace_id = $1 AND key_id = $2", ws, id, at)
}

// Key returns a key.
func (v *View) Key(ws parley.WorkspaceID, id parley.ID) (parley.Key, error) {
	return one(v, "key", scanKey, "SELECT "+keyColumns+" FROM api_keys WHERE workspace_id = $1 AND key_id = $2", ws, id)
}

// Keys returns the keys of a workspace, oldest first.
func (v *View) Keys(ws parley.WorkspaceID) ([]parley.Key, error) {
	return many(v, scanKey, "SELECT "+keyColumns+" FROM api_keys WHERE workspace_id = $1 ORDER BY key_id", ws)
}

// An IdentityKey is a secret by which a company signs the identities of its
// customers, sealed under the server's master key.
type IdentityKey struct {
	KID       string
	Algorithm string
	Sealed    []byte
	CreatedAt time.Time
}

// InsertIdentityKey stores a new identity key.
func (tx *Tx) InsertIdentityKey(ws parley.WorkspaceID, k *IdentityKey) error {
	return tx.exec("INSERT INTO identity_keys (workspace_id, kid, algorithm, sealed, created_at) VALUES ($1, $2, $3, $4, $5)",
		ws, k.KID, k.Algorithm, k.Sealed, k.CreatedAt)
}

// An Answer is the first answer to a request with an Idempotency-Key.
type Answer struct {
	Route     string
	Key       string
	BodyHash  [32]byte
	Status    int
	Body      string
	CreatedAt time.Time
}

// InsertAnswer stores an answer and takes the place of one that is too old to
// be replayed.
func (tx *Tx) InsertAnswer(ws parley.WorkspaceID, a *Answer) error {
	return tx.exec(`INSERT INTO idempotency_keys (workspace_id, route, idempotency_key, body_hash, status, body, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (workspace_id, route, idempotency_key) DO UPDATE SET body_hash = excluded.body_hash,
		status = excluded.status, body = excluded.body, created_at = excluded.created_at`,
		ws, a.Route, a.Key, a.BodyHash[:], a.Status, a.Body, a.CreatedAt)
}

// Answer returns the answer to an earlier request with the key.
func (v *View) Answer(ws parley.WorkspaceID, route, key string) (Answer, error) {
	return one(v, "answer", func(r row, a *Answer) error {
		var hash []byte
		err := r.scan(&a.Route, &a.Key, &hash, &a.Status, &a.Body, &a.CreatedAt)
		copy(a.BodyHash[:], hash)
		return err
	}, `SELECT route, idempotency_key, body_hash, status, body, created_at FROM idempotency_keys
		WHERE workspace_id = $1 AND route = $2 AND idempotency_key = $3`, ws, route, key)
}

// DeleteAnswers deletes the answers from before a time.
func (tx *Tx) DeleteAnswers(ws parley.WorkspaceID, before time.Time) error {
	return tx.exec("DELETE FROM idempotency_keys WHERE workspace_id = $1 AND created_at < $2", ws, before)
}
