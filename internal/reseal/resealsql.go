package reseal

import (
	"parley"
	"parley/internal/store"
)

func selectIdentitySecrets(v store.Reader, ws parley.WorkspaceID) ([]secret, error) {
	return store.Many(v, ws, func(r store.Row, s *secret) error { return r.Scan(&s.id, &s.sealed) },
		"SELECT kid, sealed FROM identity_keys WHERE workspace_id = $1 AND length(sealed) > 0 ORDER BY kid")
}

func updateIdentitySecret(tx store.Writer, ws parley.WorkspaceID, kid string, sealed []byte) error {
	return store.Exec(tx, ws, "UPDATE identity_keys SET sealed = $3 WHERE workspace_id = $1 AND kid = $2", kid, sealed)
}

func selectPairingCodes(v store.Reader, ws parley.WorkspaceID) ([]secret, error) {
	scan := func(r store.Row, s *secret) error {
		var number parley.ID
		err := r.Scan(&number, &s.sealed)
		s.id = number.String()
		return err
	}
	return store.Many(v, ws, scan, "SELECT number_id, sealed FROM number_pairings WHERE workspace_id = $1 AND length(sealed) > 0 ORDER BY number_id")
}

func updatePairingCode(tx store.Writer, ws parley.WorkspaceID, number string, sealed []byte) error {
	id, _ := parley.ParseID(number) // as selectPairingCodes returned it
	return store.Exec(tx, ws, "UPDATE number_pairings SET sealed = $3 WHERE workspace_id = $1 AND number_id = $2", id, sealed)
}

func selectModelKeys(v store.Reader, ws parley.WorkspaceID) ([]secret, error) {
	scan := func(r store.Row, s *secret) error {
		var provider parley.ID
		err := r.Scan(&provider, &s.sealed)
		s.id = provider.String()
		return err
	}
	return store.Many(v, ws, scan, "SELECT provider_id, sealed FROM model_providers WHERE workspace_id = $1 AND length(sealed) > 0 ORDER BY provider_id")
}

func updateModelKey(tx store.Writer, ws parley.WorkspaceID, provider string, sealed []byte) error {
	id, _ := parley.ParseID(provider) // as selectModelKeys returned it
	return store.Exec(tx, ws, "UPDATE model_providers SET sealed = $3 WHERE workspace_id = $1 AND provider_id = $2", id, sealed)
}
