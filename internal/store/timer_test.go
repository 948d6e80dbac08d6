package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestTimers finds timers of several workspaces and kinds when they are due,
// and those with impossible times.
func TestTimers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := parley.WorkspaceID(ids.New(at(1))), parley.WorkspaceID(ids.New(at(2)))
		for _, ws := range []parley.WorkspaceID{a, b} {
			write(t, s, ws, func(tx *store.Tx) error {
				return tx.InsertWorkspace(&parley.Workspace{ID: ws, Name: "x", Epoch: "e", CreatedAt: at(1)})
			})
		}
		set := func(ws parley.WorkspaceID, kind, name string, due time.Time) {
			t.Helper()
			write(t, s, ws, func(tx *store.Tx) error { return desk.InsertTimer(tx, ws, kind, name, due) })
		}
		set(a, "one", "x", at(30))
		set(a, "two", "x", at(10))
		set(b, "one", "y", at(20))
		set(b, "one", "z", at(20))
		due := func(now time.Time, kinds ...string) (found []parley.WorkspaceID) {
			t.Helper()
			view(t, s, func(v *store.View) (err error) {
				found, err = desk.SelectWorkspacesDue(v, kinds, now)
				return err
			})
			return found
		}
		for _, look := range []struct {
			now   int64
			kinds []string
			want  []parley.WorkspaceID
		}{
			{9, []string{"one", "two"}, nil},
			{10, []string{"one", "two"}, []parley.WorkspaceID{a}},
			{20, []string{"one", "two"}, []parley.WorkspaceID{a, b}},
			{29, []string{"one"}, []parley.WorkspaceID{b}},
			{30, []string{"one"}, []parley.WorkspaceID{b, a}},
			{99, []string{"three"}, nil},
		} {
			if got := due(at(look.now), look.kinds...); !slices.Equal(got, look.want) {
				t.Errorf("at %d of %v is due %v, want %v", look.now, look.kinds, got, look.want)
			}
		}
		view(t, s, func(v *store.View) error {
			timers, err := desk.SelectDueTimers(v, b, []string{"one", "two"}, at(20), 1)
			if err != nil || len(timers) != 1 || timers[0].Kind != "one" || timers[0].Owner != "" {
				t.Errorf("one due timer is %+v, %v", timers, err)
			}
			without, err := desk.SelectWorkspacesWithoutTimer(v, "one")
			if len(without) != 2 {
				t.Errorf("without a nameless timer are %v", without)
			}
			return err
		})
		write(t, s, a, func(tx *store.Tx) error { return desk.InsertTimer(tx, a, "one", "", at(40)) })
		write(t, s, a, func(tx *store.Tx) error { return desk.InsertTimer(tx, a, "one", "", at(50)) })
		span := desk.TimerSpan{Kind: "one", Farthest: at(35), Lease: at(15)}
		held := desk.Timer{Kind: "one", Name: "z", DueAt: at(16), Owner: "p"}
		write(t, s, b, func(tx *store.Tx) error { return desk.UpdateTimer(tx, b, &held) })
		view(t, s, func(v *store.View) error {
			if without, err := desk.SelectWorkspacesWithoutTimer(v, "one"); err != nil || !slices.Equal(without, []parley.WorkspaceID{b}) {
				t.Errorf("without a nameless timer are %v, %v", without, err)
			}
			misdated, err := desk.SelectMisdatedTimers(v, span)
			if len(misdated) != 2 {
				t.Errorf("misdated are %v", misdated)
			}
			return err
		})
		for _, ws := range []parley.WorkspaceID{a, b} {
			write(t, s, ws, func(tx *store.Tx) error { return desk.RedateTimers(tx, ws, span, at(5)) })
		}
		view(t, s, func(v *store.View) error {
			for want, name := range map[int64]string{5: "", 30: "x"} {
				if got, err := desk.SelectTimer(v, a, "one", name); err != nil || !got.DueAt.Equal(at(want)) {
					t.Errorf("the timer %q is %+v, %v, want %d", name, got, err, want)
				}
			}
			got, err := desk.SelectTimer(v, b, "one", "z")
			if err != nil || got.Owner != "" || !got.DueAt.Equal(at(5)) {
				t.Errorf("the held timer is %+v, %v", got, err)
			}
			misdated, err := desk.SelectMisdatedTimers(v, span)
			if len(misdated) != 0 {
				t.Errorf("still misdated are %v", misdated)
			}
			return err
		})
		write(t, s, a, func(tx *store.Tx) error { return desk.DeleteTimer(tx, a, "two", "x") })
		if got := due(at(99), "two"); got != nil {
			t.Errorf("after it was deleted, a timer is due in %v", got)
		}
	})
}

// TestUploadsWithoutTimer finds unattached files in workspaces without a timer
// for them.
func TestUploadsWithoutTimer(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, _ := found(t, s)
		b, _ := found(t, s)
		look := func(when string, oldest time.Time, want ...parley.WorkspaceID) {
			t.Helper()
			view(t, s, func(v *store.View) error {
				untimed, err := desk.SelectUntimedUploads(v, "k")
				if err != nil || !slices.Equal(untimed, want) {
					t.Errorf("%s: without a timer are the files of %v, %v, want %v", when, untimed, err, want)
				}
				got, err := desk.SelectOldestUpload(v, a)
				if !got.Equal(oldest) {
					t.Errorf("%s: the oldest file is of %v, want %v", when, got, oldest)
				}
				return err
			})
		}
		upload := func(ws parley.WorkspaceID, of time.Time) parley.ID {
			file := desk.Attachment{Attachment: parley.Attachment{ID: ids.New(of), CreatedAt: of}}
			write(t, s, ws, func(tx *store.Tx) error { return desk.InsertAttachment(tx, ws, &file) })
			return file.ID
		}
		look("without files", time.Time{})
		first := upload(a, at(3))
		upload(a, at(4))
		upload(b, at(2))
		write(t, s, b, func(tx *store.Tx) error { return desk.InsertTimer(tx, b, "k", "", at(9)) })
		write(t, s, a, func(tx *store.Tx) error { return desk.InsertTimer(tx, a, "other", "", at(9)) })
		look("with files", at(3), a)
		write(t, s, a, func(tx *store.Tx) error {
			return desk.UpdateAttachmentMessage(tx, a, first, &parley.Message{ID: ids.New(at(5)), ConversationID: ids.New(at(5))})
		})
		look("where a message took one", at(4), a)
	})
}

// TestTimersPlan reads the engines' plans of the look for what is due: many timers
// that are not due, or are due in one workspace, cost nothing.
func TestTimersPlan(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ws, _ := found(t, s)
		fill(t, s, ws, 3000, func(tx *store.Tx, i int) error { return desk.InsertTimer(tx, ws, "k", fmt.Sprint(i), at(int64(i))) })
		vacuum(t, s)
		for name, read := range map[string]func(v *store.View) error{
			"workspaces": func(v *store.View) error {
				_, err := desk.SelectWorkspacesDue(v, []string{"k", "l"}, at(20))
				return err
			},
			"timers": func(v *store.View) error {
				_, err := desk.SelectDueTimers(v, ws, []string{"k", "l"}, at(20), 20)
				return err
			},
		} {
			view(t, s, func(v *store.View) error {
				plan, err := v.Plan(read)
				if !strings.Contains(plan, "timers_due") || strings.Contains(plan, "Seq Scan on timers") {
					t.Errorf("%s: not by timers_due:\n%s", name, plan)
				}
				return err
			})
		}
	})
}
