package backup

import (
	"slices"
	"time"

	"parley"
	"parley/internal/store"
)

// Contents returns the tables that a backup of a schema version contains.
var Contents = contents

// Settle is what a restore without keys does after the rows.
func Settle(tx *store.Tx, ids *parley.IDs, now time.Time) (int, error) {
	return settle(tx, settling{ids: ids, now: now})
}

// TakePlace moves the staging folder of a data folder into place, with everything that
// a restored store may consist of. Like a process that dies, it stops after some steps.
// It returns how many steps there are.
func TakePlace(dir string, now time.Time, dies int) (of int, err error) {
	names := append(slices.Clone(storeNames), MasterKeyName, MasterKeyName+NextKeyEnd, AttachmentsName)
	_, err = takePlace(dir, names, now, func(steps []func() error) error {
		of = len(steps)
		return runAll(steps[:min(dies, of)])
	})
	return of, err
}
