package backup

import (
	"slices"
	"time"

	"parley"
	"parley/internal/store"
)

// Contents returns the tables that a backup of a schema version holds.
var Contents = contents

// Settle is what a restore without keys does behind the rows.
func Settle(tx *store.Tx, ids *parley.IDs, now time.Time) (int, error) {
	return settle(tx, settling{ids: ids, now: now})
}

// TakePlace has the staging folder of a data folder take its place with everything
// that a restored store may consist of. Its process dies behind some of the steps,
// which are of as many.
func TakePlace(dir string, now time.Time, dies int) (of int, err error) {
	names := append(slices.Clone(storeNames), MasterKeyName, MasterKeyName+NextKeyEnd, AttachmentsName)
	_, err = takePlace(dir, names, now, func(steps []func() error) error {
		of = len(steps)
		return all(steps[:min(dies, of)])
	})
	return of, err
}
