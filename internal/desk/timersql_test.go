package desk_test

import (
	"errors"
	"slices"
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
		a, b := storetest.NewHome(t, s).WS, storetest.NewHome(t, s).WS
		set := func(ws parley.WorkspaceID, kind, name string, due time.Time) {
			t.Helper()
			storetest.Write(t, s, ws, func(tx *store.Tx) error { return desk.InsertTimer(tx, ws, kind, name, due) })
		}
		set(a, "one", "x", storetest.At(30))
		set(a, "two", "x", storetest.At(10))
		set(b, "one", "y", storetest.At(20))
		set(b, "one", "z", storetest.At(20))
		due := func(now time.Time, kinds ...string) (found []parley.WorkspaceID) {
			t.Helper()
			storetest.View(t, s, func(v *store.View) (err error) {
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
			if got := due(storetest.At(look.now), look.kinds...); !slices.Equal(got, look.want) {
				t.Errorf("at %d of %v is due %v, want %v", look.now, look.kinds, got, look.want)
			}
		}
		storetest.View(t, s, func(v *store.View) error {
			timers, err := desk.SelectDueTimers(v, b, "one", storetest.At(20), 1)
			if err != nil || len(timers) != 1 || timers[0].Kind != "one" || timers[0].Owner != "" {
				t.Errorf("one due timer is %+v, %v", timers, err)
			}
			for now, want := range map[int64][]string{9: nil, 10: {"two"}, 30: {"one", "two"}} {
				if kinds, err := desk.SelectDueKinds(v, a, []string{"one", "three", "two"}, storetest.At(now)); err != nil || !slices.Equal(kinds, want) {
					t.Errorf("at %d are due %v, %v, want %v", now, kinds, err, want)
				}
			}
			if kinds, err := desk.SelectDueKinds(v, a, []string{"one"}, storetest.At(30)); err != nil || !slices.Equal(kinds, []string{"one"}) {
				t.Errorf("of one kind are due %v, %v", kinds, err)
			}
			without, err := desk.SelectWorkspacesWithoutTimer(v, "one")
			if len(without) != 2 {
				t.Errorf("without a nameless timer are %v", without)
			}
			return err
		})
		storetest.Write(t, s, a, func(tx *store.Tx) error { return desk.InsertTimer(tx, a, "one", "", storetest.At(40)) })
		storetest.Write(t, s, a, func(tx *store.Tx) error { return desk.InsertTimer(tx, a, "one", "", storetest.At(50)) })
		span := desk.TimerSpan{Kind: "one", Farthest: storetest.At(35), Lease: storetest.At(15)}
		held := desk.Timer{Kind: "one", Name: "z", DueAt: storetest.At(16), Owner: "p"}
		storetest.Write(t, s, b, func(tx *store.Tx) error { return desk.UpdateTimer(tx, b, &held) })
		storetest.View(t, s, func(v *store.View) error {
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
			storetest.Write(t, s, ws, func(tx *store.Tx) error { return desk.RedateTimers(tx, ws, span, storetest.At(5)) })
		}
		storetest.View(t, s, func(v *store.View) error {
			for want, name := range map[int64]string{5: "", 30: "x"} {
				if got, err := desk.SelectTimer(v, a, "one", name); err != nil || !got.DueAt.Equal(storetest.At(want)) {
					t.Errorf("the timer %q is %+v, %v, want %d", name, got, err, want)
				}
			}
			got, err := desk.SelectTimer(v, b, "one", "z")
			if err != nil || got.Owner != "" || !got.DueAt.Equal(storetest.At(5)) {
				t.Errorf("the held timer is %+v, %v", got, err)
			}
			misdated, err := desk.SelectMisdatedTimers(v, span)
			if len(misdated) != 0 {
				t.Errorf("still misdated are %v", misdated)
			}
			return err
		})
		storetest.Write(t, s, b, func(tx *store.Tx) error {
			held := desk.Timer{Kind: "one", Name: "z", DueAt: storetest.At(16), Owner: "p", Attempts: 3}
			return errors.Join(desk.UpdateTimer(tx, b, &held), desk.SetTimer(tx, b, "one", "z", storetest.At(70)), desk.SetTimer(tx, b, "one", "new", storetest.At(80)))
		})
		storetest.View(t, s, func(v *store.View) error {
			moved, err := desk.SelectTimer(v, b, "one", "z")
			inserted, failed := desk.SelectTimer(v, b, "one", "new")
			if want := (desk.Timer{Kind: "one", Name: "z", DueAt: storetest.At(70)}); moved != want {
				t.Errorf("the timer that was set is %+v, want %+v", moved, want)
			}
			if want := (desk.Timer{Kind: "one", Name: "new", DueAt: storetest.At(80)}); inserted != want {
				t.Errorf("the new timer is %+v, want %+v", inserted, want)
			}
			return errors.Join(err, failed)
		})
		storetest.Write(t, s, a, func(tx *store.Tx) error { return desk.DeleteTimer(tx, a, "two", "x") })
		if got := due(storetest.At(99), "two"); got != nil {
			t.Errorf("after it was deleted, a timer is due in %v", got)
		}
	})
}

// TestUploadsWithoutTimer finds unattached files in workspaces without a timer
// for them.
func TestUploadsWithoutTimer(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h := storetest.NewHome(t, s)
		a, b := h.WS, storetest.NewHome(t, s).WS
		look := func(when string, oldest time.Time, want ...parley.WorkspaceID) {
			t.Helper()
			storetest.View(t, s, func(v *store.View) error {
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
			file := desk.Attachment{Attachment: parley.Attachment{ID: h.IDs.New(of), CreatedAt: of}}
			storetest.Write(t, s, ws, func(tx *store.Tx) error { return desk.InsertAttachment(tx, ws, &file) })
			return file.ID
		}
		look("without files", time.Time{})
		first := upload(a, storetest.At(3))
		upload(a, storetest.At(4))
		upload(b, storetest.At(2))
		storetest.Write(t, s, b, func(tx *store.Tx) error { return desk.InsertTimer(tx, b, "k", "", storetest.At(9)) })
		storetest.Write(t, s, a, func(tx *store.Tx) error { return desk.InsertTimer(tx, a, "other", "", storetest.At(9)) })
		look("with files", storetest.At(3), a)
		storetest.Write(t, s, a, func(tx *store.Tx) error {
			return desk.UpdateAttachmentMessage(tx, a, first, &parley.Message{ID: h.NewID(5), ConversationID: h.NewID(5)})
		})
		look("where a message took one", storetest.At(4), a)
	})
}
