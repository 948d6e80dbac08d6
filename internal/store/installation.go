package store

import (
	"context"

	"parley"
)

// masterKey is the name under which the fingerprint is kept.
const masterKey = "master key"

func fingerprint(v *View) (string, error) {
	return one(v, "installation", func(r row, value *string) error { return r.scan(value) },
		"SELECT value FROM installation WHERE name = $1", masterKey)
}

// MasterKey returns the fingerprint of the master key by which this store's
// secrets are sealed, or "" where none is kept yet.
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

// KeepMasterKey remembers the fingerprint of the master key by which this
// store's secrets are sealed. Where the store remembers another, the error is a
// Conflict. The fingerprint tells nothing of the key.
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
