// Package reseal moves the secrets of a store to another master key.
//
// It imports the vocabulary, the store and the vault. Each workspace is a
// transaction of its own, and what was resealed before is left alone, so a run
// that was interrupted is completed by the next one.
package reseal

import (
	"context"
	"fmt"

	"parley"
	"parley/internal/store"
	"parley/internal/vault"
)

// A Result says what Run did.
type Result struct {
	Resealed int // secrets that were sealed under the other key
	Secrets  int // all of them
}

// Run seals every secret under the key of the vault that is still sealed under
// the vault's other key. Afterwards it opens each with the first key alone, and
// records that key as the one of the store. Nodes must not seal under the other
// key meanwhile. If a secret opens with neither key, the error names it, and
// the record stays as it was.
func Run(ctx context.Context, s *store.Store, secrets *vault.Vault) (Result, error) {
	var done Result
	var workspaces []parley.Workspace
	err := s.View(ctx, func(v *store.View) (err error) {
		workspaces, err = v.Workspaces()
		return err
	})
	if err != nil {
		return done, err
	}
	for _, w := range workspaces {
		var changed int
		err := s.Write(ctx, w.ID, func(tx *store.Tx) (err error) {
			changed, err = resealAll(tx, w.ID, secrets)
			return err
		})
		if err != nil {
			return done, err
		}
		done.Resealed += changed
	}
	for _, w := range workspaces {
		err := s.View(ctx, func(v *store.View) error {
			n, err := openAll(v, w.ID, secrets.Alone())
			done.Secrets += n
			return err
		})
		if err != nil {
			return done, err
		}
	}
	return done, s.ReplaceMasterKey(ctx, secrets.Fingerprint())
}

// A secret is one that is stored sealed.
type secret struct {
	id     string // of its row
	sealed []byte
}

// A column holds secrets of a kind.
type column struct {
	name    string
	record  func(id string) string // what a secret is bound to, besides its workspace
	secrets func(store.Reader, parley.WorkspaceID) ([]secret, error)
	update  func(tx store.Writer, ws parley.WorkspaceID, id string, sealed []byte) error
}

// columns are all that hold sealed secrets.
func columns() []column {
	return []column{
		{"identity_keys.sealed", func(kid string) string { return kid }, selectIdentitySecrets, updateIdentitySecret},
		{"mail_keys.sealed", func(string) string { return "mail addresses" }, selectMailKeys, updateMailKey},
		{"mails.sealed", func(mail string) string { return "mail " + mail }, selectMails, updateMail},
		{"model_providers.sealed", func(provider string) string { return "model " + provider }, selectModelKeys, updateModelKey},
		{"push_devices.sealed", func(device string) string { return "push device " + device }, selectPushDevices, updatePushDevice},
		{"push_keys.sealed", func(string) string { return "push key" }, selectPushKeys, updatePushKey},
		{"second_factors.sealed", func(member string) string { return "second factor " + member }, selectFactors, updateFactor},
		{"sign_in_providers.sealed", func(string) string { return "sign-in provider" }, selectClientSecrets, updateClientSecret},
		{"number_pairings.sealed", func(number string) string { return "pairing " + number }, selectPairingCodes, updatePairingCode},
	}
}

// resealAll seals the secrets of a workspace that the first key does not open,
// and returns their number.
func resealAll(tx *store.Tx, ws parley.WorkspaceID, secrets *vault.Vault) (changed int, err error) {
	alone := secrets.Alone()
	for _, c := range columns() {
		all, err := c.secrets(tx, ws)
		if err != nil {
			return changed, err
		}
		for _, one := range all {
			record := c.record(one.id)
			if _, err := alone.Open(one.sealed, ws.String(), record); err == nil {
				continue
			}
			plain, err := secrets.Open(one.sealed, ws.String(), record)
			if err != nil {
				return changed, c.unreadable(ws, one, err)
			}
			sealed, err := alone.Seal(plain, ws.String(), record)
			if err == nil {
				err = c.update(tx, ws, one.id, sealed)
			}
			if err != nil {
				return changed, err
			}
			changed++
		}
	}
	return changed, nil
}

// openAll opens every secret of a workspace and returns their number.
func openAll(v *store.View, ws parley.WorkspaceID, secrets *vault.Vault) (opened int, err error) {
	for _, c := range columns() {
		all, err := c.secrets(v, ws)
		if err != nil {
			return opened, err
		}
		for _, one := range all {
			if _, err := secrets.Open(one.sealed, ws.String(), c.record(one.id)); err != nil {
				return opened, c.unreadable(ws, one, err)
			}
			opened++
		}
	}
	return opened, nil
}

func (c column) unreadable(ws parley.WorkspaceID, one secret, err error) error {
	return fmt.Errorf("%s of %s in the workspace %s: %w", c.name, one.id, ws, err)
}
