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

// scanByID reads a secret of a record with an id.
func scanByID(r store.Row, s *secret) error {
	var id parley.ID
	err := r.Scan(&id, &s.sealed)
	s.id = id.String()
	return err
}

func selectPairingCodes(v store.Reader, ws parley.WorkspaceID) ([]secret, error) {
	return store.Many(v, ws, scanByID, "SELECT number_id, sealed FROM number_pairings WHERE workspace_id = $1 AND length(sealed) > 0 ORDER BY number_id")
}

func updatePairingCode(tx store.Writer, ws parley.WorkspaceID, number string, sealed []byte) error {
	id, _ := parley.ParseID(number) // as selectPairingCodes returned it
	return store.Exec(tx, ws, "UPDATE number_pairings SET sealed = $3 WHERE workspace_id = $1 AND number_id = $2", id, sealed)
}

func selectModelKeys(v store.Reader, ws parley.WorkspaceID) ([]secret, error) {
	return store.Many(v, ws, scanByID, "SELECT provider_id, sealed FROM model_providers WHERE workspace_id = $1 AND length(sealed) > 0 ORDER BY provider_id")
}

func updateModelKey(tx store.Writer, ws parley.WorkspaceID, provider string, sealed []byte) error {
	id, _ := parley.ParseID(provider) // as selectModelKeys returned it
	return store.Exec(tx, ws, "UPDATE model_providers SET sealed = $3 WHERE workspace_id = $1 AND provider_id = $2", id, sealed)
}

func selectMails(v store.Reader, ws parley.WorkspaceID) ([]secret, error) {
	return store.Many(v, ws, scanByID, "SELECT mail_id, sealed FROM mails WHERE workspace_id = $1 AND length(sealed) > 0 ORDER BY mail_id")
}

func updateMail(tx store.Writer, ws parley.WorkspaceID, mail string, sealed []byte) error {
	id, _ := parley.ParseID(mail) // as selectMails returned it
	return store.Exec(tx, ws, "UPDATE mails SET sealed = $3 WHERE workspace_id = $1 AND mail_id = $2", id, sealed)
}

// selectMailKeys returns the key of a workspace's addresses, which has no id.
func selectMailKeys(v store.Reader, ws parley.WorkspaceID) ([]secret, error) {
	return store.Many(v, ws, func(r store.Row, s *secret) error { return r.Scan(&s.sealed) }, "SELECT sealed FROM mail_keys WHERE workspace_id = $1")
}

func updateMailKey(tx store.Writer, ws parley.WorkspaceID, _ string, sealed []byte) error {
	return store.Exec(tx, ws, "UPDATE mail_keys SET sealed = $2 WHERE workspace_id = $1", sealed)
}

func selectPushDevices(v store.Reader, ws parley.WorkspaceID) ([]secret, error) {
	return store.Many(v, ws, scanByID, "SELECT device_id, sealed FROM push_devices WHERE workspace_id = $1 ORDER BY device_id")
}

func updatePushDevice(tx store.Writer, ws parley.WorkspaceID, device string, sealed []byte) error {
	id, _ := parley.ParseID(device) // as selectPushDevices returned it
	return store.Exec(tx, ws, "UPDATE push_devices SET sealed = $3 WHERE workspace_id = $1 AND device_id = $2", id, sealed)
}

// selectPushKeys returns the key pair of a workspace, which has no id.
func selectPushKeys(v store.Reader, ws parley.WorkspaceID) ([]secret, error) {
	return store.Many(v, ws, func(r store.Row, s *secret) error { return r.Scan(&s.sealed) }, "SELECT sealed FROM push_keys WHERE workspace_id = $1")
}

func updatePushKey(tx store.Writer, ws parley.WorkspaceID, _ string, sealed []byte) error {
	return store.Exec(tx, ws, "UPDATE push_keys SET sealed = $2 WHERE workspace_id = $1", sealed)
}

func selectFactors(v store.Reader, ws parley.WorkspaceID) ([]secret, error) {
	return store.Many(v, ws, func(r store.Row, s *secret) error { return r.Scan(&s.id, &s.sealed) },
		"SELECT member_id, sealed FROM second_factors WHERE workspace_id = $1 ORDER BY member_id")
}

func updateFactor(tx store.Writer, ws parley.WorkspaceID, member string, sealed []byte) error {
	return store.Exec(tx, ws, "UPDATE second_factors SET sealed = $3 WHERE workspace_id = $1 AND member_id = $2", member, sealed)
}

// selectClientSecrets returns the client secret of a workspace's provider, which has no id.
func selectClientSecrets(v store.Reader, ws parley.WorkspaceID) ([]secret, error) {
	return store.Many(v, ws, func(r store.Row, s *secret) error { return r.Scan(&s.sealed) }, "SELECT sealed FROM sign_in_providers WHERE workspace_id = $1")
}

func updateClientSecret(tx store.Writer, ws parley.WorkspaceID, _ string, sealed []byte) error {
	return store.Exec(tx, ws, "UPDATE sign_in_providers SET sealed = $2 WHERE workspace_id = $1", sealed)
}
