package store

import "parley"

const identityKeyColumns = "kid, algorithm, created_at"

func scanIdentityKey(r row, k *parley.IdentityKey) error {
	return r.scan(&k.KID, &k.Algorithm, &k.CreatedAt)
}

// InsertIdentityKey stores a new identity key with its sealed secret.
func (tx *Tx) InsertIdentityKey(ws parley.WorkspaceID, k *parley.IdentityKey, sealed []byte) error {
	return tx.exec("INSERT INTO identity_keys (workspace_id, "+identityKeyColumns+", sealed) VALUES ($1, $2, $3, $4, $5)",
		ws, k.KID, k.Algorithm, k.CreatedAt, sealed)
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
