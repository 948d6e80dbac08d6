package store_test

import (
	"testing"

	"parley"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestAccessCounts looks for the count that open streams are ended by.
func TestAccessCounts(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w, bystander := newWorld("x", false), newWorld("x", false)
		w.insert(t, s)
		bystander.insert(t, s)
		for range 2 {
			write(t, s, w.ws, func(tx *store.Tx) error { return tx.UpdateAccess(w.ws) })
		}
		view(t, s, func(v *store.View) error {
			for of, want := range map[parley.WorkspaceID]int{w.ws: 2, bystander.ws: 0} {
				if got, err := v.Int("SELECT access FROM workspaces WHERE workspace_id = $1", of); err != nil || got != want {
					t.Errorf("the access count is %d, %v, want %d", got, err, want)
				}
			}
			return nil
		})
	})
}
