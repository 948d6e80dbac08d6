package store

import (
	"context"
	"fmt"

	"parley"
)

// Names of rows with fingerprints of master keys.
const (
	masterKey = "master key"
	// nextMasterKey is there while a master key takes over from the recorded
	// one.
	nextMasterKey = "next master key"
)

// fingerprint returns a recorded fingerprint, or "".
func fingerprint(v *View, name string) (string, error) {
	kept, err := one(v, "installation", func(r row, value *string) error { return r.scan(value) },
		"SELECT value FROM installation WHERE name = $1", name)
	if parley.KindOf(err) == parley.NotFound {
		err = nil
	}
	return kept, err
}

// MasterKey returns the fingerprint of the master key that seals the secrets of
// this store, or "" if none is recorded.
func (s *Store) MasterKey(ctx context.Context) (kept string, err error) {
	err = s.View(ctx, func(v *View) error {
		kept, err = fingerprint(v, masterKey)
		return err
	})
	return kept, err
}

const setInstallation = "INSERT INTO installation (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value"

// KeepMasterKey records the fingerprint of the master key that seals the
// secrets of this store. It returns a Conflict if another fingerprint is
// recorded, unless that is other, the fingerprint of a second key that the
// caller can open secrets with; "" for none. Then the given key takes over, and
// until that is complete, callers without it get an error too. The fingerprint
// does not reveal the key.
func (s *Store) KeepMasterKey(ctx context.Context, given, other string) error {
	var lacking string // the fingerprint of a key that takes over and that the caller does not have
	err := s.Write(ctx, parley.WorkspaceID{}, func(tx *Tx) error {
		lacking = ""
		err := tx.exec("INSERT INTO installation (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING", masterKey, given)
		if err != nil {
			return err
		}
		kept, err := fingerprint(&tx.View, masterKey)
		if err != nil {
			return err
		}
		next, err := fingerprint(&tx.View, nextMasterKey)
		switch {
		case err != nil:
			return err
		case kept != given && kept != other:
			return parley.Errorf(parley.Conflict, "the secrets of this store are sealed under another master key (fingerprint %s, not %s): "+
				"give every node the same --master-key, or the file master.key of the first", kept, given)
		case next != "" && next != given && next != other:
			lacking = next
		case kept != given:
			return tx.exec(setInstallation, nextMasterKey, given)
		}
		return nil
	})
	if err == nil && lacking != "" {
		err = fmt.Errorf("a new master key takes over in this store (fingerprint %s): give it too, by --master-key or --master-key-other", lacking)
	}
	return err
}

// ReplaceMasterKey records the fingerprint of the master key that seals all
// secrets of this store now.
func (s *Store) ReplaceMasterKey(ctx context.Context, given string) error {
	return s.Write(ctx, parley.WorkspaceID{}, func(tx *Tx) error {
		if err := tx.exec(setInstallation, masterKey, given); err != nil {
			return err
		}
		return tx.exec("DELETE FROM installation WHERE name = $1", nextMasterKey)
	})
}

// ForgetMasterKeys deletes the recorded fingerprints, so that the store accepts any
// master key. The caller must have deleted everything that is sealed.
func (tx *Tx) ForgetMasterKeys() error {
	return tx.exec("DELETE FROM installation WHERE name = $1 OR name = $2", masterKey, nextMasterKey)
}
