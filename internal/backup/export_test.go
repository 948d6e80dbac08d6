package backup

import (
	"path/filepath"
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

// PlaceSteps returns the steps by which the staging folder of a data folder takes
// its place, behind the decision.
func PlaceSteps(dir string, now time.Time) ([]func() error, error) {
	p := plan{Aside: asidePrefix + now.UTC().Format("20060102T150405Z")}
	var err error
	if p.Put, err = present(filepath.Join(dir, stagingName), storeNames); err != nil {
		return nil, err
	}
	if p.Remove, err = p.leftovers(dir, storeNames); err != nil {
		return nil, err
	}
	return p.steps(dir), p.decide(dir)
}
