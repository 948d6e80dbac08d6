package desk_test

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
		h := storetest.NewHome(t, s)
		var first, last parley.ID
		h.Fill(parley.MaxCount+2, func(tx *store.Tx, i int) error {
			c := h.Conversation
			c.CreatedAt = storetest.At(int64(100 + i))
			c.ID, c.LastActivityAt, c.WaitingSince, c.Status = h.IDs.New(c.CreatedAt), c.CreatedAt, c.CreatedAt, parley.Open
			if i == 0 {
				first = c.ID
			}
			last = c.ID
			return tx.InsertConversation(h.WS, &c, c.CreatedAt)
		})
		h.View(func(v *store.View) error {
			got, err := desk.SelectUnread(v, parley.WholeWorkspace(h.WS), h.Member.ID)
			if !slices.Contains(got.New, first) || !slices.Contains(got.New, last) || len(got.New) != parley.MaxCount+2 {
				t.Errorf("of %d unread ones, the longest waiting is there: %t, the newest: %t",
					len(got.New), slices.Contains(got.New, first), slices.Contains(got.New, last))
			}
			return err
		})
	})
}
