package store_test

import (
	"slices"
	"testing"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestUnreadOfMany opens more conversations than Unread checks by activity: the
// one that waits the longest is still unread.
func TestUnreadOfMany(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld("x", true)
		w.insert(t, s)
		var first, last parley.ID
		fill(t, s, w.ws, parley.MaxCount+2, func(tx *store.Tx, i int) error {
			c := w.conversation
			c.CreatedAt = at(int64(100 + i))
			c.ID, c.LastActivityAt, c.WaitingSince, c.Status = ids.New(c.CreatedAt), c.CreatedAt, c.CreatedAt, parley.Open
			if i == 0 {
				first = c.ID
			}
			last = c.ID
			return tx.InsertConversation(w.ws, &c, c.CreatedAt)
		})
		view(t, s, func(v *store.View) error {
			got, err := desk.SelectUnread(v, parley.WholeWorkspace(w.ws), w.member.ID)
			if !slices.Contains(got.New, first) || !slices.Contains(got.New, last) || len(got.New) != parley.MaxCount+2 {
				t.Errorf("of %d unread ones, the longest waiting is there: %t, the newest: %t",
					len(got.New), slices.Contains(got.New, first), slices.Contains(got.New, last))
			}
			return err
		})
	})
}
