package store

import (
	"context"

	"parley"
)

// KeepMasterKey remembers the fingerprint of the master key by which this
// store's secrets are sealed. Where the store remembers another, the error is a
// Conflict. The fingerprint tells nothing of the key.
func (s *Store) KeepMasterKey(ctx context.Context, fingerprint string) error {
	const name = "master key"
	return s.Write(ctx, parley.WorkspaceID{}, func(tx *Tx) error {
		err := tx.exec("INSERT INTO installation (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING", name, fingerprint)
		if err != nil {
			return err
		}
		kept, err := one(&tx.View, "installation", func(r row, value *string) error { return r.scan(value) },
			"SELECT value FROM installation WHERE name = $1", name)
		if err == nil && kept != fingerprint {
			err = parley.Errorf(parley.Conflict, "the secrets of this store are sealed under another master key: "+
				"give every node the same --master-key, or the file master.key of the first")
		}
		return err
	})
}
