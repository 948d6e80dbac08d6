package erasure_test

import (
	"testing"
	"time"

	"parley"
	"parley/internal/backup/schedule"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// backUp records a scheduled backup that begins now.
func (w *world) backUp() time.Time {
	w.T.Helper()
	now := w.Now()
	_, err := desk.Write(w.T.Context(), w.Desk, w.By(), func(t *desk.Tx) (struct{}, error) {
		return struct{}{}, schedule.UpdateDone(t, &schedule.State{DoneAt: now, Took: time.Minute})
	})
	w.must(err)
	return now
}

// TestOlderBackups asks which backups contain a person: before an erasure, while it
// runs, and after newer backups; without a schedule, and with one.
func TestOlderBackups(t *testing.T) {
	const day = 24 * time.Hour
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, o) // which keeps 14 backups
		ws := w.Home.Workspace.ID
		w.anna = w.Contact(`{"name":"Ann"}`)
		id, _ := parley.ParseID(w.anna)
		preview := func() parley.OlderBackups {
			t.Helper()
			p, err := w.Erasure.Preview(ws, id).Now(t.Context())
			w.must(err)
			return p.Backups
		}
		check := func(when string, got, want parley.OlderBackups) {
			t.Helper()
			if got.Scheduled != want.Scheduled || got.Unknown != want.Unknown || !got.NewestAt.Equal(want.NewestAt) || !got.EndAt.Equal(want.EndAt) {
				t.Errorf("%s: %+v, want %+v", when, got, want)
			}
		}
		check("without a schedule", preview(), parley.OlderBackups{})
		w.must(schedule.Plan(t.Context(), w.Desk, day))
		check("before the first backup", preview(), parley.OlderBackups{Scheduled: true, Unknown: true})
		w.Advance(time.Minute)
		young, _ := parley.ParseID(w.Contact(`{"name":"Bo"}`))
		p, err := w.Erasure.Preview(ws, young).Now(t.Context())
		w.must(err)
		check("of a person younger than the schedule", p.Backups, parley.OlderBackups{Scheduled: true})
		made := w.backUp()
		contained := parley.OlderBackups{Scheduled: true, NewestAt: made, EndAt: made.Add(14 * day)}
		check("after the first backup", preview(), contained)

		w.Advance(time.Hour)
		young, _ = parley.ParseID(w.Contact(`{"name":"Cy"}`))
		p, err = w.Erasure.Preview(ws, young).Now(t.Context())
		w.must(err)
		check("of a younger person", p.Backups, parley.OlderBackups{Scheduled: true})

		e, err := w.Erasure.EraseContact(t.Context(), w.By(), id)
		w.must(err)
		check("of an erasure that begins", e.Backups, contained)
		e, _ = w.finish(w.Erasure, e.ID)
		check("of an erasure that ended", e.Backups, contained)
		w.Advance(day)
		w.backUp() // and this one knows nothing of the person
		e, err = w.Erasure.Erasure(ws, e.ID).Now(t.Context())
		w.must(err)
		check("after a newer backup", e.Backups, parley.OlderBackups{Scheduled: true, NewestAt: e.FinishedAt, EndAt: e.FinishedAt.Add(14 * day)})
		all, err := w.Erasure.All(t.Context(), ws)
		w.must(err)
		check("in the list", all[0].Backups, e.Backups)

		w.Advance(14 * day)
		e, err = w.Erasure.Erasure(ws, e.ID).Now(t.Context())
		w.must(err)
		check("without the backup that deletes the last", e.Backups, parley.OlderBackups{Scheduled: true, NewestAt: e.FinishedAt})
		w.backUp()
		e, err = w.Erasure.Erasure(ws, e.ID).Now(t.Context())
		w.must(err)
		check("after the last is deleted", e.Backups, parley.OlderBackups{Scheduled: true})

		w.must(schedule.Plan(t.Context(), w.Desk, 0))
		w.Advance(day)
		w.must(schedule.Plan(t.Context(), w.Desk, day))
		w.Advance(day)
		w.backUp()
		e, err = w.Erasure.Erasure(ws, e.ID).Now(t.Context())
		w.must(err)
		check("of a schedule that began later", e.Backups, parley.OlderBackups{Scheduled: true, Unknown: true})
	})
}
