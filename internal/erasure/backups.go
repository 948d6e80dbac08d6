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
	for _, e := range erasures {
		e.Backups = svc.olderBackups(&state, e)
	}
	return err
}

// olderBackups returns which backups contain what an erasure deletes. After its end, a
// newer one has hidden when the newest of them was made, so the end stands for that.
func (svc *Service) olderBackups(state *scheduled, e *Erasure) parley.OlderBackups {
	older := parley.OlderBackups{Scheduled: state.every > 0}
	ended := !e.FinishedAt.IsZero()
	if state.doneAt.IsZero() || ended && e.FinishedAt.Before(state.plannedAt) || !e.Subjects.existed(state.doneAt.Add(state.took)) {
		return older
	}
	older.NewestAt = state.doneAt
	if ended && e.FinishedAt.Before(older.NewestAt) {
		older.NewestAt = e.FinishedAt
	}
	older.EndAt = svc.keptUntil(older.NewestAt, state.every)
	return older
}

// existed reports whether some of the records existed at a time. Their ids contain when
// they were created.
func (s *Subjects) existed(at time.Time) bool {
	after := parley.FirstID(at.Add(time.Millisecond))
	older := func(id parley.ID) bool { return bytes.Compare(id[:], after[:]) < 0 }
	return slices.ContainsFunc(s.Contacts, older) || slices.ContainsFunc(s.Conversations, older)
}
