package store

import (
	"context"

	"parley"
)

// masterKey names the row of the fingerprint.
const masterKey = "master key"

func fingerprint(v *View) (string, error) {
	return one(v, "installation", func(r row, value *string) error { return r.scan(value) },
		"SELECT value FROM installation WHERE name = $1", masterKey)
}

// MasterKey returns the fingerprint of the master key that seals the secrets of
// this store, or "" if none is recorded.
func (s *Store) MasterKey(ctx context.Context) (kept string, err error) {
	err = s.View(ctx, func(v *View) error {
		kept, err = fingerprint(v)
		if parley.KindOf(err) == parley.NotFound {
			err = nil
		}
		return err
	})
	return kept, err
}

// KeepMasterKey records the fingerprint of the master key that seals the
// secrets of this store. It returns a Conflict if another fingerprint is
// recorded. The fingerprint does not reveal the key.
func (s *Store) KeepMasterKey(ctx context.Context, given string) error {
	return s.Write(ctx, parley.WorkspaceID{}, func(tx *Tx) error {
		err := tx.exec("INSERT INTO installation (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING", masterKey, given)
		if err != nil {
			return err
		}
		kept, err := fingerprint(&tx.View)
		if err == nil && kept != given {
			err = parley.Errorf(parley.Conflict, "the secrets of this store are sealed under another master key (fingerprint %s, not %s): "+
				"give every node the same --master-key, or the file master.key of the first", kept, given)
		}
		return err
	})
}
