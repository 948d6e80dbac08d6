package store_test

import (
	"errors"
	"slices"
	"testing"

	"parley"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestStatementsWithLists runs statements with lists of each length up to nine, by
// a view and in a transaction, beside another workspace with the same labels.
func TestStatementsWithLists(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w, other := newWorld("x", true), newWorld("y", true)
		names := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"}
		for _, w := range []*world{w, other} {
			w.insert(t, s)
			write(t, s, w.ws, func(tx *store.Tx) error {
				var errs []error
				for _, name := range names {
					errs = append(errs, store.Exec(tx, w.ws, `INSERT INTO labels (workspace_id, label, color, created_at, updated_at)
						VALUES ($1, $2, 'teal', 0, 0)`, name))
				}
				return errors.Join(errs...)
			})
		}
		named := func(v store.Reader, ws parley.WorkspaceID, names []string) []string {
			t.Helper()
			found, err := store.Many(v, ws, store.Only[string],
				"SELECT label FROM labels WHERE workspace_id = $1 AND color = $2 AND label IN ($3...) ORDER BY label", "teal", store.ListOf(names))
			if err != nil {
				t.Error(err)
			}
			return found
		}
		for n := 1; n <= len(names); n++ {
			view(t, s, func(v *store.View) error {
				if found := named(v, w.ws, names[:n]); !slices.Equal(found, names[:n]) {
					t.Errorf("of %q are found %q", names[:n], found)
				}
				return nil
			})
		}
		write(t, s, w.ws, func(tx *store.Tx) error {
			gone, err := store.Affected(tx, w.ws, "DELETE FROM labels WHERE workspace_id = $1 AND label IN ($2...) RETURNING 1", store.ListOf(names[:3]))
			none, again := store.Affected(tx, w.ws, "DELETE FROM labels WHERE workspace_id = $1 AND label IN ($2...) RETURNING 1", store.ListOf(names[:3]))
			if found := named(tx, w.ws, names); !gone || none || !slices.Equal(found, names[3:]) {
				t.Errorf("after the deletion, %t and %t, there are %q", gone, none, found)
			}
			return errors.Join(err, again)
		})
		view(t, s, func(v *store.View) error {
			if found := named(v, other.ws, names); !slices.Equal(found, names) {
				t.Errorf("the other workspace has %q", found)
			}
			_, err := store.One(v, w.ws, "label", store.Only[string], "SELECT label FROM labels WHERE workspace_id = $1 AND label = $2", "none")
			if parley.KindOf(err) != parley.NotFound || err.Error() != "no such label in this workspace" {
				t.Errorf("no label is %v", err)
			}
			return nil
		})
	})
}
