package threads_test

import (
	"testing"

	"parley"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/threads"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// TestForsakenLinks leaves a link whose other conversation is gone, as a server of the
// version before does: nobody sees it, and it expires.
func TestForsakenLinks(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		svc, ws := threads.New(w.Desk), w.Home.Workspace.ID
		ann := w.Contact(w.By(), "Ann").ID
		a, b := w.Conversation(w.By(), ann).ID, w.Conversation(w.By(), ann).ID
		_, err := svc.Link(t.Context(), w.By(), a, b)
		w.Must(err)
		storetest.Write(t, w.Store, ws, func(tx *store.Tx) error {
			return threads.InsertLink(tx, ws, &threads.Link{ConversationID: a, OtherID: parley.NewIDs(nil).New(w.Now()), CreatedAt: w.Now()})
		})
		stored := func() (n int) {
			storetest.View(t, w.Store, func(v *store.View) error {
				links, err := threads.SelectLinks(v, w.By().Visibility(), a)
				n = len(links)
				return err
			})
			return n
		}
		shown, err := svc.Links(w.By().Visibility(), a).Now(t.Context())
		w.Must(err)
		if len(shown) != 1 || shown[0].ID != b || stored() != 2 {
			t.Errorf("%d links are shown, and %d stored", len(shown), stored())
		}
		_, err = desk.Write(t.Context(), w.Desk, w.By(), func(t *desk.Tx) (struct{}, error) { return struct{}{}, threads.Expire(t) })
		w.Must(err)
		if n := stored(); n != 1 {
			t.Errorf("after the purge %d links are stored", n)
		}
	})
}
