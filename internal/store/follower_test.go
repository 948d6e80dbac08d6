package store_test

import (
	"errors"
	"slices"
	"testing"

	"parley"
	"parley/internal/search"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestFollowerPosition moves a follower like two nodes that know the same step:
// one of them moves it, and no other follower moves with it.
func TestFollowerPosition(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld("w", false)
		w.insert(t, s)
		behind := func(name string, version int) bool {
			var all []parley.WorkspaceID
			view(t, s, func(v *store.View) (err error) {
				all, err = v.WorkspacesBehind(name, version)
				return err
			})
			return slices.Contains(all, w.ws)
		}
		move := func(name string, p store.FollowerPosition, want bool) {
			t.Helper()
			write(t, s, w.ws, func(tx *store.Tx) error {
				if moved, err := tx.MoveFollower(w.ws, name, p); moved != want || err != nil {
					t.Errorf("moving to %+v gave %v, %v", p, moved, err)
				}
				return nil
			})
		}
		p := store.FollowerPosition{Step: 2, Version: 1, Log: parley.LogPosition{Epoch: w.workspace.Epoch, Seq: 1, Check: "c"}, Place: "contacts"}
		move("w", w.follower, false) // the world has it already
		move("other", p, false)      // it has not started
		move("w", p, true)
		move("w", p, false)
		if !behind("w", 1) || !behind("other", 1) {
			t.Error("a workspace in the tables, or one where a follower never began, is not told")
		}
		view(t, s, func(v *store.View) error {
			if got, err := v.FollowerPosition(w.ws, "w"); got != p || err != nil {
				t.Errorf("the position is %+v, %v, want %+v", got, err, p)
			}
			_, err := v.FollowerPosition(w.ws, "other")
			if parley.KindOf(err) != parley.NotFound {
				t.Errorf("the other follower gave %v", err)
			}
			return nil
		})
		p.Step, p.Place = 3, ""
		move("w", p, true)
		move("w", p, false)
		if behind("w", 0) || behind("w", 1) || !behind("w", 2) {
			t.Error("a workspace is not told exactly when its follower was of an older version")
		}
		write(t, s, w.ws, func(tx *store.Tx) error {
			tx.Emit(w.ws, w.event)
			return nil
		})
		if !behind("w", 1) {
			t.Error("a workspace whose log went on is not told")
		}
	})
}

// TestFollowersCarryOn upgrades a store whose index was made by the previous
// version. The index continues where it is, and so does a node of the previous
// version.
func TestFollowersCarryOn(t *testing.T) {
	empty(t, func(t *testing.T, o store.Options) {
		if err := store.MigrateTo(t.Context(), o, before(t, "followers")); err != nil {
			t.Fatal(err)
		}
		follows, reads := parley.WorkspaceID(ids.New(at(1))), parley.WorkspaceID(ids.New(at(2)))
		old := storetest.Open(t, o)
		writeOlder(t, old, func(tx *store.Tx) error {
			for _, ws := range []parley.WorkspaceID{follows, reads} {
				if err := errors.Join(
					tx.Exec("INSERT INTO workspaces (workspace_id, name, epoch, seq, created_at) VALUES ($1, 'x', 'e', 9, 1)", ws),
					tx.Exec(`INSERT INTO events (workspace_id, seq, type, created_at, changed, data, mark) VALUES ($1, 7, 'x', 1, '', '{}', 'm7')`, ws),
				); err != nil {
					return err
				}
			}
			return errors.Join(
				tx.Exec("INSERT INTO search_positions (workspace_id, step, version, epoch, seq, stage) VALUES ($1, 40, 3, 'e', 7, '')", follows),
				tx.Exec(`INSERT INTO search_positions (workspace_id, step, version, epoch, seq, stage, after_conversation, after_id)
					VALUES ($1, 5, 3, 'e', 8, 'messages', $2, $3)`, reads, ids.New(at(3)), ids.New(at(4))),
			)
		})
		if err := old.Close(); err != nil {
			t.Fatal(err)
		}
		if _, _, err := store.Migrate(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		s := storetest.Open(t, o)
		carried := store.FollowerPosition{Step: 40, Version: 3, Log: parley.LogPosition{Epoch: "e", Seq: 7, Check: "m7"}}
		view(t, s, func(v *store.View) error {
			if got, err := v.FollowerPosition(follows, "search"); got != carried || err != nil {
				t.Errorf("the index stands at %+v, %v, want %+v", got, err, carried)
			}
			want := store.FollowerPosition{Step: 5, Version: 3, Log: parley.LogPosition{Epoch: "e", Seq: 8}, Place: "messages"}
			if got, err := v.FollowerPosition(reads, "search"); got != want || err != nil {
				t.Errorf("the other index stands at %+v, %v, want %+v", got, err, want)
			}
			return nil
		})
		carried.Step, carried.Log.Seq = 41, 9
		write(t, s, follows, func(tx *store.Tx) error { return search.KeepLegacyPosition(tx, follows, carried) })
		write(t, s, reads, func(tx *store.Tx) error {
			return search.KeepLegacyPosition(tx, reads, store.FollowerPosition{Step: 6, Version: 3, Log: carried.Log, Place: "companies x"})
		})
		view(t, s, func(v *store.View) error {
			for stage, ws := range map[string]parley.WorkspaceID{"": follows, "contacts": reads} {
				if n, err := v.Int(`SELECT count(*) FROM search_positions WHERE workspace_id = $1 AND seq = 9 AND stage = $2
					AND after_id IS NULL AND step IN (41, 6)`, ws, stage); n != 1 || err != nil {
					t.Errorf("the version before does not find stage %q: %v", stage, err)
				}
			}
			return nil
		})
	})
}
