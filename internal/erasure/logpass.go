package erasure

import (
	"context"
	"encoding/binary"
	"slices"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

// readLog erases the events about records that no longer exist, and returns the event
// up to which it came.
func (p *pass) readLog(ctx context.Context) (at int64, err error) {
	last := p.last()
	if at, err = p.start(ctx, last); err != nil {
		return at, err
	}
	for ; p.left > 0 && at < last; p.left-- {
		found, err := desk.Snapshot(p.desk, func(v *store.View) (logPage, error) { return p.read(v, at, last) }).Now(ctx)
		if err != nil {
			return at, err
		}
		if len(found.hits) > 0 {
			if _, err := desk.Write(ctx, p.desk, desk.Caller{Workspace: p.ws}, func(t *desk.Tx) (struct{}, error) {
				return struct{}{}, p.erase(&tx{Tx: t, batch: p.batch}, found.hits)
			}); err != nil {
				return at, err
			}
		}
		at = found.last
	}
	return at, nil
}

// start returns the event after which the pass begins: events are not older than the
// records that they are about.
func (p *pass) start(ctx context.Context, last int64) (int64, error) {
	if seq := p.of[0].working.Seq; seq > 0 {
		return seq, nil
	}
	oldest, err := desk.View(p.desk, func(v *store.View) (time.Time, error) { return selectOldestEvent(v, p.ws) }).Now(ctx)
	if err != nil {
		return 0, err
	}
	told := false
	var since time.Time
	for i := range p.of {
		e := &p.of[i]
		if !e.mayBeTold(oldest) {
			continue
		}
		if first := e.since(); !told || first.Before(since) {
			told, since = true, first
		}
	}
	if !told {
		return last, nil
	}
	return p.before(ctx, since, last)
}

// before returns the last event up to another one that is older than a time, or 0. It
// bisects the log: the order of times is that of the events, except for the clocks of
// nodes, for which the time has a margin.
func (p *pass) before(ctx context.Context, since time.Time, last int64) (int64, error) {
	low, high := int64(0), last
	for low < high {
		middle := low + (high-low)/2
		next, err := desk.View(p.desk, func(v *store.View) ([]age, error) { return selectNextAge(v, p.ws, middle, high) }).Now(ctx)
		switch {
		case err != nil:
			return 0, err
		case len(next) > 0 && next[0].at.Before(since):
			low = next[0].seq
		default:
			high = middle
		}
	}
	return low, nil
}

// mayBeTold reports whether the log can contain events about the records of an erasure.
// Events expire, and a rule deletes what has not changed for a long time.
func (e *Erasure) mayBeTold(oldest time.Time) bool {
	return e.Kind != parley.ErasureByRule || oldest.IsZero() || !oldest.After(e.working.Since)
}

// since returns a time that no event about the records of an erasure is older than.
func (e *Erasure) since() time.Time {
	var first time.Time
	for n, id := range slices.Concat(e.Subjects.Contacts, e.Subjects.Conversations, e.working.Parts, e.working.Groups) {
		made := madeAt(id)
		if made.IsZero() {
			return made
		}
		if n == 0 || made.Before(first) {
			first = made
		}
	}
	if oldest := e.working.Oldest; !oldest.IsZero() && oldest.Before(first) {
		first = oldest
	}
	if first.IsZero() {
		return first
	}
	return first.Add(-clockSpare)
}

// madeAt returns the time of an id, and the zero time for one that has none.
func madeAt(id parley.ID) time.Time {
	if id[6]>>4 != 7 {
		return time.Time{}
	}
	return time.UnixMilli(int64(binary.BigEndian.Uint64(id[:8]) >> 16)).UTC()
}

// A logPage is a page of the log: its last event, and those that are to be erased.
type logPage struct {
	last int64
	hits []int64
}

func (p *pass) read(v store.Reader, after, last int64) (logPage, error) {
	events, err := selectLogged(v, p.ws, after, last, p.batch)
	if err != nil || len(events) == 0 {
		return logPage{last: last}, err
	}
	page := logPage{last: events[len(events)-1].seq}
	there, err := recordsOf(v, p.ws, events)
	for i := range events {
		if l := &events[i]; there.tellsOfErased(l) || p.isLate(l, there) {
			page.hits = append(page.hits, l.seq)
		}
	}
	return page, err
}

// isLate reports whether an event is about a message that came after its step: one by
// somebody who is erased, or a note in one of their groups.
func (p *pass) isLate(l *logged, there existing) bool {
	if l.kind != parley.MessageCreated || !there[l.records.ID] {
		return false
	}
	_, during := p.during(l)
	return during && l.records.SenderType == string(parley.SenderSystem) || there.senderIsGone(l)
}

// during returns the index of an erasure with the group of an event, and reports whether
// the event came while one of them was running; if so, it returns that one.
func (p *pass) during(l *logged) (at int, during bool) {
	for i, of := range p.groups[l.conversation] {
		w := &p.of[of].working
		if l.seq > w.Begun && l.seq <= w.Last {
			return of, true
		}
		if i == 0 {
			at = of
		}
	}
	return at, false
}

// erase erases events that still are about records that do not exist.
func (p *pass) erase(t *tx, seqs []int64) error {
	events, err := selectLoggedAt(t, t.WS, seqs)
	if err != nil {
		return err
	}
	there, err := recordsOf(t, t.WS, events)
	if err != nil {
		return err
	}
	changed := map[int]*Erasure{}
	var gone []int64
	for i := range events {
		l := &events[i]
		e, err := p.countedFor(t, changed, l)
		if err != nil {
			return err
		}
		if p.isLate(l, there) {
			if err := t.eraseLate(e, l, there); err != nil {
				return err
			}
		}
		if there.tellsOfErased(l) {
			gone = append(gone, l.seq)
			e.Counts.Events++
		}
	}
	for at, e := range changed {
		if err := updateErasure(t, t.WS, e); err != nil {
			return err
		}
		p.of[at].working.Files = e.working.Files
	}
	if len(gone) == 0 {
		return nil
	}
	return eraseEvents(t, t.WS, gone)
}

// countedFor returns the erasure that counts an event, as it is now.
func (p *pass) countedFor(t *tx, changed map[int]*Erasure, l *logged) (*Erasure, error) {
	at := p.ownerOf(l)
	if e, ok := changed[at]; ok {
		return e, nil
	}
	e, err := selectErasure(t, t.WS, p.of[at].ID)
	if err != nil {
		return nil, err
	}
	changed[at] = &e
	return &e, nil
}

// ownerOf returns the index of the erasure that erases what an event is about.
func (p *pass) ownerOf(l *logged) int {
	r := &l.records
	ids := []parley.ID{l.conversation, r.ID, r.IntoID, r.Contact.ID, r.Other.ID}
	for _, text := range []string{r.SenderID, l.actor.ID} {
		if id, ok := parley.ParseID(text); ok {
			ids = append(ids, id)
		}
	}
	for _, id := range ids {
		if at, ok := p.records[id]; ok {
			return at
		}
	}
	at, _ := p.during(l)
	return at // or the oldest erasure
}
