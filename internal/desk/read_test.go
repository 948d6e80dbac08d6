package desk_test

import (
	"context"
	"testing"

	"parley"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/store"
)

// TestReadsTellTheirPosition changes something in the middle of a read. Asked
// for the position, the read sees one state, and the position is that of this
// state; otherwise a view sees the change.
func TestReadsTellTheirPosition(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		d, h := w.Desk, &historyTest{t: t, ws: w.Home.Workspace.ID}
		h.write(d, 3)
		ends := func(v *store.View) (saw [2]parley.LogPosition, err error) {
			for i := range saw {
				w, err := v.Workspace(h.ws)
				if err != nil {
					return saw, err
				}
				saw[i] = w.End()
				h.write(d, 1)
			}
			return saw, nil
		}
		same := func(_ context.Context, saw [2]parley.LogPosition) ([2]parley.LogPosition, error) { return saw, nil }
		for name, read := range map[string]desk.Read[[2]parley.LogPosition]{
			"view": desk.View(d, ends), "snapshot": desk.Snapshot(d, ends), "then": desk.Then(desk.View(d, ends), same),
		} {
			before := h.end(d)
			saw, at, err := read.At(t.Context(), desk.Viewer{Workspace: h.ws})
			if err != nil || at != before || saw != [2]parley.LogPosition{before, before} {
				t.Errorf("%s at: %s, saw %v, began at %s (%v)", name, at, saw, before, err)
			}
			before = h.end(d)
			saw, err = read.Now(t.Context())
			if err != nil || saw[0] != before || (saw[1] == before) != (name == "snapshot") {
				t.Errorf("%s now: saw %v, began at %s (%v)", name, saw, before, err)
			}
		}
	})
}
