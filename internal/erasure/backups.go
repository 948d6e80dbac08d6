package erasure

import (
	"bytes"
	"slices"
	"time"

	"parley"
	"parley/internal/store"
)

// A KeptUntil returns about when the scheduled backup of a time is deleted if one is
// made at each interval, and zero if nobody can say. It must not read anything: it is
// called in transactions.
type KeptUntil func(made time.Time, every time.Duration) time.Time

// scheduled is the state of the backups that servers make by themselves.
type scheduled struct {
	every     time.Duration // 0: they make none
	plannedAt time.Time
	doneAt    time.Time // when the last one began, zero if there was none
	took      time.Duration
}

// tellBackups adds to erasures which backups contain what they delete.
func (svc *Service) tellBackups(v store.Reader, erasures ...*Erasure) error {
	state, err := selectScheduled(v)
	now := svc.desk.Base().Clock.Now()
	for _, e := range erasures {
		e.Backups = svc.olderBackups(&state, e, now)
	}
	return err
}

// olderBackups returns which backups contain what an erasure deletes. After its end, a
// newer one has hidden when the newest of them was made, so the end stands for that. The
// row of the schedule knows nothing of an earlier schedule, and is in no backup: a
// restored store knows nothing of the backups that were made before.
func (svc *Service) olderBackups(state *scheduled, e *Erasure, now time.Time) parley.OlderBackups {
	older := parley.OlderBackups{Scheduled: state.every > 0}
	ended := !e.FinishedAt.IsZero()
	switch {
	case state.doneAt.IsZero() || ended && e.FinishedAt.Before(state.plannedAt):
		older.Unknown = older.Scheduled && e.Subjects.existed(state.plannedAt)
		return older
	case !e.Subjects.existed(state.doneAt.Add(state.took)):
		return older
	}
	newest := state.doneAt
	if ended && e.FinishedAt.Before(newest) {
		newest = e.FinishedAt
	}
	end := svc.keptUntil(newest, state.every)
	switch {
	case end.IsZero() || now.Before(end):
		older.NewestAt, older.EndAt = newest, end
	case state.doneAt.Before(end): // the next backup deletes it, and nobody can say when that is
		older.NewestAt = newest
	}
	return older
}

// existed reports whether some of the records existed at a time. Their ids contain when
// they were created.
func (s *Subjects) existed(at time.Time) bool {
	after := parley.FirstID(at.Add(time.Millisecond))
	older := func(id parley.ID) bool { return bytes.Compare(id[:], after[:]) < 0 }
	return slices.ContainsFunc(s.Contacts, older) || slices.ContainsFunc(s.Conversations, older)
}
