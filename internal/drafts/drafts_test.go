package drafts_test

import (
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/drafts"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// TestVersionsDiffer ends a draft and begins another one: a device that knows the
// first does not take the second for it, even while the clock stands still.
func TestVersionsDiffer(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		svc, c := drafts.New(w.Desk), w.Conversation(w.By(), w.Contact(w.By(), "Ann").ID)
		put := func(content string, version int64) int64 {
			t.Helper()
			change, err := svc.PutDraft(t.Context(), w.By(), parley.Draft{ConversationID: c.ID, Content: content, Version: version})
			w.Must(err)
			return change.Draft.Version
		}
		w.Tells(func() {
			first := put("one", 0)
			second := put("two", first)
			if second <= first {
				t.Errorf("version %d follows %d", second, first)
			}
			if put("", second) != 0 {
				t.Error("an empty draft has a version")
			}
			w.Advance(2 * time.Millisecond)
			if third := put("three", 0); third <= second {
				t.Errorf("another draft has version %d, and the one before had %d", third, second)
			}
		})
	})
}

// TestForsakenDrafts leaves drafts whose conversation or author is gone, as a server
// of the version before does: nobody sees them, and they expire.
func TestForsakenDrafts(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		svc, ids, ws := drafts.New(w.Desk), parley.NewIDs(nil), w.Home.Workspace.ID
		c := w.Conversation(w.By(), w.Contact(w.By(), "Ann").ID)
		kept := parley.Draft{ConversationID: c.ID, MemberID: w.Home.Owner.ID, Content: "kept", Version: 1, CreatedAt: w.Now(), UpdatedAt: w.Now()}
		orphan, left := kept, kept
		orphan.ConversationID, left.MemberID = ids.New(w.Now()), ids.NewUserID()
		storetest.Write(t, w.Store, ws, func(tx *store.Tx) error {
			for _, d := range []parley.Draft{kept, orphan, left} {
				if err := drafts.PutDraft(tx, ws, &d); err != nil {
					return err
				}
			}
			return nil
		})
		shown := func() drafts.Marks {
			m, err := svc.Drafts(w.By().Visibility(), w.Home.Owner.ID).Now(t.Context())
			w.Must(err)
			return m
		}
		if m := shown(); len(m.Own) != 1 || len(m.Others) != 1 {
			t.Errorf("%d own drafts are shown, and %d of others", len(m.Own), len(m.Others))
		}
		_, err := desk.Write(t.Context(), w.Desk, w.By(), func(t *desk.Tx) (struct{}, error) { return struct{}{}, drafts.Expire(t) })
		w.Must(err)
		if m := shown(); len(m.Own) != 1 || len(m.Others) != 0 {
			t.Errorf("after the purge %d own drafts are shown, and %d of others", len(m.Own), len(m.Others))
		}
		storetest.View(t, w.Store, func(v *store.View) error {
			if _, err := drafts.SelectDraft(v, w.By().Visibility(), w.Home.Owner.ID, orphan.ConversationID); parley.KindOf(err) != parley.NotFound {
				t.Errorf("the draft of a deleted conversation: %v", err)
			}
			return nil
		})
	})
}
